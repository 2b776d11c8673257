use super::Graph;
use crate::bits::{Block, Id};

/// Finds everything above or below a concept, with or without cycles in the graph. The scratch
/// space is kept between searches.
#[derive(Debug)]
pub(crate) struct Reach<'a> {
    graph: &'a Graph,
    /// What the last search found: one bit for each concept, in blocks.
    found: Vec<Block>,
    /// The same concepts in the order of discovery. The next search clears `found` by this list,
    /// which is shorter than all blocks.
    order: Vec<Id>,
}

impl<'a> Reach<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        let blocks = graph.concepts().div_ceil(Block::SIZE);
        Self { graph, found: vec![Block::ZERO; blocks], order: Vec::new() }
    }

    /// The concept and everything below it.
    pub(crate) fn below(&mut self, concept: Id) -> &[Block] {
        let graph = self.graph;
        self.search(concept, |at| graph.children(at))
    }

    /// The concept and everything above it.
    pub(crate) fn above(&mut self, concept: Id) -> &[Block] {
        let graph = self.graph;
        self.search(concept, |at| graph.parents(at))
    }

    /// What the last search found, the nearest first.
    pub(crate) fn order(&self) -> &[Id] {
        &self.order
    }

    /// Whether the last search found a concept.
    pub(crate) fn has_found(&self, concept: Id) -> bool {
        self.found[concept as usize / Block::SIZE].has(concept as usize % Block::SIZE)
    }

    fn search(&mut self, from: Id, next: impl Fn(Id) -> &'a [Id]) -> &[Block] {
        for concept in self.order.drain(..) {
            self.found[concept as usize / Block::SIZE] = Block::ZERO;
        }
        self.add(&[from]);
        let mut done = 0;
        while let Some(&concept) = self.order.get(done) {
            self.add(next(concept));
            done += 1;
        }
        &self.found
    }

    /// Adds the concepts that were not found before.
    fn add(&mut self, concepts: &[Id]) {
        for &concept in concepts {
            if !self.has_found(concept) {
                self.found[concept as usize / Block::SIZE]
                    .set(concept as usize % Block::SIZE, true);
                self.order.push(concept);
            }
        }
    }
}
