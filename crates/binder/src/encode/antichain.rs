//! Labels for the children of one concept: sets of bits of which none holds another, small subtrees
//! in groups.
//!
//! A child whose own subtree needs `w` bits gets a label, and its subtree the bits behind the
//! label. Labels of half of `m` bits are an antichain of `C(m, ⌊m/2⌋)` sets, and no antichain is
//! larger (Sperner 1928), so `k` equal children need [`set_bits`]`(k)` bits and share everything
//! behind. Children of different needs are first put into groups, as Huffman does: a group of the
//! smallest is one child as far as the others are concerned.
//!
//! ```text
//! needs 4, 0, 0, 0                one by one: 4 labels in 4 bits, 4 behind      8 bits
//!                                 the three leaves as a group of need 3:
//!   1 0 | x x x x   the big one   2 labels in 2 bits, 4 behind                  6 bits
//!   0 1 | 1 0 0 -
//!   0 1 | 0 1 0 -   the group
//!   0 1 | 0 0 1 -
//! ```

use std::collections::VecDeque;

/// How far beyond the widest subtree a group may reach, in bits: wider groups are fewer.
const REACH: usize = 6;

/// The label of one child: which of the bits from the parent's first on it has, and where its own
/// bits begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) bits: Vec<u16>,
    pub(super) end: u16,
}

/// A child or a group of them, and the bits that its subtrees need.
#[derive(Debug)]
struct Part {
    need: usize,
    member: Member,
}

#[derive(Debug)]
enum Member {
    Child(usize),
    Group(Vec<Part>),
}

/// Labels for children that need so many bits each, and the bits that all need together.
pub(super) fn labels(needs: &[usize]) -> (usize, Vec<Label>) {
    let mut parts: Vec<Part> = needs
        .iter()
        .enumerate()
        .map(|(child, &need)| Part { need, member: Member::Child(child) })
        .collect();
    parts.sort_by_key(|part| part.need);
    let widest = parts.last().map_or(0, |part| part.need);
    if parts.first().is_some_and(|part| part.need < widest) || parts.len() > 3 {
        let best = (widest..=widest + REACH)
            .min_by_key(|&reach| grouped_need(needs, reach))
            .unwrap_or(widest);
        group(&mut parts, best);
    }
    let need = whole_need(parts.len(), &parts);
    let mut labels = vec![Label { bits: Vec::new(), end: 0 }; needs.len()];
    write(&parts, &[], 0, &mut labels);
    (need, labels)
}

/// The bits that parts need: a single group needs no label, a single child one bit to differ from
/// its parent.
fn whole_need(count: usize, parts: &[Part]) -> usize {
    label_bits(count, parts) + parts.last().map_or(0, |part| part.need)
}

fn label_bits(count: usize, parts: &[Part]) -> usize {
    match parts {
        [Part { member: Member::Group(_), .. }] => 0,
        _ => set_bits(count),
    }
}

/// Groups the smallest parts for as long as a group needs no more than `reach` bits; `parts` stay
/// sorted by need.
///
/// Parts lie in one queue for each need, so a group costs as much as it has members, however many
/// parts there are.
fn group(parts: &mut Vec<Part>, reach: usize) {
    let mut queues: Vec<VecDeque<Part>> = (0..=reach).map(|_| VecDeque::new()).collect();
    parts.drain(..).for_each(|part| queues[part.need].push_back(part));
    let upto =
        |queues: &[VecDeque<Part>], need: usize| queues[..=need].iter().map(VecDeque::len).sum();
    while let Some(count) = largest_group(|need| upto(&queues, need), reach) {
        let members = smallest(&mut queues, count);
        let need = set_bits(count) + members.last().map_or(0, |part| part.need);
        queues[need].push_front(Part { need, member: Member::Group(members) });
    }
    parts.extend(queues.into_iter().flatten());
}

/// Takes out the `count` parts that need least.
fn smallest(queues: &mut [VecDeque<Part>], count: usize) -> Vec<Part> {
    let mut members = Vec::with_capacity(count);
    for queue in queues {
        members.extend(queue.drain(..queue.len().min(count - members.len())));
    }
    members
}

/// The most of the smallest parts that fit into one group of `reach` bits, if at least two do.
/// `upto` counts the parts that need no more than so many bits.
fn largest_group(upto: impl Fn(usize) -> usize, reach: usize) -> Option<usize> {
    (2..=reach)
        .map(|bits| upto(reach - bits).min(choose_half(bits)))
        .max()
        .filter(|&count| count > 1)
}

/// What [`group`] leads to, by counting alone.
fn grouped_need(needs: &[usize], reach: usize) -> usize {
    let mut counts = vec![0usize; reach + 1];
    needs.iter().for_each(|&need| counts[need] += 1);
    let upto = |counts: &[usize], need: usize| counts[..=need].iter().sum::<usize>();
    while let Some(count) = largest_group(|need| upto(&counts, need), reach) {
        let (mut left, mut last) = (count, 0);
        for (need, there) in counts.iter_mut().enumerate() {
            let taken = left.min(*there);
            (*there, left) = (*there - taken, left - taken);
            last = if taken > 0 { need } else { last };
        }
        counts[set_bits(count) + last] += 1;
    }
    let widest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let parts = counts.iter().sum::<usize>();
    if parts == 1 && needs.len() > 1 { widest } else { set_bits(parts) + widest }
}

/// Writes the labels of `parts`, which begin at bit `from` behind `above`, the label of the group
/// they are in.
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

fn narrow(bit: usize) -> u16 {
    u16::try_from(bit).expect("checked against MAX_BITS before labels are written")
}

/// The next larger number with as many ones (Gosper's hack).
fn next_set(set: u64) -> u64 {
    let low = set & set.wrapping_neg();
    let carried = set + low;
    carried | ((set ^ carried) / low) >> 2
}

/// The fewest bits with `count` sets of half of them: what an antichain of that size needs.
pub(super) fn set_bits(count: usize) -> usize {
    if count == 0 { 0 } else { (1..).find(|&bits| choose_half(bits) >= count).unwrap_or(0) }
}

/// `C(bits, ⌊bits/2⌋)`; saturates beyond what fits.
fn choose_half(bits: usize) -> usize {
    (0..bits / 2)
        .try_fold(1usize, |ways, taken| Some(ways.checked_mul(bits - taken)? / (taken + 1)))
        .unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sets_of_half_the_bits() {
        assert_eq!([0, 1, 2, 3, 4, 6, 7, 70, 71].map(set_bits), [0, 1, 2, 3, 4, 4, 5, 8, 9]);
        assert_eq!(labels(&[4, 0, 0, 0]).0, 6);
        assert_eq!(labels(&[]).0, 0);
        assert_eq!(labels(&[7]).0, 8);
    }

    proptest! {
        #[test]
        fn no_label_is_in_anothers_subtree(needs in proptest::collection::vec(0usize..12, 1..40)) {
            let (all, labels) = labels(&needs);
            for (i, (a, need)) in labels.iter().zip(&needs).enumerate() {
                prop_assert!(usize::from(a.end) + need <= all);
                prop_assert!(!a.bits.is_empty());
                for b in labels.iter().skip(i + 1) {
                    // Everything below a has a's label and any bits from a's end on.
                    prop_assert!(b.bits.iter().any(|bit| *bit < a.end && !a.bits.contains(bit)));
                    prop_assert!(a.bits.iter().any(|bit| *bit < b.end && !b.bits.contains(bit)));
                }
            }
        }
    }
}
