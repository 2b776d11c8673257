use std::borrow::Cow;

use crate::hierarchy::{Hierarchy, Id, Rows};

/// The largest closure that is kept in memory, in pairs: two lists of four bytes each.
const MOST_KEPT: u64 = 200_000_000;

/// Everything above and below each concept: kept where the closure is small, walked for otherwise.
#[derive(Debug)]
pub(super) struct Relatives<'a> {
    hierarchy: &'a Hierarchy,
    /// Ancestors and descendants, ascending.
    kept: Option<(Rows, Rows)>,
}

impl<'a> Relatives<'a> {
    pub(super) fn new(hierarchy: &'a Hierarchy) -> Self {
        let kept = (hierarchy.closure_len() <= MOST_KEPT).then(|| {
            let above = hierarchy.closure();
            let below = above.transposed();
            (above, below)
        });
        Self { hierarchy, kept }
    }

    /// Everything above, ascending.
    pub(super) fn above(&self, of: Id) -> Cow<'_, [Id]> {
        match &self.kept {
            Some((above, _)) => above.row(of).into(),
            None => self.hierarchy.ancestors(of).into(),
        }
    }

    /// Everything below, ascending.
    pub(super) fn below(&self, of: Id) -> Cow<'_, [Id]> {
        match &self.kept {
            Some((_, below)) => below.row(of).into(),
            None => self.hierarchy.descendants(of).into(),
        }
    }

    /// Whether `child` is truly below `parent`.
    pub(super) fn is_a(&self, child: Id, parent: Id) -> bool {
        match &self.kept {
            Some((above, _)) => above.row(child).binary_search(&parent).is_ok(),
            None => self.hierarchy.is_a(child, parent),
        }
    }

    pub(super) fn hierarchy(&self) -> &'a Hierarchy {
        self.hierarchy
    }
}
