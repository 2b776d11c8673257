//! Labels for the children of one concept: sets of bits of which none contains another. Small
//! subtrees are put into groups.
//!
//! A child whose own subtree needs `w` bits gets a label, and its subtree gets the `w` bits after
//! the label. Labels of half of `m` bits are an antichain of `C(m, ⌊m/2⌋)` sets, and no antichain
//! is larger (Sperner 1928). So `k` children with equal needs take [`set_bits`]`(k)` bits for their
//! labels and share all bits after them. Children with different needs are first put into groups,
//! as in Huffman coding: a group of the smallest children counts as one child.
//!
//! ```text
//! needs 4, 0, 0, 0                no groups: 4 labels in 4 bits, 4 bits after   8 bits
//!                                 the three leaves as a group that needs 3:
//!   1 0 | x x x x   the big one   2 labels in 2 bits, 4 bits after              6 bits
//!   0 1 | 1 0 0 -
//!   0 1 | 0 1 0 -   the group
//!   0 1 | 0 0 1 -
//! ```

use std::collections::{BTreeMap, VecDeque};

use crate::bits::Id;

/// How many bits a group may need beyond the widest subtree. Wider groups take more children, so
/// there are fewer groups.
const MAX_EXTRA: usize = 6;

/// The label of one child. Bits are numbered from the end of the parent's own label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    /// The bits of the label that are set.
    pub(super) bits: Vec<u16>,
    /// Where the label ends; the bits of the child's subtree start here.
    pub(super) end: u16,
}

/// A child or a group of children.
#[derive(Debug)]
struct Part {
    /// The number of bits that its subtrees need.
    need: usize,
    member: Member,
}

#[derive(Debug)]
enum Member {
    Child(usize),
    Group(Vec<Part>),
}

/// Labels for children, given the number of bits that each one's subtree needs. Also returns the
/// number of bits that all need together.
pub(super) fn labels(needs: &[usize]) -> (usize, Vec<Label>) {
    let mut parts: Vec<Part> = needs
        .iter()
        .enumerate()
        .map(|(child, &need)| Part { need, member: Member::Child(child) })
        .collect();
    parts.sort_by_key(|part| part.need);
    let widest = parts.last().map_or(0, |part| part.need);
    if parts.first().is_some_and(|part| part.need < widest) || parts.len() > 3 {
        let counts = counts_of(&parts);
        let best = (widest..=widest + MAX_EXTRA)
            .min_by_key(|&limit| grouped_need(counts.clone(), limit))
            .unwrap_or(widest);
        group(&mut parts, best);
    }
    let need = whole_need(parts.len(), &parts);
    let mut labels = vec![Label { bits: Vec::new(), end: 0 }; needs.len()];
    write(&parts, &[], 0, &mut labels);
    (need, labels)
}

/// The number of bits that the parts need together. A single group needs no label; a single child
/// needs one bit to differ from its parent.
fn whole_need(count: usize, parts: &[Part]) -> usize {
    label_bits(count, parts) + parts.last().map_or(0, |part| part.need)
}

fn label_bits(count: usize, parts: &[Part]) -> usize {
    match parts {
        [Part { member: Member::Group(_), .. }] => 0,
        _ => set_bits(count),
    }
}

/// Groups the smallest parts while a group needs at most `limit` bits. `parts` stay sorted by need.
///
/// Parts lie in one queue for each need, so a group costs as much as it has members, however many
/// parts there are.
fn group(parts: &mut Vec<Part>, limit: usize) {
    let mut queues: BTreeMap<usize, VecDeque<Part>> = BTreeMap::new();
    parts.drain(..).for_each(|part| queues.entry(part.need).or_default().push_back(part));
    let count_within = |queues: &BTreeMap<usize, VecDeque<Part>>, need: usize| {
        queues.range(..=need).map(|(_, queue)| queue.len()).sum()
    };
    while let Some(count) = largest_group(|need| count_within(&queues, need), limit) {
        let members = take_smallest(&mut queues, count);
        let need = set_bits(count) + members.last().map_or(0, |part| part.need);
        let group = Part { need, member: Member::Group(members) };
        queues.entry(need).or_default().push_front(group);
    }
    parts.extend(queues.into_values().flatten());
}

/// Takes out the `count` parts that need least.
fn take_smallest(queues: &mut BTreeMap<usize, VecDeque<Part>>, count: usize) -> Vec<Part> {
    let mut members = Vec::with_capacity(count);
    while let Some(mut queue) = queues.first_entry().filter(|_| members.len() < count) {
        let left = count - members.len();
        if left < queue.get().len() {
            members.extend(queue.get_mut().drain(..left));
        } else {
            members.extend(queue.remove());
        }
    }
    members
}

/// The largest number of the smallest parts that fit into one group of `limit` bits, if at least
/// two do. `count_within` counts the parts that need at most a given number of bits.
fn largest_group(count_within: impl Fn(usize) -> usize, limit: usize) -> Option<usize> {
    let mut largest = 0;
    for bits in 2..=limit {
        let (parts, sets) = (count_within(limit - bits), choose_half(bits));
        largest = largest.max(parts.min(sets));
        // With longer labels, fewer parts fit behind them.
        if parts <= sets {
            break;
        }
    }
    (largest > 1).then_some(largest)
}

/// Numbers of bits, ascending, and how many parts need so many.
type Counts = Vec<(usize, usize)>;

/// The needs of parts, which are sorted by them.
fn counts_of(parts: &[Part]) -> Counts {
    let runs = parts.chunk_by(|a, b| a.need == b.need);
    runs.map(|run| (run[0].need, run.len())).collect()
}

