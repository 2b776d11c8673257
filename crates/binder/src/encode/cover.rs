//! Builds new columns against listed false pairs. Each column is a set closed under children that
//! separates as many of the pairs as possible.

use rayon::prelude::*;

use crate::bits::{Id, id};
use crate::graph::{Closure, Rows};
use crate::search::Pair;

/// A column under construction: the concepts in it, and the pairs it should separate.
struct Column<'a> {
    closure: &'a Closure<'a>,
    /// For each parent, the children in its false pairs.
    children: Rows,
    /// For each child, the parents in its false pairs.
    parents: Rows,
    /// Whether each concept is in the column. Always closed under children.
    inside: Vec<bool>,
}

/// A mark for each concept. Increasing `current` clears all marks at once.
#[derive(Clone)]
struct Marks {
    /// A concept is marked when its number equals `current`.
    marks: Vec<u32>,
    current: u32,
}

impl Marks {
    fn new(len: usize) -> Self {
        Self { marks: vec![0; len], current: 0 }
    }
}

/// Builds a column that separates many of `pairs`, and removes those from the list.
///
/// Parents are added one by one with everything below them, those with the largest gain first. A
/// parent is added if the column then separates more pairs than before; a pair is lost when its
/// child is added too. A second round adds parents that gain only after the first.
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
                column.add(y);
            }
        }
    }
    pairs.retain(|&(child, parent)| {
        !column.inside[parent as usize] || column.inside[child as usize]
    });
    column.inside
}

impl Column<'_> {
    /// How many more pairs are separated after `parent` and everything below it are added.
    fn gain(&self, parent: Id, marks: &mut Marks) -> i64 {
        marks.current += 1;
        let below = self.closure.below(parent);
        let added = || below.iter().copied().chain([parent]).filter(|&z| !self.inside[z as usize]);
        added().for_each(|z| marks.marks[z as usize] = marks.current);
        let mut gain = 0;
        for z in added() {
            let outside =
                |&&x: &&Id| !self.inside[x as usize] && marks.marks[x as usize] != marks.current;
            gain += self.children.row(z).iter().filter(outside).count().cast_signed();
            let lost = self.parents.row(z).iter().filter(|&&y| self.inside[y as usize]).count();
            gain -= lost.cast_signed();
        }
        gain as i64
    }

    /// Adds a parent and everything below it.
    fn add(&mut self, parent: Id) {
        self.inside[parent as usize] = true;
        self.closure.below(parent).iter().for_each(|&z| self.inside[z as usize] = true);
    }
}
