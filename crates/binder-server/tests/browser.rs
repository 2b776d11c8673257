//! The page in a real headless browser: chromium, driven by chromedriver.
//!
//! `BINDER_SCREENSHOTS=FOLDER` also takes screenshots at three widths and in both themes. With
//! `BINDER_MODEL=FILE`, they show that model.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use binder_server::Limits;
use common::{Running, start};
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// A driver that ends with the test.
struct Driver {
    process: Child,
    address: String,
}

impl Driver {
    /// Starts chromedriver on a free port; `None` if it is not installed.
    fn start() -> Option<Self> {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(process.stdout.take()?).lines();
        // "ChromeDriver was started successfully on port 40123."
        let port = lines.map_while(Result::ok).find_map(|line| {
            line.rsplit_once("successfully on port ")
                .and_then(|(_, port)| port.trim_end_matches('.').parse::<u16>().ok())
        })?;
        Some(Self { process, address: format!("http://127.0.0.1:{port}") })
    }

    async fn browser(&self) -> Client {
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1"],
        });
        let capabilities =
            json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let Value::Object(capabilities) = capabilities else { unreachable!() };
        ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&self.address)
            .await
            .unwrap()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the page wrote to the console.
#[derive(Debug)]
struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// A browser with the page open.
struct Page {
    browser: Client,
    base: String,
}

impl Page {
    async fn goto(&self, address: &str) {
        self.browser.goto(&format!("{}{address}", self.base)).await.unwrap();
    }

