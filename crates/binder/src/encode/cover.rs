//! New columns against listed false pairs: each a set closed under children that separates as many
//! as it can.

use rayon::prelude::*;

use crate::bits::{Id, id};
use crate::graph::{Closure, Rows};
use crate::search::Pair;

/// A column to be: who is in it, and the pairs it is to separate.
struct Column<'a> {
    closure: &'a Closure<'a>,
    /// For each parent the children of its false pairs, and the other way round.
    children: Rows,
    parents: Rows,
    /// Closed under children.
    inside: Vec<bool>,
}

/// A mark for each concept that is unset by raising the number.
#[derive(Clone)]
struct Marks {
    marks: Vec<u32>,
    now: u32,
}

impl Marks {
    fn new(len: usize) -> Self {
        Self { marks: vec![0; len], now: 0 }
    }
}

/// A column that separates many of `pairs`, and takes those out.
///
/// Parents are taken up one by one with everything below them, those that gain most first, for as
/// long as one gains more pairs than it loses; a pair is lost when its child gets in as well. A
/// second round takes what the first has left possible.
pub(super) fn separating_column(pairs: &mut Vec<Pair>, closure: &Closure<'_>) -> Vec<bool> {
    let n = closure.dag().concepts();
    let children = Rows::from_pairs(n, pairs.iter().map(|&(child, parent)| (parent, child)));
    let parents = Rows::from_pairs(n, pairs.iter().copied());
    let mut column = Column { closure, children, parents, inside: vec![false; n] };
    let candidates: Vec<Id> = (0..id(n)).filter(|&y| !column.children.row(y).is_empty()).collect();
    let mut ranked: Vec<(i64, Id)> = candidates
        .into_par_iter()
        .map_init(|| Marks::new(n), |marks, y| (-column.gain(y, marks), y))
        .filter(|&(loss, _)| loss < 0)
        .collect();
    ranked.par_sort_unstable();
    let mut marks = Marks::new(n);
    for _ in 0..2 {
        for &(_, y) in &ranked {
            if !column.inside[y as usize] && column.gain(y, &mut marks) > 0 {
                column.take(y);
            }
        }
    }
    pairs.retain(|&(child, parent)| {
        !column.inside[parent as usize] || column.inside[child as usize]
    });
    column.inside
}

impl Column<'_> {
    /// How many more pairs are separated once `parent` and everything below it are in.
    fn gain(&self, parent: Id, marks: &mut Marks) -> i64 {
        marks.now += 1;
        let below = self.closure.below(parent);
        let news = || below.iter().copied().chain([parent]).filter(|&z| !self.inside[z as usize]);
        news().for_each(|z| marks.marks[z as usize] = marks.now);
        let mut gain = 0;
        for z in news() {
            let out = |&&x: &&Id| !self.inside[x as usize] && marks.marks[x as usize] != marks.now;
            gain += self.children.row(z).iter().filter(out).count().cast_signed();
            let lost = self.parents.row(z).iter().filter(|&&y| self.inside[y as usize]).count();
            gain -= lost.cast_signed();
        }
        gain as i64
    }

    fn take(&mut self, parent: Id) {
        self.inside[parent as usize] = true;
        self.closure.below(parent).iter().for_each(|&z| self.inside[z as usize] = true);
    }
}
