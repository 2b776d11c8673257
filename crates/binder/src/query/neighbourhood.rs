use super::{Index, QueryError, Term};
use crate::bits::{Id, IdSet, id};
use crate::codes::Codes;
use crate::hierarchy::{Cycles, Hierarchy, HierarchyBuilder};

/// A concept, everything above it and some of its children: small enough to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbourhood {
    /// The concepts and the pairs among them.
    pub hierarchy: Hierarchy,
    /// Their ids in the model, by their ids in `hierarchy`.
    pub ids: Vec<Id>,
    /// Their codes.
    pub codes: Codes,
    /// The concept itself, by its id in `hierarchy`.
    pub centre: Id,
    /// The number of children that were left out.
    pub left_out: usize,
}

impl Index {
    /// The neighbourhood of a concept: all its hypernyms and a limited number of its children. The
    /// pairs are those of the codes.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn neighbourhood(
        &self,
        concept: impl Term,
        most_children: usize,
    ) -> Result<Neighbourhood, QueryError> {
        let concept = concept.resolve(self)?;
        let mut children = self.children(concept)?;
        let left_out = children.len().saturating_sub(most_children);
        children.truncate(most_children);
        let mut chosen = self.above(concept);
        chosen.extend(children.into_iter().chain([concept]));
        let (hierarchy, ids) = self.part(&chosen);
        let centre = ids
            .iter()
            .position(|&id| id == concept)
            .map(id)
            .expect("the concept is among the chosen ones");
        Ok(Neighbourhood { codes: self.codes().reordered(&ids), hierarchy, ids, centre, left_out })
    }

    /// The hierarchy of the chosen concepts, with the pairs of the codes, and the concepts in its
    /// order. Concepts with equal codes are is-a in both directions; the later one is put below the
    /// earlier.
    fn part(&self, chosen: &IdSet) -> (Hierarchy, Vec<Id>) {
        let mut builder = HierarchyBuilder::default();
        let concepts = self.by_generality(chosen);
        let few = "a part of a model has no more names than the whole";
        for (at, &concept) in concepts.iter().enumerate() {
            let new = builder.concept(self.name(concept)).expect(few);
            let label = self.hierarchy().label(concept);
            label.into_iter().for_each(|label| builder.label(new, label));
            for (above, &earlier) in (0..).zip(&concepts[..at]) {
                if self.codes().is_a(concept, earlier) {
                    builder.link(new, above);
                }
            }
        }
        let built = builder.build_ordered(Cycles::Refuse);
        let (hierarchy, order) = built.expect("all pairs lead to earlier concepts");
        (hierarchy, order.into_iter().map(|place| concepts[place as usize]).collect())
    }
}
