use std::ops::Range;

use super::{Columns, column};
use crate::bits::{Block, Id, ones};
use crate::codes::Codes;

/// Supersets that lie in more blocks than this are not kept. Below a concept with so many, a search
/// through the summaries is about as fast.
const MOST_BLOCKS: usize = 16;

impl Columns {
    /// The sum of [`count_supersets`](Self::count_supersets) over the codes of a range of concepts.
    ///
    /// If `y` has all bits of `p`, everything that has all bits of `y` has all bits of `p`. So the
    /// supersets of `y` are among those of `p`, and only the bits that `p` lacks are left to look
    /// at. `above` names such a `p`, usually a parent, with a lower id than `y`. If it lies in the
    /// range, its supersets are known already, and often they lie in one block. If it lies before
    /// the range, or if `y` lacks one of its bits, `y` is searched for like any code.
    ///
    /// ```text
    /// pet 100     supersets of pet    pet, cat, puppy
    /// cat 101     bit 2 is new        those of the three that have bit 2
    /// ```
    pub(crate) fn count_supersets_of_each(
        &self,
        codes: &Codes,
        concepts: Range<Id>,
        above: impl Fn(Id) -> Option<Id>,
    ) -> u64 {
        let (first, mut known, mut count) = (concepts.start, Known::default(), 0);
        let mut new = Vec::with_capacity(self.bits);
        for concept in concepts {
            let code = codes.row(concept);
            let base = above(concept).filter(|&p| (first..concept).contains(&p));
            let base = base.filter(|&p| codes.is_a(concept, p));
            let base = base.and_then(|p| Some((codes.row(p), known.of(p - first)?)));
            if let Some((fewer, sets)) = base {
                new.clear();
                for (at, (&bits, &less)) in code.iter().zip(fewer).enumerate() {
                    new.extend(ones(bits & !less).map(|bit| column(at * 64 + bit as usize)));
                }
                for set in sets {
                    let (block, rows) = known.sets[set];
                    known.add(block, rows & (self.kernels.all)(self.block(block), &new));
                }
            } else {
                self.below(&self.columns_in(code), |block, rows| known.add(block, rows));
            }
            count += known.end();
        }
        count
    }
}

/// The supersets of the concepts of a range, so far.
#[derive(Default)]
struct Known {
    /// The blocks that have supersets of a concept, and those supersets, one concept after the
    /// other.
    sets: Vec<(usize, Block)>,
    /// Where the sets of each concept lie; nothing where they would be too many.
    places: Vec<Option<Range<usize>>>,
    /// Where the sets of the next concept start.
    start: usize,
}

impl Known {
    /// Where the sets of the concept at a place of the range lie, if they are kept.
    fn of(&self, at: Id) -> Option<Range<usize>> {
        self.places[at as usize].clone()
    }

    /// Adds supersets of the next concept.
    fn add(&mut self, block: usize, rows: Block) {
        if !rows.is_empty() {
            self.sets.push((block, rows));
        }
    }

    /// Ends the sets of the next concept. Returns how many supersets they are.
    fn end(&mut self) -> u64 {
        let sets = self.start..self.sets.len();
        let count = self.sets[sets.clone()].iter().map(|(_, rows)| rows.count()).sum();
        let is_kept = sets.len() <= MOST_BLOCKS;
        if !is_kept {
            self.sets.truncate(self.start);
        }
        self.start = self.sets.len();
        self.places.push(is_kept.then_some(sets));
        count
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::id;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Most codes have the bits of an earlier one and a few more; some lack one of its bits, so
        /// that what is above them is not. The first codes have supersets in many blocks.
        #[test]
        fn known_supersets_give_the_same_count(
            steps in proptest::collection::vec((any::<u16>(), 0..64u32, 0..12u32), 1..12_000),
            start in 0..2_000usize,
        ) {
            let (mut words, mut above) = (vec![0u64], vec![None]);
            for (at, (parent, bit, kind)) in steps.into_iter().enumerate() {
                let near = at.saturating_sub(usize::from(parent) % 50);
                let p = if parent % 8 == 0 { usize::from(parent) % (at + 1) } else { near };
                let more = words[p] | 1 << bit;
                words.push(if kind == 0 { more & (more - 1) } else { more });
                above.push((kind != 1).then(|| id(p)));
            }
            let codes = Codes::from_words(64, words).unwrap();
            let columns = Columns::new(&codes);
            let range = id(start.min(codes.len()))..id(codes.len().min(start + 5_000));
            let wanted: u64 =
                range.clone().map(|concept| columns.count_supersets(codes.row(concept))).sum();
            let found =
                columns.count_supersets_of_each(&codes, range, |concept| above[concept as usize]);
            prop_assert_eq!(found, wanted);
        }
    }
}
