//! What a visitor does with a page, and what can be seen on it.

use std::time::{Duration, Instant};

use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::driver::{ConsoleLog, Driver};

/// How long something may take to appear on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with the page open.
pub(crate) struct Page {
    pub(crate) browser: Client,
    base: String,
}

impl Page {
    pub(crate) async fn open(driver: &Driver, address: std::net::SocketAddr) -> Self {
        let browser = driver.browser().await;
        browser.set_window_size(1400, 1000).await.unwrap();
        Self { browser, base: format!("http://{address}") }
    }

    /// Goes to an address of the page, as one who was sent it: nothing stays of what was shown.
    pub(crate) async fn visit(&self, address: &str) {
        self.browser.goto("about:blank").await.unwrap();
        self.browser.goto(&format!("{}{address}", self.base)).await.unwrap();
    }

    /// Goes to another view, as by a link.
    pub(crate) async fn turn(&self, hash: &str) {
        self.run("location.hash = arguments[0]", vec![json!(hash)]).await;
    }

    pub(crate) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.browser.execute(script, arguments).await.unwrap()
    }

    /// Runs a script that calls its last argument when it has finished.
    pub(crate) async fn run_async(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.browser.execute_async(script, arguments).await.unwrap()
    }

    /// What is behind the # of the address.
    pub(crate) async fn hash(&self) -> String {
        let hash = self.run("return decodeURIComponent(location.hash)", vec![]).await;
        hash.as_str().unwrap_or_default().to_owned()
    }

    /// The text of the first element that is shown.
    pub(crate) async fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
        self.run(script, vec![json!(css)]).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a script returns true.
    pub(crate) async fn until(&self, what: &str, script: &str, arguments: Vec<Value>) {
        let begun = Instant::now();
        while self.run(script, arguments.clone()).await != json!(true) {
            if begun.elapsed() > PATIENCE {
                let seen = self.text("main").await;
                panic!("never: {what}; at {}: {seen}", self.hash().await);
            }
        }
    }

    /// Waits until an element that is shown has a text.
    pub(crate) async fn shows(&self, css: &str, text: &str) {
        let script = "return [...document.querySelectorAll(arguments[0])].some((one) => \
                      one.checkVisibility() && one.textContent.includes(arguments[1]))";
        self.until(&format!("{css} shows {text:?}"), script, vec![json!(css), json!(text)]).await;
    }

    /// Waits until the address has a part.
    pub(crate) async fn is_at(&self, part: &str) {
        let script = "return decodeURIComponent(location.hash).includes(arguments[0])";
        self.until(&format!("the address has {part:?}"), script, vec![json!(part)]).await;
    }

    pub(crate) async fn keys(&self, css: &str, keys: &str) {
        self.browser.find(Locator::Css(css)).await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Types into a field that completes names, waits for a concept, and takes the first.
    pub(crate) async fn choose(&self, css: &str, text: &str, first: &str) {
        self.keys(css, text).await;
        self.shows("[role=option]", first).await;
        self.keys(css, &enter()).await;
    }

    /// Sends keys to the focused element.
    pub(crate) async fn press(&self, keys: &str) {
        self.browser.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    pub(crate) async fn press_key(&self, key: Key) {
        self.press(&char::from(key).to_string()).await;
    }

    pub(crate) async fn click(&self, css: &str) {
        self.browser.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    }

    pub(crate) async fn focused(&self) -> String {
        let script = "const one = document.activeElement; \
                      return one.getAttribute('aria-label') ?? (one.id || one.textContent)";
        self.run(script, vec![]).await.as_str().unwrap_or_default().to_owned()
    }

    /// Presses Tab until the focus is on something whose name has a text.
    pub(crate) async fn tab_to(&self, wanted: &str) {
        for _ in 0..80 {
            if self.focused().await.contains(wanted) {
                return;
            }
            self.press_key(Key::Tab).await;
        }
        panic!("Tab never reached {wanted:?}");
    }

    /// Waits until everything is painted.
    pub(crate) async fn settles(&self) {
        let frames = "const done = arguments[0]; requestAnimationFrame(() => \
                      requestAnimationFrame(() => setTimeout(done, 400)))";
        self.run_async(frames, vec![]).await;
    }

    pub(crate) async fn wears(&self, theme: &str) {
        self.run("localStorage.setItem('theme', arguments[0])", vec![json!(theme)]).await;
    }

    /// Checks that no script failed and nothing was blocked. What is refused and a server that
    /// is gone leave lines in the log.
    pub(crate) async fn is_quiet(&self) {
        let log = self.browser.issue_cmd(ConsoleLog).await.unwrap();
        let expected = ["404 (Not Found)", "400 (Bad Request)", "ERR_CONNECTION"];
        let bad = |entry: &&Value| {
            let message = entry["message"].as_str().unwrap_or_default();
            !expected.iter().any(|one| message.contains(one))
        };
        let bad: Vec<&Value> = log.as_array().unwrap().iter().filter(bad).collect();
        assert!(bad.is_empty(), "{bad:?}");
    }

    pub(crate) async fn close(self) {
        self.is_quiet().await;
        self.browser.close().await.unwrap();
    }
}

/// The key Enter, to be sent after a text.
pub(crate) fn enter() -> String {
    char::from(Key::Enter).to_string()
}
