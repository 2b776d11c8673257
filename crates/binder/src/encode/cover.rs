//! Builds new columns against listed false pairs. Each column is a set closed under children that
//! separates as many of the pairs as possible.
//!
//! Only the concepts that stand in a pair count. They are numbered, in the order of their ids, and
//! everything that is looked at again and again is kept by these numbers. A column changes little
//! of it: the pairs that it separates leave the lists of both concepts, and the parents above them
//! gain less than before. When half of the pairs have gone, the concepts are numbered anew.
//!
//! ```text
//!         animal             false pairs   (puppy, cat), (pet, dog)
//!        /      \            gains         dog 1, cat 1
//!     pet       dog          column        dog with puppy below it: separates (pet, dog); cat would
//!     /  \      /                          gain nothing now, since puppy is in the column
//!  cat    puppy              then          (puppy, cat) is left, cat gains 1, dog nothing
//! ```

use rayon::prelude::*;

use crate::bits::{Id, id};
use crate::graph::{Closure, Rows};
use crate::search::Pair;

/// False pairs to be separated by columns, one column after the other.
pub(super) struct Cover<'a> {
    closure: &'a Closure<'a>,
    pairs: Vec<Pair>,
    numbered: Numbered,
}

impl<'a> Cover<'a> {
    pub(super) fn new(pairs: Vec<Pair>, closure: &'a Closure<'a>) -> Self {
        let numbered = Numbered::new(&pairs, closure);
        Self { closure, pairs, numbered }
    }

    /// The pairs that are left.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(super) fn into_pairs(self) -> Vec<Pair> {
        self.pairs
    }

    /// Builds a column that separates many of the pairs, which then leave the list. Says for each
    /// concept whether it is in the column.
    ///
    /// Parents are added one by one with everything below them, those with the largest gain first.
    /// A parent is added if the column then separates more pairs than before; a pair is lost when
    /// its child is added too. A second round adds parents that gain only after the first.
    pub(super) fn column(&mut self) -> Vec<bool> {
        if 2 * self.pairs.len() < self.numbered.listed {
            self.numbered = Numbered::new(&self.pairs, self.closure);
        }
        let mut inside = vec![false; self.closure.dag().concepts()];
        for parent in self.numbered.column() {
            inside[parent as usize] = true;
            self.closure.below(parent).iter().for_each(|&z| inside[z as usize] = true);
        }
        self.pairs.retain(|&(child, parent)| !inside[parent as usize] || inside[child as usize]);
        inside
    }
}

/// The concepts that stood in a pair when they were numbered. All of them but those of
/// [`Numbered::concepts`] go by their numbers.
struct Numbered {
    /// How many pairs there were.
    listed: usize,
    concepts: Vec<Id>,
    /// For each concept, the parents of pairs that are above it, and itself if it is one; ascending.
    above: Rows,
    /// For each parent of a pair, which of the concepts are below it, and itself; nothing for the
    /// others.
    below: Rows,
    /// For each parent, the children in its false pairs that are left.
    children: Shrinking,
    /// For each child, the parents in its false pairs that are left.
    parents: Shrinking,
    /// For each parent, how many pairs a column of it and everything below it separates.
    gains: Vec<i64>,
    /// Whether each concept is in the column. Always closed under children.
    inside: Vec<bool>,
}

impl Numbered {
    fn new(pairs: &[Pair], closure: &Closure<'_>) -> Self {
        let n = closure.dag().concepts();
        let mut is_parent = vec![None; n];
        for &(child, parent) in pairs {
            is_parent[child as usize].get_or_insert(false);
            is_parent[parent as usize] = Some(true);
        }
        let concepts: Vec<Id> = (0..id(n)).filter(|&z| is_parent[z as usize].is_some()).collect();
        let mut numbers = vec![0; n];
        (0..).zip(&concepts).for_each(|(number, &z): (Id, _)| numbers[z as usize] = number);
        let above = rows_above(&concepts, closure, |y| {
            (is_parent[y as usize] == Some(true)).then(|| numbers[y as usize])
        });
        let number = |z: Id| numbers[z as usize];
        let numbered = || pairs.iter().map(|&(child, parent)| (number(child), number(parent)));
        let count = concepts.len();
        let mut numbered = Self {
            listed: pairs.len(),
            below: above.transposed(),
            above,
            children: Shrinking::new(count, numbered().map(|(x, y)| (y, x))),
            parents: Shrinking::new(count, numbered()),
            gains: Vec::new(),
            inside: vec![false; count],
            concepts,
        };
        let gain = |marks: &mut Marks, y: Id| numbered.gain(y, marks);
        let gains = (0..id(count)).into_par_iter().map_init(|| numbered.marks(), gain);
        numbered.gains = gains.collect();
        numbered
    }

