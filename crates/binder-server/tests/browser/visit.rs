//! What visitors come for, one errand after the other.

use fantoccini::key::Key;
use serde_json::json;

use crate::common::Running;
use crate::page::{Page, enter};

/// First sight: the proof in numbers, and questions that are answered.
pub(crate) async fn starts(page: &Page) {
    page.visit("/").await;
    page.shows("h1", "4,017 concepts, ").await;
    page.shows("h1", "bits each, all 16 million pairs checked.").await;
    page.shows(".example", "kind of").await;
}

pub(crate) async fn searches(page: &Page) {
    page.visit("/").await;
    page.keys("#start-input", "retreiver").await;
    page.shows("[role=option] .id", "retriever.n.01").await;
    page.shows("[role=option] .definition", "a dog with heavy water-resistant coat").await;
    page.shows("[role=option] .path", "a kind of sporting dog").await;
    page.keys("#start-input", &enter()).await;
    page.shows("#concept h1", "retriever").await;
    page.is_at("#/concept/retriever.n.01").await;
    page.keys("#search-input", "xqzxqzxqz").await;
    page.shows("#search .note", "Nothing is called anything like").await;
}

/// A concept's texts, its place, its children and its bits.
pub(crate) async fn reads_a_concept(page: &Page) {
    page.visit("/#/concept/dog.n.01").await;
    page.shows("#concept h1", "dog").await;
    page.shows("#concept .id", "dog.n.01").await;
    page.shows("#concept .lead", "a member of the genus Canis").await;
    page.shows("#concept", "also called domestic dog, Canis familiaris").await;
    page.shows("#concept .parents", "canine and domestic animal").await;
    page.shows("#graph .centre", "dog").await;
    // Folded steps open, and the address says so.
    page.shows("#graph .fold", "steps").await;
    page.click("#graph .fold").await;
    page.shows("#graph .above", "carnivore").await;
    page.is_at("all=1").await;
    // An ancestor lights its bits, a bit its ancestor.
    let hover = "document.querySelector(arguments[0]).dispatchEvent(new Event('pointerenter'))";
    page.run(hover, vec![json!("#graph .above")]).await;
    page.until("bits are lit", "return !!document.querySelector('.bits.lit')", vec![]).await;
    page.run(hover, vec![json!("#bits button.bit.on")]).await;
    page.shows("#tip", "Bit ").await;
    let boxes = "return !!document.querySelector('.node.light, .group.light')";
    page.until("its ancestor is lit", boxes, vec![]).await;
    // All children can be reached, and found by name.
    page.visit("/#/concept/GO:0000000?model=ids").await;
    page.shows(".pager", "1 to 24 of 100 children").await;
    page.click("[aria-label='More children']").await;
    page.shows(".pager", "25 to 48 of 100 children").await;
    page.is_at("from=24").await;
    page.keys("#children-filter", "0042").await;
    page.shows(".pager", "1 of 100 children called").await;
    page.shows("#graph .below", "GO:0000042").await;
    page.browser.refresh().await.unwrap();
    page.shows(".pager", "1 of 100 children called").await;
    // The picture can be saved.
    page.run(SAVED, vec![]).await;
    page.click("#graph .save button").await;
    page.until("an SVG file", "return saved.includes('image/svg+xml')", vec![]).await;
    page.click("#graph .save button:last-child").await;
    page.until("a PNG file", "return saved.includes('image/png')", vec![]).await;
}

/// Notes the kinds of files that the page hands out.
const SAVED: &str = "window.saved = []; const made = URL.createObjectURL; \
    URL.createObjectURL = (blob) => { saved.push(blob.type); return made(blob); }";

