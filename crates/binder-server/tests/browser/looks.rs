//! How every view looks: at three widths, in both themes.

use std::path::Path;

use serde_json::{Value, json};

use crate::page::Page;

const WIDTHS: [(u32, u32); 3] = [(1400, 1000), (900, 1000), (400, 850)];

/// Every view, by what it shows when it is ready.
const VIEWS: [(&str, &str, &str); 12] = [
    ("/", "#examples", "kind of"),
    ("/#/concept/dog.n.01", "#similar .results", "n.0"),
    ("/#/concept/GO:0000000?model=ids", "#similar .results", "GO:"),
    ("/#/concept/X:2?model=odd", "#similar .results", "X:"),
    ("/#/concept/nobody", ".error", "no concept is named"),
    ("/#/is-a/dog.n.01/cat.n.01", "#isa-answer", "What the bits say"),
    ("/#/is-a/puppy.n.01/animal.n.01", "#isa-answer", "The way up"),
    ("/#/combine/dog.n.01/cat.n.01", "#lab", "Expression"),
    ("/#/combine?x=dog %26 pup", "#expression-answer", "at or below it"),
    ("/#/new?name=labradoodle&parent=dog.n.01", "#new-answer", "Its code"),
    ("/#/map/dog.n.01", ".crumbs", "dog"),
    ("/api", "summary", "/v1/is-a"),
];

/// Nothing is cut off or moves while it loads, and everybody can use it: axe-core finds no fault,
/// if `BINDER_AXE` names its script.
pub(crate) async fn every_view(page: &Page) {
    let axe = std::env::var_os("BINDER_AXE").map(|path| std::fs::read_to_string(path).unwrap());
    let mut worst = 0.0f64;
    for theme in ["light", "dark"] {
        for (width, height) in WIDTHS {
            page.browser.set_window_size(width, height).await.unwrap();
            page.visit("/").await;
            page.wears(theme).await;
            for (address, css, text) in VIEWS {
                page.visit(address).await;
                page.shows(css, text).await;
                page.settles().await;
                let view = format!("{address} at {width} pixels, {theme}");
                fits(page, &view).await;
                worst = worst.max(steady(page, &view).await);
                if let Some(axe) = &axe {
                    is_accessible(page, axe, &view).await;
                }
            }
        }
    }
    let checked = if axe.is_some() { "no violation found by axe-core" } else { "SKIPPED: axe" };
    eprintln!("{} views, {checked}; worst layout shift {worst:.3}", 6 * VIEWS.len());
}

/// Nothing is wider than the window.
async fn fits(page: &Page, view: &str) {
    let script = "const root = document.documentElement; \
                  return root.scrollWidth <= root.clientWidth";
    assert_eq!(page.run(script, vec![]).await, json!(true), "{view} is too wide");
}

/// How far things moved while they loaded.
async fn steady(page: &Page, view: &str) -> f64 {
    let script = "const done = arguments[0]; let sum = 0; \
        new PerformanceObserver((list) => { for (const one of list.getEntries()) \
        if (!one.hadRecentInput) sum += one.value; }) \
        .observe({ type: 'layout-shift', buffered: true }); setTimeout(() => done(sum), 50)";
    let shift = page.run_async(script, vec![]).await.as_f64().unwrap();
    assert!(shift < 0.1, "{view} moves while it loads: {shift}");
    shift
}

async fn is_accessible(page: &Page, axe: &str, view: &str) {
    page.run(axe, vec![]).await;
    let script = "const done = arguments[0]; \
        axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => \
        done(violations.map((one) => [one.id, one.nodes.map((node) => node.html).slice(0, 3)])))";
    let violations = page.run_async(script, vec![]).await;
    assert_eq!(violations, Value::Array(vec![]), "{view}");
}

/// Pictures of the views, for the documentation.
pub(crate) async fn pictures(page: &Page, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let views = [
        ("start", "/", "#examples", "kind of"),
        ("concept", "/#/concept/puppy.n.01", "#similar .results", "n.0"),
        ("is-a", "/#/is-a/whale.n.02/fish.n.01", "#isa-answer", "What the bits say"),
        ("combine", "/#/combine/piano.n.01/violin.n.01", "#lab", "Expression"),
        ("map", "/#/map/animal.n.01", ".crumbs", "animal"),
    ];
    for theme in ["light", "dark"] {
        for (width, height) in WIDTHS {
            page.browser.set_window_size(width, height).await.unwrap();
            page.visit("/").await;
            page.wears(theme).await;
            for (name, address, css, text) in views {
                page.visit(address).await;
                page.shows(css, text).await;
                page.settles().await;
                let file = folder.join(format!("{name}-{width}-{theme}.png"));
                std::fs::write(file, page.browser.screenshot().await.unwrap()).unwrap();
            }
        }
    }
}
