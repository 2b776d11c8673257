//! The page in a real headless browser: chromium, driven by chromedriver.
//!
//! `BINDER_SCREENSHOTS=FOLDER` takes pictures instead (`scripts/screenshots`), `BINDER_MODEL=FILE`
//! shows that model and measures the map, and `BINDER_AXE=FILE` checks every view with axe-core.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stderr, reason = "what was measured or left out is to be seen")]

#[path = "../common/mod.rs"]
mod common;
mod driver;
mod looks;
mod map;
mod models;
mod page;
mod visit;

use binder_server::Limits;
use common::{Running, start_with};
use driver::Driver;
use page::Page;

/// Lets a visitor loose on a server. Without a browser, the test says so and does nothing.
fn with_browser(visit: impl AsyncFnOnce(Page, Running)) {
    let Some(driver) = Driver::start() else {
        eprintln!("SKIPPED browser: no chromedriver; install chromium and chromium-driver");
        return;
    };
    let server = start_with(models::all(), Limits::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let page = Page::open(&driver, server.address).await;
        visit(page, server).await;
    });
}

/// Whether the tests of the page are to run: not where a model is only to be measured or drawn.
fn is_usual() -> bool {
    ["BINDER_MODEL", "BINDER_SCREENSHOTS"].iter().all(|name| std::env::var_os(name).is_none())
}

#[test]
fn a_visitor_finds_asks_combines_and_looks_around() {
    if !is_usual() {
        return;
    }
    with_browser(async |page, server| {
        visit::starts(&page).await;
        visit::searches(&page).await;
        visit::reads_a_concept(&page).await;
        visit::asks(&page).await;
        visit::scrolls(&page).await;
        visit::combines(&page).await;
        visit::adds(&page).await;
        visit::uses_only_the_keyboard(&page).await;
        visit::changes_the_model(&page).await;
        visit::gets_lost(&page).await;
        visit::is_overtaken(&page).await;
        map::moves_and_zooms(&page).await;
        map::is_where_the_address_says(&page).await;
        visit::loses_the_server(&page, server).await;
        page.close().await;
    });
}

#[test]
fn every_view_fits_every_width_in_both_themes() {
    if !is_usual() {
        return;
    }
    with_browser(async |page, _server| {
        looks::every_view(&page).await;
        page.close().await;
    });
}

#[test]
fn pictures_and_frames() {
    if is_usual() {
        return;
    }
    with_browser(async |page, _server| {
        match std::env::var_os("BINDER_SCREENSHOTS") {
            Some(folder) => looks::pictures(&page, std::path::Path::new(&folder)).await,
            None => map::frames(&page).await,
        }
        page.close().await;
    });
}