pub(crate) async fn asks(page: &Page) {
    page.visit("/#/is-a").await;
    page.choose("#isa-child", "puppy", "puppy.n.01").await;
    page.choose("#isa-parent", "canine", "canine.n.02").await;
    page.shows("#isa-answer .verdict", "Yes. puppy is a kind of canine.").await;
    page.shows("#isa-answer .chain", "dog").await;
    page.is_at("#/is-a/puppy.n.01/canine.n.02").await;
    page.visit("/#/is-a/whale.n.02/fish.n.01").await;
    page.shows("#isa-answer .verdict", "No. whale is not a kind of fish.").await;
    page.shows("#isa-common", "vertebrate").await;
    page.shows("#isa-reason", "whale lacks").await;
    page.shows("#isa-answer .ways", "aquatic vertebrate").await;
    page.shows("#isa-answer .curl", "/v1/explain?child=whale.n.02&parent=fish.n.01").await;
    // Back and forward show what was there.
    page.turn("#/is-a/dog.n.01/animal.n.01").await;
    page.shows("#isa-answer .verdict", "Yes").await;
    page.browser.back().await.unwrap();
    page.shows("#isa-answer .verdict", "No. whale").await;
    // A word is understood, and its other senses are offered.
    page.visit("/#/is-a/cat/feline").await;
    page.shows("#isa-answer", "Yes").await;
    page.shows("#isa-answer .taken", "was taken for").await;
    page.click("#isa-answer .taken a").await;
    page.shows("#isa-answer .verdict", "kind of").await;
    page.is_at("/feline.n.01").await;
    // Tab leads from field to field, whatever is offered below the first.
    page.visit("/#/is-a").await;
    page.keys("#isa-child", "puppy").await;
    page.shows("[role=option]", "puppy").await;
    page.press_key(Key::Tab).await;
    assert_eq!(page.focused().await, "isa-parent");
}

/// A new page begins at its top; one that was there before is where it was.
pub(crate) async fn scrolls(page: &Page) {
    let is_at = "return Math.abs(scrollY - arguments[0]) < 2";
    page.visit("/#/concept/dog.n.01").await;
    page.shows("#similar .results", "n.0").await;
    page.run("scrollTo(0, 300)", vec![]).await;
    page.until("the page scrolled", is_at, vec![300.into()]).await;
    page.click("#similar .results a").await;
    page.is_at("#/concept/").await;
    page.until("the top of the new page", is_at, vec![0.into()]).await;
    page.shows("#similar .results", "n.0").await;
    page.browser.back().await.unwrap();
    page.shows("#concept h1", "dog").await;
    page.until("where the old page was", is_at, vec![300.into()]).await;
}

pub(crate) async fn combines(page: &Page) {
    page.visit("/#/combine").await;
    page.choose("#combine-add", "dog", "dog.n.01").await;
    page.shows(".chip", "dog").await;
    page.choose("#combine-add", "pup", "pup.n.01").await;
    page.shows("#meet", "puppy").await;
    page.shows("#join", "animal").await;
    page.is_at("#/combine/dog.n.01/pup.n.01").await;
    page.visit("/#/combine/dog.n.01/bird.n.01").await;
    page.shows("#meet-none", "Nothing is").await;
    // Words become concepts, in the chips and in the address.
    page.visit("/#/combine/puppy/cat").await;
    page.shows(".chip", "puppy.n.01").await;
    page.is_at("#/combine/puppy.n.01/cat.n.01").await;
    page.visit("/#/combine/dog.n.01/bird.n.01").await;
    page.shows("#meet-none", "Nothing is").await;
    page.click(".chip button").await;
    page.is_at("#/combine/bird.n.01").await;
    page.keys("#expression", &format!("dog & (pup | kitten){}", enter())).await;
    page.shows("#expression-count", "at or below it").await;
    page.is_at("x=dog").await;
    page.run(SAVED, vec![]).await;
    page.click("#expression-answer .actions button:nth-child(2)").await;
    page.until("a JSON file", "return saved.includes('application/json')", vec![]).await;
    page.click("#expression-answer .actions button:nth-child(3)").await;
    page.until("a CSV file", "return saved.includes('text/csv')", vec![]).await;
    page.visit("/#/combine?x=dog %26 cat").await;
    page.shows("#expression-count", "Nothing is that").await;
    page.visit("/#/combine?x=dog %26").await;
    page.shows("#expression-answer .error", "").await;
}

pub(crate) async fn adds(page: &Page) {
    page.visit("/#/new").await;
    page.keys("#new-name", "labradoodle").await;
    page.choose("#new-parent", "poodle", "poodle.n.01").await;
    page.choose("#new-parent", "Labrador retriever", "labrador_retriever.n.01").await;
    page.click("#fresh button[type=submit]").await;
    page.shows("#new-answer", "labradoodle would be a kind of").await;
    page.shows("#new-answer", "Its code").await;
    page.is_at("name=labradoodle&parent=poodle.n.01&parent=labrador_retriever.n.01").await;
    // A parent counts that was typed and not chosen.
    page.visit("/#/new?name=robot+dog").await;
    page.keys("#new-parent", "dog").await;
    page.shows("[role=option]", "dog").await;
    page.press_key(Key::Escape).await;
    page.click("#fresh button[type=submit]").await;
    page.shows("#new-answer", "robot dog would be a kind of").await;
    page.visit("/#/new?name=young+dog&x=dog+%26+young_mammal").await;
    page.shows("#new-answer", "and above").await;
    page.visit("/#/new?name=dog.n.01&parent=cat.n.01").await;
    page.shows("#new-answer .error", "there is a concept of that name already").await;
}