    /// Waits until an element has a text.
    async fn shows(&self, css: &str, text: &str) {
        let script = "return [...document.querySelectorAll(arguments[0])].some((one) => one.textContent.includes(arguments[1]))";
        for _ in 0..2_000 {
            if self.browser.execute(script, vec![json!(css), json!(text)]).await.unwrap()
                == json!(true)
            {
                return;
            }
        }
        let script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent).join(' | ')";
        let there = self.browser.execute(script, vec![json!(css)]).await.unwrap();
        panic!("{css} never showed {text:?}, but {there}");
    }

    async fn keys(&self, css: &str, keys: &str) {
        self.browser.find(Locator::Css(css)).await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Sends keys to the focused element.
    async fn press(&self, keys: &str) {
        self.browser.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    async fn click(&self, css: &str) {
        self.browser.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    }

    async fn focused(&self) -> String {
        let script =
            "return document.activeElement.getAttribute('aria-label') ?? document.activeElement.id";
        self.browser.execute(script, vec![]).await.unwrap().as_str().unwrap_or_default().to_owned()
    }

    /// Checks that no script failed and nothing was blocked. The page of an unknown concept may log
    /// a 404.
    async fn is_quiet(&self) {
        let log = self.browser.issue_cmd(ConsoleLog).await.unwrap();
        let bad = |entry: &&Value| {
            !entry["message"].as_str().unwrap_or_default().contains("404 (Not Found)")
        };
        let bad: Vec<&Value> = log.as_array().unwrap().iter().filter(bad).collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}

fn enter() -> String {
    char::from(Key::Enter).to_string()
}

/// Opens the page and reports how long it took until a concept was shown.
async fn opens(page: &Page) {
    page.goto("/").await;
    page.shows("#concept h1", "").await;
    let usable =
        page.browser.execute("return Math.round(performance.now())", vec![]).await.unwrap();
    let _ = writeln!(std::io::stderr(), "the page was usable after {usable} ms");
}

async fn search_and_open(page: &Page) {
    opens(page).await;
    page.keys("#search-input", "retreiver").await;
    page.shows("[role=option]", "retriever.n.01").await;
    page.keys("#search-input", &enter()).await;
    page.shows("#concept h1", "retriever.n.01").await;
    page.shows("#graph .centre", "retriever.n.01").await;
    page.shows("#graph .below", "golden_retriever.n.01").await;
    page.click("#graph .below").await;
    page.shows("#graph .centre", "retriever.n.01").await;
    page.goto("/#/concept/nobody.n.01").await;
    page.shows("#concept .error", "no concept is named").await;
}

async fn ask_is_a(page: &Page) {
    page.goto("/#/concept/dog.n.01").await;
    page.shows("#concept h1", "dog.n.01").await;
    page.keys("#isa-parent", "canine.n.02").await;
    page.shows("[role=option]", "canine.n.02").await;
    page.keys("#isa-parent", &enter()).await;
    page.shows("#isa-answer", "Yes").await;
    page.shows("#isa-answer .chain", "canine.n.02").await;
    page.browser
        .execute("document.querySelector('#isa-parent').value = 'bird.n.01'", vec![])
        .await
        .unwrap();
    page.click("#isa-ask").await;
    page.shows("#isa-answer", "No").await;
    page.shows("#isa-answer", "What both are").await;
}

async fn combine(page: &Page) {
    page.goto("/#/concept/dog.n.01").await;
    page.shows("#concept h1", "dog.n.01").await;
    page.click(".combine-add").await;
    page.keys("#combine-add", "pup.n.01").await;
    page.shows("[role=option]", "pup.n.01").await;
    page.keys("#combine-add", &enter()).await;
    page.shows("#combine-results", "puppy.n.01").await;
    page.keys("#combine-add", "bird.n.01").await;
    page.shows("[role=option]", "bird.n.01").await;
    page.keys("#combine-add", &enter()).await;
    page.shows("#meet-none", "Nothing is").await;
    page.click(".chip:last-child button").await;
    page.shows("#combine-results", "puppy.n.01").await;
}

async fn keyboard_only(page: &Page) {
    page.goto("/#/concept/dog.n.01").await;
    page.shows("#graph .centre", "dog.n.01").await;
    page.press("/").await;
    assert_eq!(page.focused().await, "search-input");
    page.press("canine").await;
    page.shows("[role=option]", "canine.n").await;
    page.press(&format!("{}{}", char::from(Key::Down), char::from(Key::Up))).await;
    page.press(&enter()).await;
    page.shows("#concept h1", "canine.n.").await;
    // From the search on, Tab reaches the bits and then the boxes of the drawing.
    for wanted in ["Bit ", ", this concept, "] {
        let mut steps = 0;
        while !page.focused().await.contains(wanted) {
            page.press(&char::from(Key::Tab).to_string()).await;
            steps += 1;
            assert!(steps < 60, "Tab never reached {wanted:?}");
        }
        if wanted == "Bit " {
            let first = page.focused().await;
            page.press(&char::from(Key::Right).to_string()).await;
            assert_ne!(page.focused().await, first);
            page.shows("#tip", "Bit ").await;
        }
    }
    page.press(&char::from(Key::Tab).to_string()).await;
    page.press(&enter()).await;
    page.shows("#concept h1", ".n.").await;
}

async fn map(page: &Page) {
    page.goto("/#/map").await;
    page.shows("#map-hint", "4,017 concepts").await;
    page.browser.execute("document.querySelector('canvas').focus()", vec![]).await.unwrap();
    page.press(&format!("{}{}", char::from(Key::Down), char::from(Key::Right))).await;
    page.press(&enter()).await;
    page.shows(".crumbs", ".n.0").await;
    page.press("o").await;
    page.shows("#concept h1", ".n.").await;
    page.goto("/#/map/dog.n.01").await;
    page.shows(".crumbs", "dog.n.01").await;
    page.goto("/api").await;
    page.shows("summary", "/v1/is-a").await;
}

/// Pictures of both views at three widths in both themes.
async fn pictures(page: &Page, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for theme in ["light", "dark"] {
        for (width, height) in [(1400, 1250), (900, 1250), (400, 1250)] {
            page.browser.set_window_size(width, height).await.unwrap();
            page.goto("/").await;
            page.browser
                .execute("localStorage.setItem('theme', arguments[0])", vec![json!(theme)])
                .await
                .unwrap();
            for (name, address, css) in [
                ("concept", "/#/concept/puppy.n.01", "#graph .centre"),
                ("map", "/#/map", "#map-hint"),
            ] {
                page.goto(address).await;
                page.browser.refresh().await.unwrap();
                page.shows(css, if name == "map" { "concepts, each" } else { ".n.01" }).await;
                if name == "concept" {
                    page.keys("#isa-parent", "cat.n.01").await;
                    page.shows("[role=option]", "cat.n.01").await;
                    page.keys("#isa-parent", &enter()).await;
                    page.shows("#isa-answer", "No").await;
                    page.browser
                        .execute("document.activeElement.blur(); scrollTo(0, 0)", vec![])
                        .await
                        .unwrap();
                }
                // Wait two frames, so that everything is painted.
                let frames = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300)))";
                page.browser.execute_async(frames, vec![]).await.unwrap();
                std::fs::write(
                    folder.join(format!("{name}-{width}-{theme}.png")),
                    page.browser.screenshot().await.unwrap(),
                )
                .unwrap();
            }
        }
    }
    page.browser.execute("localStorage.clear()", vec![]).await.unwrap();
}

async fn whole_visit(driver: &Driver, server: &Running) {
    let page = Page { browser: driver.browser().await, base: format!("http://{}", server.address) };
    page.browser.set_window_size(1400, 1000).await.unwrap();
    match std::env::var_os("BINDER_SCREENSHOTS") {
        Some(folder) => pictures(&page, Path::new(&folder)).await,
        // Another model has other concepts: only whether it opens can be seen.
        None if std::env::var_os("BINDER_MODEL").is_some() => opens(&page).await,
        None => {
            search_and_open(&page).await;
            ask_is_a(&page).await;
            combine(&page).await;
            keyboard_only(&page).await;
            map(&page).await;
        }
    }
    page.is_quiet().await;
    page.browser.close().await.unwrap();
}

#[test]
fn a_visitor_finds_asks_combines_and_looks_around() {
    let Some(driver) = Driver::start() else {
        // Written directly, because the test harness would capture it.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED browser: there is no chromedriver; install chromium and chromium-driver"
        );
        return;
    };
    let server = start(Limits::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(whole_visit(&driver, &server));
}
