use std::borrow::Cow;

use super::{Dag, Rows};
use crate::bits::Id;
use crate::memory;

/// The largest closure that is kept in memory, in pairs: two lists of four bytes each. A lower limit
/// on memory keeps less.
const MOST_KEPT: u64 = 200_000_000;

/// Everything above and below each concept: kept where the closure is small, searched for
/// otherwise.
#[derive(Debug)]
pub(crate) struct Closure<'a> {
    dag: &'a Dag,
    /// Ancestors and descendants, ascending.
    kept: Option<(Rows, Rows)>,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(dag: &'a Dag) -> Self {
        let fits = || memory::check("the closure", 2 * dag.closure_bytes()).is_ok();
        let kept = (dag.closure_len() <= MOST_KEPT && fits()).then(|| {
            let above = dag.closure();
            let below = above.transposed();
            (above, below)
        });
        Self { dag, kept }
    }

    /// Everything above, ascending.
    pub(crate) fn above(&self, of: Id) -> Cow<'_, [Id]> {
        match &self.kept {
            Some((above, _)) => above.row(of).into(),
            None => self.dag.ancestors(of).into(),
        }
    }

    /// Everything below, ascending.
    pub(crate) fn below(&self, of: Id) -> Cow<'_, [Id]> {
        match &self.kept {
            Some((_, below)) => below.row(of).into(),
            None => self.dag.descendants(of).into(),
        }
    }

    /// Whether `child` is truly below `parent`.
    pub(crate) fn is_below(&self, child: Id, parent: Id) -> bool {
        match &self.kept {
            Some((above, _)) => above.row(child).binary_search(&parent).is_ok(),
            None => self.dag.is_below(child, parent),
        }
    }

    /// The direct pairs.
    pub(crate) fn dag(&self) -> &'a Dag {
        self.dag
    }
}
