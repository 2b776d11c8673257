//! The map.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::page::Page;

const FOCUS: &str = "document.querySelector('.stage canvas').focus()";

pub(crate) async fn moves_and_zooms(page: &Page) {
    page.visit("/#/map").await;
    page.shows("#map-hint", "4,017 concepts").await;
    page.settles().await;
    fills_its_area(page).await;
    page.run(FOCUS, vec![]).await;
    page.press_key(Key::Down).await;
    page.press_key(Key::Right).await;
    page.press_key(Key::Enter).await;
    page.is_at(".n.").await;
    page.settles().await;
    fills_its_area(page).await;
    page.press("o").await;
    page.shows("#concept h1", "").await;
    page.browser.back().await.unwrap();
    page.shows(".crumbs", "everything").await;
    // From a concept to the map, and what a search finds.
    page.visit("/#/concept/dog.n.01").await;
    page.shows("#concept .actions", "Show on map").await;
    page.click("#concept .actions a:nth-child(4)").await;
    page.shows(".crumbs", "dog").await;
    page.shows(".about-cell", "a member of the genus Canis").await;
    page.choose("#map-search", "tabby", "tabby.n.01").await;
    page.shows(".crumbs", "tabby").await;
    page.run(FOCUS, vec![]).await;
    page.press("+").await;
    page.press("-").await;
    page.press_key(Key::Escape).await;
    page.shows(".crumbs", "domestic cat").await;
    page.press_key(Key::Home).await;
    page.is_at("#/map").await;
    double_click_opens(page).await;
}

/// The first click moves the map, but what was under it is what opens.
async fn double_click_opens(page: &Page) {
    page.visit("/#/map").await;
    page.settles().await;
    let script = "const canvas = document.querySelector('.stage canvas'); \
        const box = canvas.getBoundingClientRect(); \
        const at = { bubbles: true, pointerId: 1, isPrimary: true, clientX: box.left + box.width / 2, \
                     clientY: box.top + 5 }; \
        canvas.setPointerCapture = () => {}; \
        for (let click = 0; click < 2; click++) for (const kind of ['pointerdown', 'pointerup']) \
        canvas.dispatchEvent(new PointerEvent(kind, at))";
    page.run(script, vec![]).await;
    page.shows("#concept h1", "animal").await;
}

/// Every pixel of the map shows something: none has the colour of the card behind it.
async fn fills_its_area(page: &Page) {
    let script = "const canvas = document.querySelector('.stage canvas'); \
        const { data } = canvas.getContext('2d').getImageData(0, canvas.height - 8, canvas.width, 1); \
        let empty = 0; for (let at = 0; at < data.length; at += 4) \
        if (data[at + 3] === 0 || (data[at] > 250 && data[at + 1] > 250 && data[at + 2] > 250)) empty++; \
        return empty / canvas.width";
    let empty = page.run(script, vec![]).await.as_f64().unwrap();
    assert!(empty < 0.35, "{empty} of the last row is empty");
}

/// The place is in the address: a reload shows it again, and another theme keeps it.
pub(crate) async fn is_where_the_address_says(page: &Page) {
    page.visit("/#/map/dog.n.01?at=100,900.5,2").await;
    page.shows(".crumbs", "dog").await;
    page.settles().await;
    let zoom = "document.querySelector('.stage canvas').dispatchEvent( \
        new WheelEvent('wheel', { deltaY: -120, cancelable: true }))";
    page.run(zoom, vec![]).await;
    page.until("the place moves", "return !location.hash.includes('900.5')", vec![]).await;
    let (place, pixels) = (page.hash().await, picture(page).await);
    page.browser.refresh().await.unwrap();
    page.shows(".crumbs", "dog").await;
    page.settles().await;
    assert_eq!((page.hash().await, picture(page).await), (place.clone(), pixels));
    page.click("#theme").await;
    page.settles().await;
    assert_eq!(page.hash().await, place);
    page.click("#theme").await;
}

/// The middle line of the map, as numbers.
async fn picture(page: &Page) -> Value {
    page.settles().await;
    let script = "const canvas = document.querySelector('.stage canvas'); \
        return [...canvas.getContext('2d').getImageData(0, 100, 400, 1).data].join()";
    page.run(script, vec![]).await
}

/// Measures frames of the map while it is zoomed and moved.
pub(crate) async fn frames(page: &Page) {
    page.visit("/#/map").await;
    page.shows("#map-hint", "concepts").await;
    page.settles().await;
    let script = "const done = arguments[1]; const canvas = document.querySelector('.stage canvas'); \
        (async () => { const times = []; let last = performance.now(); \
        for (let at = 0; at < 240; at++) { \
          const turn = Math.floor(at / 40) % 2 ? 60 : -60; \
          canvas.dispatchEvent(new WheelEvent('wheel', \
            { [arguments[0]]: turn, clientX: 400 + at, clientY: 400, cancelable: true })); \
          await new Promise(requestAnimationFrame); \
          times.push(performance.now() - last); last = performance.now(); } \
        times.sort((a, b) => a - b); done([times[120], times[228]]); })()";
    let concepts = page.text("#map-hint").await;
    for (kind, wheel) in [("zooming", "deltaY"), ("moving", "deltaX")] {
        let times = page.run_async(script, vec![json!(wheel)]).await;
        let time = |at: usize| times[at].as_f64().unwrap();
        let (median, high) = (time(0), time(1));
        eprintln!("{concepts}: {kind}: median {median:.1} ms, 95 % within {high:.1} ms");
    }
}
