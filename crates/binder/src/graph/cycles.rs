use super::Rows;
use crate::bits::{Id, id};

/// Finds one cycle, child before parent. `stuck` marks the concepts that have no place in a
/// topological order: those on or below a cycle. Every stuck concept has a stuck parent, so walking
/// up must reach a concept for the second time.
pub(crate) fn find_cycle(parents: &Rows, stuck: &[bool]) -> Vec<Id> {
    let Some(start) = stuck.iter().position(|&s| s) else { return Vec::new() };
    let mut step_of = vec![usize::MAX; parents.len()];
    let mut path = Vec::new();
    let mut here = id(start);
    while step_of[here as usize] == usize::MAX {
        step_of[here as usize] = path.len();
        path.push(here);
        let up = parents.row(here).iter().find(|&&parent| stuck[parent as usize]);
        here = *up.expect("a stuck concept has a stuck parent");
    }
    path.split_off(step_of[here as usize])
}

/// For each concept the smallest id in its strongly connected component (Tarjan 1972, without
/// recursion).
///
/// `low[c]` is the visiting time of the earliest open concept that is reachable from `c`. A concept
/// whose `low` is its own time completes a component: it and everything above it on the `open`
/// stack.
pub(crate) fn components(children: &Rows) -> Vec<Id> {
    let mut search = Tarjan::new(children.len());
    for start in 0..id(children.len()) {
        if search.visited_at[start as usize] == UNSEEN {
            search.from(start, children);
        }
    }
    search.component
}

/// The visiting time of a concept that was not visited yet.
const UNSEEN: u32 = u32::MAX;

/// The state of the algorithm.
struct Tarjan {
    /// When each concept was first visited, or [`UNSEEN`].
    visited_at: Vec<u32>,
    /// See [`components`].
    low: Vec<u32>,
    /// Smallest id of the component, or `Id::MAX` while the concept is open or unseen.
    component: Vec<Id>,
    /// Visited concepts whose component is not complete, in the order of their visits.
    open: Vec<Id>,
    /// The path down to the current concept, each with the number of its children already visited.
    path: Vec<(Id, usize)>,
    /// The next visiting time.
    clock: u32,
}

impl Tarjan {
    fn new(concepts: usize) -> Self {
        Self {
            visited_at: vec![UNSEEN; concepts],
            low: vec![0; concepts],
            component: vec![Id::MAX; concepts],
            open: Vec::new(),
            path: Vec::new(),
            clock: 0,
        }
    }

    fn from(&mut self, start: Id, children: &Rows) {
        self.enter(start);
        while let Some((here, seen)) = self.path.last_mut() {
            let (here, next) = (*here, children.row(*here).get(*seen));
            *seen += 1;
            match next {
                Some(&child) if self.visited_at[child as usize] == UNSEEN => self.enter(child),
                Some(&child) if self.component[child as usize] == Id::MAX => {
                    self.low[here as usize] =
                        self.low[here as usize].min(self.visited_at[child as usize]);
                }
                Some(_) => {}
                None => self.leave(here),
            }
        }
    }

    fn enter(&mut self, concept: Id) {
        self.visited_at[concept as usize] = self.clock;
        self.low[concept as usize] = self.clock;
        self.clock += 1;
        self.open.push(concept);
        self.path.push((concept, 0));
    }

    fn leave(&mut self, concept: Id) {
        self.path.pop();
        let low = self.low[concept as usize];
        if let Some(&(above, _)) = self.path.last() {
            self.low[above as usize] = self.low[above as usize].min(low);
        }
        if low == self.visited_at[concept as usize] {
            let first = self
                .open
                .iter()
                .rposition(|&open| open == concept)
                .expect("a visited concept is open");
            let members = self.open.split_off(first);
            let smallest = members.iter().copied().min().unwrap_or(concept);
            members.into_iter().for_each(|member| self.component[member as usize] = smallest);
        }
    }
}