/// The number of bits that all need after [`group`], computed from counts alone.
fn grouped_need(mut counts: Counts, limit: usize) -> usize {
    let alone = matches!(counts[..], [(_, 1)]);
    let count_within = |counts: &Counts, most: usize| {
        counts.iter().take_while(|(need, _)| *need <= most).map(|(_, parts)| parts).sum()
    };
    while let Some(count) = largest_group(|need| count_within(&counts, need), limit) {
        let need = set_bits(count) + remove_smallest(&mut counts, count);
        match counts.binary_search_by_key(&need, |(need, _)| *need) {
            Ok(at) => counts[at].1 += 1,
            Err(at) => counts.insert(at, (need, 1)),
        }
    }
    let widest = counts.last().map_or(0, |(need, _)| *need);
    let parts = counts.iter().map(|(_, parts)| parts).sum();
    if parts == 1 && !alone { widest } else { set_bits(parts) + widest }
}

/// Takes away the `count` parts that need least; the most that one of them needs.
fn remove_smallest(counts: &mut Counts, count: usize) -> usize {
    let (mut left, mut most) = (count, 0);
    for (need, parts) in counts.iter_mut() {
        if left == 0 {
            break;
        }
        let taken = left.min(*parts);
        (*parts, left, most) = (*parts - taken, left - taken, *need);
    }
    counts.retain(|(_, parts)| *parts > 0);
    most
}

/// Writes the labels of `parts`, which start at bit `from`. `above` is the label of the group that
/// contains the parts.
fn write(parts: &[Part], above: &[u16], from: usize, labels: &mut [Label]) {
    let width = label_bits(parts.len(), parts);
    let mut set = if width == 0 { 0 } else { (1u64 << width.div_ceil(2)) - 1 };
    for part in parts {
        let own = crate::bits::ones(set).map(|bit| narrow(from + bit as usize));
        let bits: Vec<u16> = above.iter().copied().chain(own).collect();
        match &part.member {
            Member::Child(child) => labels[*child] = Label { bits, end: narrow(from + width) },
            Member::Group(members) => write(members, &bits, from + width, labels),
        }
        set = if set == 0 { 0 } else { next_set(set) };
    }
}

/// A number of bits or a bit, as labels keep it.
pub(super) fn narrow(bit: usize) -> u16 {
    u16::try_from(bit).expect("checked against MAX_BITS before labels are written")
}

/// The next larger number with the same number of ones (Gosper's hack).
fn next_set(set: u64) -> u64 {
    let low = set & set.wrapping_neg();
    let carried = set + low;
    carried | ((set ^ carried) / low) >> 2
}

/// The smallest number of bits that has an antichain of `count` sets: those of half of the bits.
pub(super) fn set_bits(count: usize) -> usize {
    if count == 0 { 0 } else { (1..).find(|&bits| choose_half(bits) >= count).unwrap_or(0) }
}

/// `C(bits, ⌊bits/2⌋)`, or `usize::MAX` if that is more than there are concepts.
fn choose_half(bits: usize) -> usize {
    HALVES.get(bits).map_or(usize::MAX, |&ways| usize::try_from(ways).unwrap_or(usize::MAX))
}

/// `C(n, ⌊n/2⌋)`. The last is the first that is larger than any id.
const HALVES: [u64; 36] = {
    let mut halves = [1; 36];
    let mut n = 1;
    while n < halves.len() {
        // C(2k, k) = 2 C(2k − 1, k − 1), and C(2k + 1, k) = C(2k, k) (2k + 1) / (k + 1).
        let before = halves[n - 1];
        halves[n] = if n % 2 == 0 { 2 * before } else { before * n as u64 / (n as u64 / 2 + 1) };
        n += 1;
    }
    assert!(halves[halves.len() - 2] <= Id::MAX as u64 && Id::MAX as u64 <= halves[35]);
    halves
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_sets_and_labels_have_the_known_widths() {
        assert_eq!([0, 1, 2, 3, 4, 6, 7, 70, 71].map(set_bits), [0, 1, 2, 3, 4, 4, 5, 8, 9]);
        assert_eq!(labels(&[4, 0, 0, 0]).0, 6);
        assert_eq!(labels(&[]).0, 0);
        assert_eq!(labels(&[7]).0, 8);
    }

    proptest! {
        #[test]
        fn counts_tell_what_groups_will_need(
            mut needs in proptest::collection::vec(0usize..12, 1..300), extra in 0..=MAX_EXTRA
        ) {
            needs.sort_unstable();
            let part = |(child, &need)| Part { need, member: Member::Child(child) };
            let mut parts: Vec<Part> = needs.iter().enumerate().map(part).collect();
            let limit = needs.last().unwrap() + extra;
            let told = grouped_need(counts_of(&parts), limit);
            group(&mut parts, limit);
            prop_assert!(parts.is_sorted_by_key(|part| part.need));
            prop_assert_eq!(told, whole_need(parts.len(), &parts));
        }

        #[test]
        fn no_label_is_contained_in_the_subtree_of_another(
            needs in proptest::collection::vec(0usize..12, 1..40)
        ) {
            let (all, labels) = labels(&needs);
            for (i, (a, need)) in labels.iter().zip(&needs).enumerate() {
                prop_assert!(usize::from(a.end) + need <= all);
                prop_assert!(!a.bits.is_empty());
                for b in labels.iter().skip(i + 1) {
                    // Everything below a has a's label and any bits after its end.
                    prop_assert!(b.bits.iter().any(|bit| *bit < a.end && !a.bits.contains(bit)));
                    prop_assert!(a.bits.iter().any(|bit| *bit < b.end && !b.bits.contains(bit)));
                }
            }
        }
    }
}