    /// The parents that are added to a column with everything below them, by their ids. Pairs that
    /// it separates leave the lists.
    fn column(&mut self) -> Vec<Id> {
        let mut ranked: Vec<(i64, Id)> = self
            .gains
            .iter()
            .zip(0..)
            .filter(|&(gain, _)| *gain > 0)
            .map(|(g, y)| (-g, y))
            .collect();
        ranked.par_sort_unstable();
        self.inside.fill(false);
        let (mut marks, mut added) = (self.marks(), Vec::new());
        for _ in 0..2 {
            for &(_, y) in &ranked {
                if !self.inside[y as usize] && self.gain(y, &mut marks) > 0 {
                    self.below.row(y).iter().for_each(|&z| self.inside[z as usize] = true);
                    added.push(y);
                }
            }
        }
        self.drop_separated();
        added.iter().map(|&y| self.concepts[y as usize]).collect()
    }

    fn marks(&self) -> Marks {
        Marks { marks: vec![0; self.concepts.len()], current: 0 }
    }

    /// How many more pairs are separated after `parent` and everything below it are added.
    fn gain(&self, parent: Id, marks: &mut Marks) -> i64 {
        marks.current += 1;
        let added = || self.below.row(parent).iter().copied().filter(|&z| !self.inside[z as usize]);
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

    /// Takes the pairs that the column separates out of the lists and the gains.
    ///
    /// A pair (x, z) counts for the parents above z that are not above x.
    fn drop_separated(&mut self) {
        let Self { inside, above, children, parents, gains, .. } = self;
        let is_inside = |z: Id| inside[z as usize];
        let separating = (0..id(inside.len())).filter(|&z| is_inside(z));
        for z in separating {
            for &x in children.row(z).iter().filter(|&&x| !is_inside(x)) {
                without(above.row(z), above.row(x), |y| gains[y as usize] -= 1);
            }
            children.retain(z, is_inside);
        }
        let outside = (0..id(inside.len())).filter(|&x| !is_inside(x));
        outside.for_each(|x| parents.retain(x, |z| !is_inside(z)));
    }
}

/// For each concept, the numbers of what is above it and of itself, where they have one.
fn rows_above(
    concepts: &[Id],
    closure: &Closure<'_>,
    number: impl Fn(Id) -> Option<Id> + Sync,
) -> Rows {
    let above = |&z: &Id| -> Vec<Id> {
        closure.above(z).iter().chain([&z]).filter_map(|&y| number(y)).collect()
    };
    let above: Vec<Vec<Id>> = concepts.par_iter().map(above).collect();
    let mut rows = Rows::with_capacity(above.len(), above.iter().map(Vec::len).sum());
    above.into_iter().for_each(|row| rows.push(row));
    rows
}

/// Calls `each` with every item of one ascending list that is not in the other.
fn without(of: &[Id], others: &[Id], mut each: impl FnMut(Id)) {
    let mut others = others.iter().copied().peekable();
    for &item in of {
        while others.next_if(|&other| other < item).is_some() {}
        if others.peek() != Some(&item) {
            each(item);
        }
    }
}

/// A mark for each concept. Increasing `current` clears all marks at once.
struct Marks {
    /// A concept is marked when its number equals `current`.
    marks: Vec<u32>,
    current: u32,
}

/// Rows that only become shorter.
struct Shrinking {
    rows: Vec<std::ops::Range<usize>>,
    items: Vec<Id>,
}

impl Shrinking {
    fn new(rows: usize, pairs: impl Iterator<Item = (Id, Id)> + Clone) -> Self {
        let (rows, items) = Rows::from_pairs(rows, pairs).into_parts();
        Self { rows, items }
    }

    fn row(&self, of: Id) -> &[Id] {
        &self.items[self.rows[of as usize].clone()]
    }

    /// Keeps the items of one row that are wanted, in their order.
    fn retain(&mut self, of: Id, wanted: impl Fn(Id) -> bool) {
        let row = &mut self.rows[of as usize];
        let mut end = row.start;
        for at in row.clone() {
            if wanted(self.items[at]) {
                self.items[end] = self.items[at];
                end += 1;
            }
        }
        row.end = end;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hierarchy::testing::hierarchies;
    use crate::search::{critical_pairs, inherited_codes};

    proptest! {
        #[test]
        fn what_is_kept_up_to_date_is_what_would_be_counted_anew(
            hierarchy in hierarchies(), bits in 1..20usize, seed in any::<u64>()
        ) {
            let closure = Closure::new(hierarchy.dag());
            let codes = inherited_codes(hierarchy.dag(), bits, seed).unwrap();
            let pairs = critical_pairs(&codes, &closure, usize::MAX, &()).unwrap().pairs;
            let mut cover = Cover::new(pairs, &closure);
            while !cover.pairs().is_empty() {
                let mut anew = Cover::new(cover.pairs().to_vec(), &closure);
                for (y, &gain) in cover.numbered.concepts.iter().zip(&cover.numbered.gains) {
                    let at = anew.numbered.concepts.binary_search(y);
                    prop_assert_eq!(gain, at.map_or(0, |at| anew.numbered.gains[at]));
                }
                prop_assert_eq!(cover.column(), anew.column());
                prop_assert_eq!(cover.pairs(), anew.pairs());
            }
        }
    }
}
