use std::borrow::Cow;

use crate::bits::Id;
use crate::graph::{Closure, Reach};

/// Sets a bit in a concept and everything below it, or clears a bit in a concept and everything
/// above it. These are the two moves that keep codes monotone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) concept: Id,
    pub(super) bit: usize,
    pub(super) set: bool,
}

impl Move {
    /// The other concepts in which the move sets or clears the bit; in some it may be so already.
    pub(super) fn touched<'a>(&self, closure: &'a Closure<'_>) -> Cow<'a, [Id]> {
        if self.set { closure.below(self.concept) } else { closure.above(self.concept) }
    }

    /// The concept, then the other concepts in which the move sets or clears the bit; found by a
    /// walk over the graph.
    pub(super) fn reached<'a>(&self, reach: &'a mut Reach<'_>) -> &'a [Id] {
        if self.set {
            reach.below(self.concept)
        } else {
            reach.above(self.concept)
        };
        reach.order()
    }
}
