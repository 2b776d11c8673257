use super::ValidTrainParams;
use super::dense_draws::{DenseDraws, Drawing};
use super::full::{Full, Seen, ids_of};
use super::groups::{Groups, Scratch};
use super::loss::Loss;
use super::near_misses::{DrawScan, PIECE};
use super::negatives::{Drawer, count_all};
use super::siblings::Siblings;
use crate::bits::kernels::Kernels;
use crate::bits::{Block, Id, id, missing_bit, missing_bits};
use crate::codes::{Codes, Columns};
use crate::graph::{Graph, Reach};

/// The weights of a missing bit and of a false positive, as whole numbers of a common unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// The weight of a missing bit.
    pub(super) alpha: i64,
    /// The weight of a false positive.
    pub(super) beta: i64,
    /// How many of these units make one unit of the paper.
    pub(super) units: f64,
}

/// The largest number of near negatives that
/// [`FlipRule::is_clear`](super::flip::FlipRule::is_clear) allows for.
pub(super) const FEW_NEAR: usize = 64;

/// The units in one unit of the paper when every negative counts. A single negative may then weigh
/// very little. In units of a millionth its weight is a whole number, and α 50,000 with a fan-out
/// of 100,000 is still only 2^53 units.
pub(super) const FINE: i64 = 1 << 20;

impl Weights {
    /// The weights for the settings. Each draw weighs β. If every negative counts, their common
    /// weight is such that all together weigh as much as the n⁻ draws of every pair.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "the weight is rounded"
    )]
    pub(super) fn new(pairs: &Graph, params: &ValidTrainParams) -> Self {
        let (alpha, beta) = (i64::from(params.alpha), i64::from(params.beta));
        if !params.all_negatives {
            return Self { alpha, beta, units: 1.0 };
        }
        let draws_each =
            pairs.len() as f64 * f64::from(params.negatives) / (count_all(pairs).max(1) as f64);
        let beta = (beta as f64 * draws_each * FINE as f64).round() as i64;
        Self { alpha: alpha * FINE, beta, units: FINE as f64 }
    }
}

/// One end of a near negative pair: the partner, the side of the partner, and the only separating
/// bit, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NearPartner(u64);

/// Set when the partner is the child of the pair.
const PARTNER_IS_CHILD: u64 = 1 << 63;

/// The number of the bit when no bit separates the pair.
const NO_BIT: u64 = 0xffff;

impl NearPartner {
    /// Fills a list before it is written.
    pub(super) const NONE: Self = Self(NO_BIT);

    /// A pair whose parent is the partner.
    pub(super) fn parent(partner: Id, bit: Option<u16>) -> Self {
        Self(u64::from(partner) << 32 | bit.map_or(NO_BIT, u64::from))
    }

    /// A pair whose child is the partner.
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
    fn bit(self) -> Option<u16> {
        Some(self.0 & NO_BIT).filter(|&bit| bit != NO_BIT).map(|bit| bit as u16)
    }
}

/// The gradient of one concept's bits, from counts over its relatives and its near negatives.
///
/// Summed over the pairs of a concept `w` with parents `P` and children `C`, the paper's positive
/// gradient of bit `j` is
///
/// ```text
/// w_j = 0:   |{p ∈ P : p_j = 1}| − |{c ∈ C : c_j = 0}|        w_j = 1:   the negative of it
/// ```
///
/// that is `± (ones(P) + ones(C) − |C|)`: one count of ones per column over all relatives. For
/// negatives with `G = 0`, one code contains the other, and the sums are counts per column too:
/// partners that are parents of the pair add their ones, partners that are children add their
/// zeros. A negative with `G = 1` subtracts one at its only separating bit.
pub(super) struct RowGradient<'a> {
    pairs: &'a Graph,
    params: &'a ValidTrainParams,
    weights: Weights,
    kernels: &'static Kernels,
    codes: &'a Codes,
    full: &'a Full,
    /// The weighted gradient of every bit, padded to whole words. The padding is never read.
    gradient: Vec<i64>,
    /// For each column, how many parents and children of the concept have it.
    relatives: Vec<u32>,
    /// For each column, how many partners with `G = 0` on one side have it.
    around: Vec<u32>,
    /// Scratch space of [`collect_reversed`](Self::collect_reversed); empty between calls.
    hits: Vec<Id>,
    /// The partners with `G = 0` that are the parent of the pair.
    false_parents: Vec<Id>,
    /// The partners with `G = 0` that are the child of the pair.
    false_children: Vec<Id>,
    /// The only separating bit of each pair with `G = 1`; may have duplicates.
    separating_bits: Vec<u16>,
    /// The parents and the children of the current concept's negatives, where duplicates count
    /// once; empty between concepts.
    seen: [Seen; 2],
    /// The number of false parents that are known without a list.
    known_parents: u64,
    /// What they and other pairs that are not listed add to the gradient of each bit, without the
    /// weight; meaningful if `has_known`.
    known: Vec<i64>,
    has_known: bool,
    /// Scratch space for draws.
    drawn: Vec<Id>,
}

