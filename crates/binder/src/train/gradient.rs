use super::loss::{Loss, missing_bits};
use super::{TrainingPairs, ValidTrainParams};
use crate::Codes;
use crate::codes::kernels::Kernels;
use crate::hierarchy::Id;

/// A negative pair that matters, seen from one end: the partner, which side it is on, and the one bit that keeps the pair apart, if
/// there is one. Equal pairs are equal words, and sort together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Near(u64);

/// Set when the partner is the child of the pair.
const PARTNER_IS_CHILD: u64 = 1 << 63;

/// In place of a bit's number when no bit keeps the pair apart.
const NO_BIT: u64 = 0xffff;

impl Near {
    /// The partner is the parent of the pair.
    pub(super) fn parent(partner: Id, bit: Option<u16>) -> Self {
        Self(u64::from(partner) << 32 | bit.map_or(NO_BIT, u64::from))
    }

    /// The partner is the child of the pair.
    pub(super) fn child(partner: Id, bit: Option<u16>) -> Self {
        Self(Self::parent(partner, bit).0 | PARTNER_IS_CHILD)
    }

    fn is_child(self) -> bool {
        self.0 & PARTNER_IS_CHILD != 0
    }

    fn partner(self) -> Id {
        ((self.0 & !PARTNER_IS_CHILD) >> 32) as Id
    }

    #[expect(clippy::cast_possible_truncation, reason = "16 bits are left")]
    fn bit(self) -> Option<usize> {
        Some(self.0 & NO_BIT).filter(|&bit| bit != NO_BIT).map(|bit| bit as usize)
    }
}

/// The gradient of one concept's bits, from counts over its relatives and its near negatives.
///
/// Summed over the pairs of a concept `w` with parents `P` and children `C`, the paper's positive gradient of bit `j` is
///
/// ```text
/// w_j = 0:   |{p ∈ P : p_j = 1}| − |{c ∈ C : c_j = 0}|        w_j = 1:   the negative of it
/// ```
///
/// that is `± (ones(P) + ones(C) − |C|)`: one count of ones per column over all relatives. For the negatives with `G = 0`, where the
/// partner's code is inside or around `w`'s, the sums are counts per column too: partners below the code (as parents) add
/// their ones, partners above it (as children) add their zeros. A negative with `G = 1` takes one from its single good bit.
pub(super) struct RowGradient<'a> {
    pairs: &'a TrainingPairs,
    params: &'a ValidTrainParams,
    kernels: &'static Kernels,
    codes: &'a Codes,
    /// Weighted gradient of every bit, by whole words; bits past the last are never read.
    gradient: Vec<i64>,
    relatives: Vec<u32>,
    below: Vec<u32>,
    above: Vec<u32>,
    /// Near negatives of the concept at hand.
    near: Vec<Near>,
    hits: Vec<Id>,
    zero_parents: Vec<Id>,
    zero_children: Vec<Id>,
    good_bits: Vec<usize>,
}

impl<'a> RowGradient<'a> {
    pub(super) fn new(
        pairs: &'a TrainingPairs,
        params: &'a ValidTrainParams,
        kernels: &'static Kernels,
        codes: &'a Codes,
    ) -> Self {
        let columns = codes.words_per_row() * 64;
        Self {
            pairs,
            params,
            kernels,
            codes,
            gradient: vec![0; columns],
            relatives: vec![0; columns],
            below: vec![0; columns],
            above: vec![0; columns],
            near: Vec::new(),
            hits: Vec::new(),
            zero_parents: Vec::new(),
            zero_children: Vec::new(),
            good_bits: Vec::new(),
        }
    }

    /// The gradients of a word's bits; fewer than 64 in the last word.
    pub(super) fn word(&self, word: usize) -> &[i64] {
        &self.gradient[word * 64..self.codes.bits().min(word * 64 + 64)]
    }