pub(crate) async fn uses_only_the_keyboard(page: &Page) {
    page.visit("/#/concept/dog.n.01").await;
    page.shows("#graph .centre", "dog").await;
    page.press("/").await;
    assert_eq!(page.focused().await, "search-input");
    page.press("canine").await;
    page.shows("[role=option]", "canine.n").await;
    page.press_key(Key::Down).await;
    page.press_key(Key::Up).await;
    page.press_key(Key::Enter).await;
    page.shows("#concept h1", "canine").await;
    page.shows("#graph .centre", "canine").await;
    page.tab_to("Bit ").await;
    let first = page.focused().await;
    page.press_key(Key::Right).await;
    assert_ne!(page.focused().await, first);
    page.shows("#tip", "Bit ").await;
    page.tab_to(" steps: ").await;
    page.press_key(Key::Enter).await;
    page.is_at("all=1").await;
    page.tab_to(", this concept, ").await;
    page.press_key(Key::Tab).await;
    page.press_key(Key::Enter).await;
    page.is_at("#/concept/").await;
}

pub(crate) async fn changes_the_model(page: &Page) {
    page.visit("/#/concept/X:0?model=odd").await;
    page.shows("#concept h1", "الحيوانات").await;
    page.shows("#graph .below", "כלב").await;
    page.shows("footer", "odd: 6 concepts").await;
    page.visit("/#/concept/X:4?model=odd").await;
    page.shows("#concept h1", "<b>bold</b> & \"quoted\"").await;
    let script = "const model = document.querySelector('#model'); model.value = 'ids'; \
                  model.dispatchEvent(new Event('change'))";
    page.run(script, vec![]).await;
    page.shows("h1", "101 concepts").await;
    page.is_at("model=ids").await;
    page.browser.back().await.unwrap();
    page.shows("#concept h1", "<b>bold</b>").await;
}

/// Addresses that lead nowhere say so kindly.
pub(crate) async fn gets_lost(page: &Page) {
    for address in ["/#/concept/%E0%A4%A", "/#/no/such/view", "/#/?model=nobodys"] {
        page.visit(address).await;
        page.shows("#lost", "This link leads nowhere").await;
    }
    page.visit("/#/concept/nobody.n.01").await;
    page.shows("#concept .error", "no concept is named").await;
    page.visit("/#/map/nobody?at=a,b").await;
    page.shows(".about-cell", "Nothing here is called").await;
}

/// An answer that comes late does not replace what is asked for now, even if it cannot be stopped.
pub(crate) async fn is_overtaken(page: &Page) {
    page.visit("/#/is-a").await;
    page.shows("#isa h1", "kind of").await;
    let script = "const ask = window.fetch; window.late = 0; \
        window.fetch = async (path, options) => { \
          if (!String(path).includes('name=dog')) return ask(path, options); \
          const answer = await ask(path); \
          await new Promise((done) => setTimeout(done, 700)); \
          window.late++; return answer; }";
    page.run(script, vec![]).await;
    page.turn("#/concept/dog.n.01").await;
    page.settles().await;
    page.turn("#/concept/cat.n.01").await;
    page.shows("#concept h1", "cat").await;
    page.until("the late answer", "return window.late > 0", vec![]).await;
    page.settles().await;
    assert_eq!(page.text("#concept h1").await, "cat");
    assert_eq!(page.text("#graph .centre").await, "cat");
}

/// The page says when the server is gone, wherever one looks.
pub(crate) async fn loses_the_server(page: &Page, mut server: Running) {
    page.visit("/#/concept/dog.n.01").await;
    page.shows("#similar .results", "n.0").await;
    server.stop();
    page.keys("#search-input", "cat").await;
    page.shows("#search .note", "The server does not answer").await;
    page.turn("#/concept/cat.n.01").await;
    page.shows("#concept .error", "The server does not answer").await;
    page.shows("#concept .error button", "Try again").await;
    page.turn("#/map").await;
    page.shows("#view-map .error button", "Try again").await;
}
