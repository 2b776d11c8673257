use super::antichain::set_bits;
use crate::graph::Dag;

/// A lower bound of the number of bits of exact codes.
///
/// Going down one pair adds at least one bit, so a concept at depth `t` (by the longest path) has
/// at least `t` bits. The leaves below a concept all have its bits, and no leaf's code contains
/// another's: `k` leaves need [`set_bits`]`(k)` more bits (Sperner). The largest sum over all
/// concepts is a bound.
///
/// ```text
///      a          depth 0, 4 leaves: 0 + 4
///    / | \
///   b  c  d       depth 1, b has 2 leaves: 1 + 2; c and d are leaves themselves: 1 + 0
///  / \
/// e   f           bound 4
/// ```
///
/// Leaves are counted along one parent of each concept, so that none is counted twice. That may
/// count too few, so the result is still a lower bound.
pub(super) fn lower_bound(dag: &Dag) -> usize {
    let mut leaves = vec![0usize; dag.concepts()];
    let (mut below, mut bound, mut roots) = (vec![0usize; dag.concepts()], 0, 0);
    for concept in dag.ids().rev() {
        let at = concept as usize;
        let children = dag.children(concept);
        leaves[at] += usize::from(children.is_empty());
        below[at] = children.iter().map(|&child| below[child as usize] + 1).max().unwrap_or(0);
        if !children.is_empty() {
            below[at] = below[at].max(set_bits(leaves[at].max(children.len())));
        }
        bound = bound.max(dag.depth_of(concept) as usize + below[at]);
        match dag.parents(concept) {
            [] => roots += leaves[at],
            [parent, ..] => leaves[*parent as usize] += leaves[at],
        }
    }
    // No root is above another root, and no leaf above another leaf, so both are antichains. One
    // concept alone needs no bits beyond those of its chain, which are counted already.
    let widest = roots.max(dag.roots().count());
    if widest > 1 { bound.max(set_bits(widest)) } else { bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;

    fn bound(pairs: &[(&str, &str)]) -> usize {
        lower_bound(Hierarchy::from_pairs(pairs.iter().copied()).unwrap().dag())
    }

    #[test]
    fn small_hierarchies_have_the_known_bounds() {
        assert_eq!(bound(&[]), 0);
        assert_eq!(bound(&[("b", "a")]), 1);
        assert_eq!(bound(&[("b", "a"), ("c", "b"), ("d", "c")]), 3);
        assert_eq!(bound(&[("b", "a"), ("c", "a"), ("d", "a"), ("e", "b"), ("f", "b")]), 4);
        assert_eq!(bound(&[("a", "x"), ("a", "y")]), 2);
    }
}
