//! Hierarchies for property tests.

use proptest::prelude::*;

use super::Hierarchy;

/// Random hierarchies of at most 30 concepts.
pub(crate) fn hierarchies() -> impl Strategy<Value = Hierarchy> {
    proptest::collection::vec((0..30u32, 0..30u32), 1..70).prop_map(|pairs| {
        let pairs = pairs.into_iter().filter(|(a, b)| a != b);
        let named = pairs.map(|(a, b)| (format!("c{}", a.max(b)), format!("c{}", a.min(b))));
        Hierarchy::from_pairs(named).expect("no cycles")
    })
}