impl<'a> RowGradient<'a> {
    pub(super) fn new(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        weights: Weights,
        kernels: &'static Kernels,
        (codes, full): (&'a Codes, &'a Full),
    ) -> Self {
        let columns = codes.words_per_row() * 64;
        Self {
            pairs,
            params,
            weights,
            kernels,
            codes,
            full,
            gradient: vec![0; columns],
            relatives: vec![0; columns],
            around: vec![0; columns],
            hits: Vec::new(),
            false_parents: Vec::new(),
            false_children: Vec::new(),
            separating_bits: Vec::new(),
            seen: [Seen::new(codes.len()), Seen::new(codes.len())],
            known_parents: 0,
            known: vec![0; columns],
            has_known: false,
            drawn: Vec::new(),
        }
    }

    /// The gradients of a word's bits; fewer than 64 in the last word.
    pub(super) fn word(&self, word: usize) -> &[i64] {
        &self.gradient[word * 64..self.codes.bits().min(word * 64 + 64)]
    }

    /// Empties the lists of negatives.
    pub(super) fn clear(&mut self) {
        self.false_parents.clear();
        self.false_children.clear();
        self.separating_bits.clear();
        (self.known_parents, self.has_known) = (0, false);
    }

    /// Collects the near negatives of `concept`: `near_misses` from the lists, the parents that it
    /// draws from `draws` if it is full, those of its own dense draws, and those of the dense draws
    /// of `drawing`, which have drawn the concept.
    pub(super) fn gather(
        &mut self,
        concept: Id,
        near_misses: [&[NearPartner]; 2],
        draws: DrawScan<'_>,
        (dense, drawing): (&DenseDraws, Drawing<'_>),
    ) {
        self.clear();
        self.collect(concept, near_misses, draws, dense);
        self.gather_dense(concept, dense, drawing);
        if self.known_parents > 0 {
            self.known.fill(self.known_parents.cast_signed());
            self.has_known = true;
        }
    }

    /// Adds the near negatives of dense draws. Pairs of two full concepts are only counted, and
    /// only at the child.
    fn gather_dense(&mut self, concept: Id, dense: &DenseDraws, drawing: Drawing<'_>) {
        let (codes, full, is_full) = (self.codes, self.full, self.full.has(concept));
        let (drawers, full_parents) = drawing.drawers(is_full);
        self.known_parents += full_parents;
        drawers.for_each(|drawer| {
            self.add(!drawer.is_parent, drawer.concept, drawer.missing_bit(concept, codes));
        });
        for is_parent in [false, true] {
            let drawer = Drawer { concept, is_parent };
            let partners = dense.near(drawer).iter().zip(full.blocks());
            if is_full && !is_parent {
                let full_parents = partners.clone().map(|(&near, &full)| (near & full).count());
                self.known_parents += full_parents.sum::<u64>();
            }
            let listed = partners
                .map(|(near, &full)| if is_full || is_parent { near.without(full) } else { *near });
            ids_of(listed).for_each(|partner| {
                self.add(is_parent, partner, drawer.missing_bit(partner, codes));
            });
        }
    }

    /// Whether the near negatives of the current concept, which has no children, affect only their
    /// separating bits. That is so if it has no false children, if its false parents have only bits
    /// that its parents have too, and if there are so few near negatives that they cannot outweigh
    /// one missing bit.
    pub(super) fn needs_no_counts(&self, concept: Id) -> bool {
        let within_parents = |false_parent: &Id| {
            let mut words = self.codes.row(*false_parent).iter().enumerate();
            words.all(|(at, &word)| {
                let parents = self.pairs.parents(concept).iter();
                parents.fold(word, |left, &parent| left & !self.codes.row(parent)[at]) == 0
            })
        };
        !self.has_known
            && self.false_children.is_empty()
            && self.false_parents.len() + self.separating_bits.len() <= FEW_NEAR
            && self.false_parents.iter().all(within_parents)
    }

    /// The bits of the current concept that are the only separating bit of a pair, once for each
    /// such pair.
    pub(super) fn separating_bits(&self) -> &[u16] {
        &self.separating_bits
    }

    /// Collects all near negatives of `concept` by columns: concepts that are below its code, or
    /// one bit from it, and are not its descendants; and the same above.
    pub(super) fn gather_all(&mut self, concept: Id, columns: &Columns, reach: &mut Reach<'_>) {
        let (codes, code) = (self.codes, self.codes.row(concept));
        self.clear();
        let (false_children, false_parents, separating_bits) =
            (&mut self.false_children, &mut self.false_parents, &mut self.separating_bits);
        let descendants = reach.below(concept);
        columns.near_below(code, |block, zero, one| {
            let row = |at: u32| id(block * Block::SIZE) + at;
            zero.without(descendants[block]).iter().for_each(|at| false_children.push(row(at)));
            let near = one.without(descendants[block]).iter();
            near.for_each(|at| separating_bits.extend(missing_bit(codes.row(row(at)), code)));
        });
        let ancestors = reach.above(concept);
        columns.near_above(code, |block, zero, one| {
            let row = |at: u32| id(block * Block::SIZE) + at;
            zero.without(ancestors[block]).iter().for_each(|at| false_parents.push(row(at)));
            let near = one.without(ancestors[block]).iter();
            near.for_each(|at| separating_bits.extend(missing_bit(code, codes.row(row(at)))));
        });
    }

    /// Collects all near negatives of `concept` by groups of equal codes.
    pub(super) fn gather_groups(
        &mut self,
        concept: Id,
        groups: &Groups<'_>,
        (reach, scratch): &mut (Reach<'_>, Scratch),
    ) {
        self.clear();
        self.known_parents = groups.gains(concept, reach, scratch, &mut self.known);
        self.has_known = true;
    }

    /// The loss of the pairs whose child is the current concept.
    pub(super) fn loss(&self, concept: Id) -> Loss {
        let code = self.codes.row(concept);
        let missing = |&parent: &Id| u64::from(missing_bits(code, self.codes.row(parent)));
        Loss {
            missing: self.pairs.parents(concept).iter().map(missing).sum(),
            false_positives: self.false_parents.len() as u64 + self.known_parents,
        }
    }

    /// Collects the near negatives from the lists and from the draws of a full concept, and
    /// reversed pairs and duplicates as the sampling rules say.
    fn collect(
        &mut self,
        concept: Id,
        near_misses: [&[NearPartner]; 2],
        draws: DrawScan<'_>,
        dense: &DenseDraws,
    ) {
        if self.full.has(concept) {
            let mut buffer = std::mem::take(&mut self.drawn);
            buffer.resize(PIECE, 0);
            draws.parents_of(concept, &mut buffer, |parent| self.add_parent_of_full(parent));
            self.drawn = buffer;
        }
        for &near in near_misses.into_iter().flatten() {
            if !near.is_child() && self.full.has(concept) {
                self.add_parent_of_full(near.partner());
            } else {
                self.add_once(near);
            }
        }
        if self.params.sampling.reversed {
            self.collect_reversed(concept, dense);
        }
        self.seen.iter_mut().for_each(Seen::clear);
    }

    /// Collects the near misses among the concept's own pairs, reversed. Leaves out those that a
    /// set of draws has, and those that are positive pairs, if the sampling rules say so.
    fn collect_reversed(&mut self, concept: Id, dense: &DenseDraws) {
        let (codes, code, pairs) = (self.codes, self.codes.row(concept), self.pairs);
        let (filtered, is_full) = (self.params.sampling.filtered, self.full.has(concept));
        let counts = |child, parent| {
            !(filtered && pairs.contains(child, parent) || dense.has(child, parent))
        };
        let mut hits = std::mem::take(&mut self.hits);
        (self.kernels.near_above)(codes.words(), code, pairs.children(concept), &mut hits);
        for child in hits.drain(..).filter(|&child| counts(concept, child)) {
            if is_full {
                self.add_parent_of_full(child);
            } else {
                self.add_once(NearPartner::parent(child, missing_bit(code, codes.row(child))));
            }
        }
        (self.kernels.near_below)(codes.words(), code, pairs.parents(concept), &mut hits);
        for parent in hits.drain(..).filter(|&parent| counts(parent, concept)) {
            if !self.full.has(parent) {
                self.add_once(NearPartner::child(parent, missing_bit(codes.row(parent), code)));
            }
        }
        self.hits = hits;
    }

    /// Adds the parent of a negative whose child, the current concept, is full.
    #[inline]
    fn add_parent_of_full(&mut self, parent: Id) {
        if self.params.sampling.distinct && !self.seen[0].insert(parent) {
            return;
        }
        if self.full.has(parent) {
            self.known_parents += 1;
        } else {
            self.false_parents.push(parent);
        }
    }

    /// Adds a near negative, unless it has been added before and duplicates count once.
    #[inline]
    fn add_once(&mut self, near: NearPartner) {
        let distinct = self.params.sampling.distinct;
        if !distinct || self.seen[usize::from(near.is_child())].insert(near.partner()) {
            self.add(near.is_child(), near.partner(), near.bit());
        }
    }

    fn add(&mut self, partner_is_child: bool, partner: Id, bit: Option<u16>) {
        match (bit, partner_is_child) {
            (Some(bit), _) => self.separating_bits.push(bit),
            (None, true) => self.false_children.push(partner),
            (None, false) => self.false_parents.push(partner),
        }
    }

    /// Adds the gradient of the similarity term.
    pub(super) fn add_siblings(&mut self, siblings: &Siblings<'_>, concept: Id) {
        siblings.add_gains(concept, self.codes.row(concept), &mut self.gradient);
    }

    /// Computes the gradient from the gathered negatives and the relatives.
    pub(super) fn weigh(&mut self, concept: Id) {
        let (parents, children) = (self.pairs.parents(concept), self.pairs.children(concept));
        let (words, stride, count) =
            (self.codes.words(), self.codes.words_per_row(), self.kernels.column_counts);
        self.relatives.fill(0);
        count(words, stride, parents, &mut self.relatives);
        count(words, stride, children, &mut self.relatives);
        let Weights { alpha, beta, .. } = self.weights;
        let code = self.codes.row(concept);
        signed_counts(code, &self.relatives, children.len() as i64, alpha, &mut self.gradient);
        let (below, above) = (&self.false_parents, &self.false_children);
        for (partners, all, weight) in [(below, 0, beta), (above, above.len() as i64, -beta)] {
            if partners.is_empty() {
                continue;
            }
            self.around.fill(0);
            count(words, stride, partners, &mut self.around);
            for (gradient, &ones) in self.gradient.iter_mut().zip(&self.around) {
                *gradient += weight * (i64::from(ones) - all);
            }
        }
        for &bit in &self.separating_bits {
            self.gradient[usize::from(bit)] -= beta;
        }
        if self.has_known {
            for (gradient, &known) in self.gradient.iter_mut().zip(&self.known) {
                *gradient += beta * known;
            }
        }
    }
}

per_cpu! {
    /// Writes `weight * (ones - offset)` for each bit, negated where `code` has the bit.
    fn signed_counts(code: &[u64], ones: &[u32], offset: i64, weight: i64, out: &mut [i64]) {
        let words = code.iter().zip(ones.chunks_exact(64));
        for ((&word, ones), out) in words.zip(out.chunks_exact_mut(64)) {
            for bit in 0..64 {
                // 0 or -1. In two's complement, `-x` is `(x ^ -1) - -1`.
                let sign = -(word >> bit & 1).cast_signed();
                out[bit] = ((weight * (i64::from(ones[bit]) - offset)) ^ sign) - sign;
            }
        }
    }
}
