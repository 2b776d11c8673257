use std::borrow::Cow;

use super::{Dag, Rows};
use crate::bits::Id;
use crate::memory::{self, Stage};

/// The largest closure that is kept in memory, in pairs. Each pair takes four bytes in each of two
/// lists, 1.6 GB in all. A lower memory limit keeps less.
const MAX_KEPT_PAIRS: u64 = 200_000_000;

/// Everything above and below each concept: kept in memory where the closure is small, and searched
/// for otherwise.
#[derive(Debug)]
pub(crate) struct Closure<'a> {
    dag: &'a Dag,
    /// Ancestors and descendants, ascending; the second is the first transposed.
    kept: Option<(Rows, Rows)>,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(dag: &'a Dag) -> Self {
        let fits = || memory::check(Stage::Closure, 2 * dag.closure_bytes()).is_ok();
        let kept = (dag.closure_len() <= MAX_KEPT_PAIRS && fits()).then(|| {
            let above = dag.closure();
            let below = above.transposed();
            (above, below)
        });
        Self { dag, kept }
    }

    /// Everything above a concept, ascending.
    pub(crate) fn above(&self, of: Id) -> Cow<'_, [Id]> {
        match &self.kept {
            Some((above, _)) => above.row(of).into(),
            None => self.dag.ancestors(of).into(),
        }
    }

    /// Everything below a concept, ascending.
    pub(crate) fn below(&self, of: Id) -> Cow<'_, [Id]> {
        match &self.kept {
            Some((_, below)) => below.row(of).into(),
            None => self.dag.descendants(of).into(),
        }
    }

    /// Whether `child` is strictly below `parent`.
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
