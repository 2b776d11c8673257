use super::Index;
use crate::codes::RowSet;
use crate::hierarchy::Id;
use crate::{Codes, Hierarchy};

/// A concept with everything above it and some of what is directly below: small enough to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbourhood {
    /// The concepts and the pairs among them.
    pub hierarchy: Hierarchy,
    /// Their codes.
    pub codes: Codes,
    /// The concept itself, by its id in `hierarchy`.
    pub centre: Id,
    /// How many children were left out.
    pub left_out: usize,
}

impl Index {
    /// What is around a concept: all its hypernyms and at most so many of its children. Pairs are those that the codes say.
    pub fn neighbourhood(&self, concept: Id, most_children: usize) -> Neighbourhood {
        let mut children = self.children(concept);
        let left_out = children.len().saturating_sub(most_children);
        children.truncate(most_children);
        let mut chosen: RowSet = self.hypernyms(concept);
        chosen.insert(concept);
        children.iter().for_each(|&child| chosen.insert(child));
        let hierarchy = self.part(&chosen);
        let order: Vec<Id> =
            hierarchy.names().texts().iter().filter_map(|name| self.hierarchy().id(name)).collect();
        let centre = hierarchy.id(self.name(concept)).expect("it was chosen");
        Neighbourhood { codes: self.codes().reordered(&order), hierarchy, centre, left_out }
    }

    /// Chosen concepts, and all pairs among them that the codes say. Equal codes are is-a both ways; the later is put below the earlier.
    fn part(&self, chosen: &RowSet) -> Hierarchy {
        let mut builder = crate::hierarchy::HierarchyBuilder::default();
        let order = self.by_generality(chosen);
        let few = "a part of a model has no more names than the whole";
        for (at, &concept) in order.iter().enumerate() {
            let new = builder.concept(self.name(concept)).expect(few);
            self.hierarchy().label(concept).into_iter().for_each(|label| builder.label(new, label));
            for (above, &earlier) in (0..).zip(&order[..at]) {
                if self.is_a(concept, earlier) {
                    builder.link(new, above);
                }
            }
        }
        builder.build(crate::hierarchy::Cycles::Refuse).expect("all pairs lead to earlier concepts")
    }
}
