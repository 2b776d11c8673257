use crate::bits::{Id, IdSet};
use crate::codes::{Codes, Columns};
use crate::hierarchy::Hierarchy;

/// A pair that the codes predict wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mistake {
    /// The child.
    pub child: Id,
    /// The parent.
    pub parent: Id,
    /// Whether the pair is is-a in truth; the codes say the opposite.
    pub truly: bool,
}

/// The first `most` wrong pairs of all ordered pairs, by child, then by parent.
///
/// # Panics
///
/// When there is not one code for each concept.
pub fn first_mistakes(codes: &Codes, hierarchy: &Hierarchy, most: usize) -> Vec<Mistake> {
    let columns = Columns::new(codes);
    let wrong = |child: Id| {
        let truly = IdSet::from_ids(codes.len(), hierarchy.ancestors(child));
        let mut wrong = &columns.subsets(codes.row(child)) ^ &truly;
        wrong.remove(child);
        wrong
            .iter()
            .map(|parent| Mistake { child, parent, truly: truly.contains(parent) })
            .collect::<Vec<_>>()
    };
    hierarchy.ids().flat_map(wrong).take(most).collect()
}

/// The first `most` wrong pairs of the listed ones, in the order of the lists.
///
/// # Panics
///
/// When a listed concept has no code.
pub fn first_listed_mistakes(
    codes: &Codes,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
    most: usize,
) -> Vec<Mistake> {
    let positives = positives.iter().map(|&(child, parent)| Mistake { child, parent, truly: true });
    let negatives =
        negatives.iter().map(|&(child, parent)| Mistake { child, parent, truly: false });
    let wrong = |pair: &Mistake| codes.is_a(pair.child, pair.parent) != pair.truly;
    positives.chain(negatives).filter(wrong).take(most).collect()
}