    /// Computes the gradient of `concept`, whose near negatives are `notes`; gives the part of the loss that is counted at children.
    pub(super) fn compute(&mut self, concept: Id, notes: &[Near]) -> Loss {
        self.gather(concept, notes);
        self.sort_out();
        self.weigh(concept);
        let code = self.codes.row(concept);
        let missing = |&parent: &Id| u64::from(missing_bits(code, self.codes.row(parent)));
        Loss {
            missing: self.pairs.parents(concept).iter().map(missing).sum(),
            false_positives: self.zero_parents.len() as u64,
        }
    }

    /// Collects the near negatives that the sampling rules let through, each once if they say so.
    fn gather(&mut self, concept: Id, notes: &[Near]) {
        self.near.clear();
        self.near.extend_from_slice(notes);
        let (sampling, pairs) = (self.params.sampling, self.pairs);
        if sampling.reversed {
            self.gather_reversed(concept);
        }
        if !sampling.with_self {
            self.near.retain(|near| near.partner() != concept);
        }
        if sampling.filtered {
            self.near.retain(|near| {
                let positives =
                    if near.is_child() { pairs.children(concept) } else { pairs.parents(concept) };
                positives.binary_search(&near.partner()).is_err()
            });
        }
        if sampling.distinct {
            self.near.sort_unstable();
            self.near.dedup();
        }
    }

    /// The near ones among the concept's own pairs, turned round.
    fn gather_reversed(&mut self, concept: Id) {
        let (codes, code) = (self.codes, self.codes.row(concept));
        (self.kernels.near_above)(codes.words(), code, self.pairs.children(concept), &mut self.hits);
        self.near.extend(
            self.hits.drain(..).map(|child| Near::parent(child, missing_bit(code, codes.row(child)))),
        );
        (self.kernels.near_below)(codes.words(), code, self.pairs.parents(concept), &mut self.hits);
        self.near.extend(
            self.hits.drain(..).map(|parent| Near::child(parent, missing_bit(codes.row(parent), code))),
        );
    }

    /// Divides the near negatives by side and by whether a bit keeps them apart.
    fn sort_out(&mut self) {
        self.zero_parents.clear();
        self.zero_children.clear();
        self.good_bits.clear();
        for &near in &self.near {
            match (near.bit(), near.is_child()) {
                (Some(bit), _) => self.good_bits.push(bit),
                (None, true) => self.zero_children.push(near.partner()),
                (None, false) => self.zero_parents.push(near.partner()),
            }
        }
    }

    /// Puts the counts together.
    fn weigh(&mut self, concept: Id) {
        let (parents, children) = (self.pairs.parents(concept), self.pairs.children(concept));
        let (words, stride, count) =
            (self.codes.words(), self.codes.words_per_row(), self.kernels.column_counts);
        self.relatives.fill(0);
        count(words, stride, parents, &mut self.relatives);
        count(words, stride, children, &mut self.relatives);
        let (alpha, beta) = (i64::from(self.params.alpha), i64::from(self.params.beta));
        let code = self.codes.row(concept);
        (self.kernels.signed_counts)(code, &self.relatives, children.len() as i64, alpha, &mut self.gradient);
        if !self.zero_parents.is_empty() || !self.zero_children.is_empty() {
            self.below.fill(0);
            self.above.fill(0);
            count(words, stride, &self.zero_parents, &mut self.below);
            count(words, stride, &self.zero_children, &mut self.above);
            let around = self.zero_children.len() as i64;
            for ((gradient, &below), &above) in self.gradient.iter_mut().zip(&self.below).zip(&self.above) {
                *gradient += beta * (i64::from(below) + around - i64::from(above));
            }
        }
        for &bit in &self.good_bits {
            self.gradient[bit] -= beta;
        }
    }
}

/// The first bit that `parent` has and `child` lacks.
pub(super) fn missing_bit(child: &[u64], parent: &[u64]) -> Option<u16> {
    let missing = child.iter().zip(parent).map(|(child, parent)| parent & !child);
    let (word, bits) = missing.enumerate().find(|&(_, bits)| bits != 0)?;
    u16::try_from(word * 64 + bits.trailing_zeros() as usize).ok()
}
