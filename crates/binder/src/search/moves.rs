use std::borrow::Cow;

use crate::bits::Id;
use crate::graph::{Closure, Reach};

/// A bit that is set in a concept and everything below it, or cleared in a concept and everything
/// above it: the two moves that keep codes monotone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) concept: Id,
    pub(super) bit: usize,
    pub(super) set: bool,
}

impl Move {
    /// Where the bit changes with that of the concept, if it is not as wanted there already.
    pub(super) fn touched<'a>(&self, closure: &'a Closure<'_>) -> Cow<'a, [Id]> {
        if self.set { closure.below(self.concept) } else { closure.above(self.concept) }
    }

    /// The same, the concept first, by a search of the graph.
    pub(super) fn reached<'a>(&self, reach: &'a mut Reach<'_>) -> &'a [Id] {
        if self.set {
            reach.below(self.concept)
        } else {
            reach.above(self.concept)
        };
        reach.order()
    }
}
