//! The children of a concept in columns, each joined to a trunk on its left.
//!
//! ```text
//!            dog
//!    ┌────────┴─┬──────────┐
//!    ├─ puppy   ├─ corgi   ├─ pug       Every line is drawn, and none crosses a box.
//!    └─ poodle  └─ spitz   └─ basenji
//! ```

use binder::Id;
use binder::query::Index;
use binder_answers::called;

use super::graph::{BOX, GAP, LAYER};

/// The narrowest column.
const NARROWEST: f64 = 190.0;
/// The widest box.
const WIDEST: f64 = 260.0;
/// The distance of boxes in a column, and from the trunk to a box.
const STEP: f64 = 38.0;
const TWIG: f64 = 16.0;

/// A child's box.
pub(super) struct Leaf {
    /// The middle of the box.
    pub(super) x: f64,
    pub(super) y: f64,
    /// The line from the concept to it, as an SVG path.
    pub(super) path: String,
}

/// The boxes of `count` children below a concept, and their width.
pub(super) fn place(count: usize, centre: (f64, f64), width: f64) -> (Vec<Leaf>, f64) {
    let fits = |&columns: &usize| columns as f64 * NARROWEST <= width;
    let columns = (1..=count).take_while(fits).last().unwrap_or(1);
    let column = width / columns as f64;
    let wide = (column - TWIG - GAP).min(WIDEST);
    let used = column.min(wide + TWIG + GAP) * columns as f64;
    let left = (centre.0 - used / 2.0).min(width - used).max(0.0);
    let (top, fork) = (centre.1 + LAYER, centre.1 + LAYER / 2.0 + 2.0);
    let leaf = |at: usize| {
        let trunk = left + (at % columns) as f64 * (used / columns as f64) + GAP / 2.0;
        let y = top + (at / columns) as f64 * STEP;
        let (from, edge) = (centre.1 + BOX / 2.0, trunk + TWIG);
        let path = format!("M{:.1} {from:.1}V{fork:.1}H{trunk:.1}V{y:.1}H{edge:.1}", centre.0);
        Leaf { x: edge + wide / 2.0, y, path }
    };
    ((0..count).map(leaf).collect(), wide)
}

/// The children whose name, label or synonym contains a text, whatever the case.
pub(super) fn matching(index: &Index, children: Vec<Id>, text: &str) -> Vec<Id> {
    let text = text.trim().to_lowercase();
    if text.is_empty() {
        return children;
    }
    let has = |candidate: &str| candidate.to_lowercase().contains(&text);
    let fits = |&id: &Id| {
        has(called(index, id))
            || has(index.name(id))
            || index.hierarchy().synonyms(id).any(|synonym| has(synonym.text))
    };
    children.into_iter().filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_stay_within_the_width_and_do_not_overlap() {
        for (count, width) in [(1, 300.0), (7, 360.0), (40, 900.0), (3, 1200.0)] {
            let (leaves, wide) = place(count, (width / 2.0, 100.0), width);
            assert_eq!(leaves.len(), count);
            for (at, a) in leaves.iter().enumerate() {
                assert!(a.x - wide / 2.0 >= 0.0 && a.x + wide / 2.0 <= width, "{count} {width}");
                for b in &leaves[at + 1..] {
                    let apart = (a.y - b.y).abs() >= BOX || (a.x - b.x).abs() >= wide;
                    assert!(apart, "{count} {width}");
                }
            }
        }
    }
}
