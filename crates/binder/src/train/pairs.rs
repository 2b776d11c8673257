use crate::codes::BLOCK;
use crate::codes::kernels::Lane;
use crate::hierarchy::{Id, Rows, id};

/// The positive pairs that are learnt from, by child and by parent.
#[derive(Debug, Clone)]
pub struct TrainingPairs {
    /// Parents of each child, ascending, each once.
    parents: Rows,
    /// Children of each parent; `parents` transposed.
    children: Rows,
}

impl TrainingPairs {
    /// The pairs of `concepts` concepts; duplicates and pairs of a concept with itself count once and not at all.
    pub fn new(concepts: usize, pairs: &[(Id, Id)]) -> Self {
        let mut pairs: Vec<_> = pairs.iter().copied().filter(|(child, parent)| child != parent).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let parents = Rows::from_pairs(concepts, pairs.into_iter());
        Self { children: parents.transposed(), parents }
    }

    /// The pairs that do not follow from others; all of them, if they go in a circle somewhere.
    pub(crate) fn reduced(&self) -> Self {
        if self.downwards().1 > 0 {
            return self.clone();
        }
        let mut walk = Walk::new(self);
        let mut direct = Vec::new();
        for child in 0..id(self.concepts()) {
            walk.above_parents(child);
            let parents = self.parents(child).iter().filter(|&&parent| !walk.has_found(parent));
            direct.extend(parents.map(|&parent| (child, parent)));
        }
        Self::new(self.concepts(), &direct)
    }

    /// All concepts, parents before children, and how many of them, at the end, pairs lead round in a circle.
    pub(crate) fn downwards(&self) -> (Vec<Id>, usize) {
        let concepts = 0..id(self.concepts());
        let mut waiting: Vec<usize> = concepts.clone().map(|concept| self.parents(concept).len()).collect();
        let mut order: Vec<Id> = concepts.clone().filter(|&concept| waiting[concept as usize] == 0).collect();
        let mut done = 0;
        while let Some(&concept) = order.get(done) {
            for &child in self.children(concept) {
                waiting[child as usize] -= 1;
                if waiting[child as usize] == 0 {
                    order.push(child);
                }
            }
            done += 1;
        }
        order.extend(concepts.filter(|&concept| waiting[concept as usize] > 0));
        (order, self.concepts() - done)
    }

    /// How many concepts there are, with or without pairs.
    pub fn concepts(&self) -> usize {
        self.parents.len()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.parents.items()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parents of a concept, ascending.
    pub fn parents(&self, child: Id) -> &[Id] {
        self.parents.row(child)
    }

    /// The children of a concept, ascending.
    pub fn children(&self, parent: Id) -> &[Id] {
        self.children.row(parent)
    }

    /// All (child, parent) pairs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Id)> + Clone + '_ {
        self.parents.pairs()
    }

    /// Whether the pair is there.
    pub fn contains(&self, child: Id, parent: Id) -> bool {
        self.parents(child).binary_search(&parent).is_ok()
    }
}

/// Finds everything above or below a concept by walking the pairs, however they are given: each once, cycles or not.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    pairs: &'a TrainingPairs,
    /// Who has been found; one bit for each concept, in blocks. All zero between walks.
    found: Vec<Lane>,
    /// Whom to clear.
    order: Vec<Id>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(pairs: &'a TrainingPairs) -> Self {
        Self { pairs, found: vec![Lane::ZERO; pairs.concepts().div_ceil(BLOCK)], order: Vec::new() }
    }

    /// The concept and all below it.
    pub(crate) fn below(&mut self, concept: Id) -> &[Lane] {
        let pairs = self.pairs;
        self.walk(concept, |at| pairs.children(at))
    }

    /// The concept and all above it.
    pub(crate) fn above(&mut self, concept: Id) -> &[Lane] {
        let pairs = self.pairs;
        self.walk(concept, |at| pairs.parents(at))
    }

    /// The concept and all that a bit of it has to be flipped in too: all below to set it, all above to clear it.
    pub(crate) fn closed(&mut self, concept: Id, set: bool) -> &[Lane] {
        if set { self.below(concept) } else { self.above(concept) }
    }

    /// All above the concept's parents, without the parents themselves.
    fn above_parents(&mut self, concept: Id) {
        let pairs = self.pairs;
        self.clear();
        for &parent in pairs.parents(concept) {
            self.find(pairs.parents(parent));
        }
        self.go_on(|at| pairs.parents(at));
    }

    /// Whom the last walk found, the nearest first.
    pub(crate) fn order(&self) -> &[Id] {
        &self.order
    }

    /// Whether the last walk found a concept.
    pub(crate) fn has_found(&self, concept: Id) -> bool {
        self.found[concept as usize / BLOCK].has(concept as usize % BLOCK)
    }

    /// How many the last walk found, the concept itself among them.
    pub(crate) fn count(&self) -> usize {
        self.order.len()
    }

    fn find(&mut self, concepts: &[Id]) {
        for &concept in concepts {
            if !self.has_found(concept) {
                self.found[concept as usize / BLOCK].set(concept as usize % BLOCK, true);
                self.order.push(concept);
            }
        }
    }

    fn walk(&mut self, from: Id, next: impl Fn(Id) -> &'a [Id]) -> &[Lane] {
        self.clear();
        self.find(&[from]);
        self.go_on(next);
        &self.found
    }

    fn clear(&mut self) {
        for concept in self.order.drain(..) {
            self.found[concept as usize / BLOCK] = Lane::ZERO;
        }
    }

    /// Finds everyone that those found lead to.
    fn go_on(&mut self, next: impl Fn(Id) -> &'a [Id]) {
        let mut done = 0;
        while let Some(&concept) = self.order.get(done) {
            self.find(next(concept));
            done += 1;
        }
    }
}
