use super::pair_search::{each_one, each_zero};
use crate::bits::Id;
use crate::codes::Codes;

/// Codes that should stay as they were, while a search changes others.
///
/// ```text
///         was  is                      to flip a bit of it
/// cat     101  101   as it was         costs `weight`, whichever bit it is
/// dog     010  011   one bit apart     gives `weight` back, if it is bit 2
/// puppy   110  001   further apart     costs nothing
/// ```
#[derive(Debug)]
pub(super) struct Kept {
    /// The codes of all concepts as they were.
    codes: Codes,
    /// For each concept, the number of bits in which its code differs from that; `None` where it
    /// may differ.
    apart: Vec<Option<u32>>,
    /// What it costs to change a code that is as it was, in broken pairs.
    weight: i32,
}

impl Kept {
    /// `were` are the codes as they were, `now` those that a search starts from. Concepts that are
    /// `free` may change.
    pub(super) fn new(were: Codes, now: &Codes, free: &[bool], weight: i32) -> Self {
        let apart = |(was, is): (&[u64], &[u64])| {
            was.iter().zip(is).map(|(was, is)| (was ^ is).count_ones()).sum()
        };
        let rows = were.rows().zip(now.rows()).zip(free);
        let apart = rows.map(|(rows, &free)| (!free).then(|| apart(rows))).collect();
        Self { codes: were, apart, weight }
    }

    /// Whether the concept's code should stay and has changed.
    pub(super) fn is_apart(&self, concept: Id) -> bool {
        self.apart[concept as usize].is_some_and(|apart| apart > 0)
    }

    /// Whether the concept had the bit.
    pub(super) fn had(&self, concept: Id, bit: usize) -> bool {
        self.codes.get(concept, bit)
    }

    /// How much nearer to what it was the concept's code comes if the bit is set, or cleared.
    pub(super) fn nearer(&self, concept: Id, bit: usize, set: bool) -> i64 {
        match self.apart[concept as usize] {
            None => 0,
            Some(_) if self.had(concept, bit) == set => 1,
            Some(_) => -1,
        }
    }

    /// Adds to the cost of each bit what it costs to set it in a concept with this code, or to
    /// clear it.
    pub(super) fn add_costs(&self, costs: &mut [i32], concept: Id, row: &[u64], set: bool) {
        let bits = costs.len();
        match self.apart[concept as usize] {
            Some(0) if set => each_zero(row, bits, |bit| costs[bit] += self.weight),
            Some(0) => each_one(row, |bit| costs[bit] += self.weight),
            Some(1) => {
                let rows = self.codes.row(concept).iter().zip(row);
                let differ: Vec<u64> = rows.map(|(was, is)| was ^ is).collect();
                each_one(&differ, |bit| {
                    if self.had(concept, bit) == set {
                        costs[bit] -= self.weight;
                    }
                });
            }
            _ => (),
        }
    }

    /// Takes note of a bit that was set or cleared in a concept that lacked or had it.
    pub(super) fn flip(&mut self, concept: Id, bit: usize, set: bool) {
        let comes_back = self.had(concept, bit) == set;
        if let Some(apart) = &mut self.apart[concept as usize] {
            *apart = if comes_back { *apart - 1 } else { *apart + 1 };
        }
    }
}
