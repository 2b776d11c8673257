//! Random hierarchies of a given shape and a given mean number of parents, as edge lists.

use std::fmt::Write;
use std::str::FromStr;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// How a random hierarchy grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Concepts with many children get more: a few wide ones, many with one child.
    Preferential,
    /// Twelve layers, each three times as wide as the one above; parents are in the layer above.
    Layered,
    /// Like ontologies: a tree in which whole subtrees are used again elsewhere, each copy below its
    /// original (`abnormality of the left hand` below `abnormality of the hand`).
    Ontology,
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "preferential" => Ok(Self::Preferential),
            "layered" => Ok(Self::Layered),
            "ontology" => Ok(Self::Ontology),
            _ => Err(format!("{text:?} is none of preferential, layered, ontology")),
        }
    }
}

/// A random hierarchy with one root and `parents` parents a concept on average (at most 2 for
/// [`Shape::Ontology`], where a concept is a copy or not).
pub fn shaped_dag(shape: Shape, concepts: u32, parents: f64, seed: u64) -> String {
    let mut growing = Growing::new(concepts, parents, seed);
    match shape {
        Shape::Preferential => growing.preferential(),
        Shape::Layered => growing.layered(),
        Shape::Ontology => growing.ontology(),
    }
    growing.lines
}

/// The fewest and the most concepts of a subtree that is used again. With these, 19,034 concepts
/// with 1.23 parents need half as many bits again as the Human Phenotype Ontology, which has as many
/// of both.
const SMALLEST_COPY: usize = 20;
const LARGEST_COPY: usize = 3000;

/// A hierarchy that grows from its root, concept 0.
struct Growing {
    rng: ChaCha8Rng,
    lines: String,
    concepts: u32,
    /// The mean number of parents beyond the first.
    extra: f64,
    /// How many extra parents were given so far.
    given: f64,
}

impl Growing {
    fn new(concepts: u32, parents: f64, seed: u64) -> Self {
        let extra = (parents - 1.0).max(0.0);
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            lines: String::new(),
            concepts,
            extra,
            given: 0.0,
        }
    }

    fn pair(&mut self, child: u32, parent: u32) {
        writeln!(self.lines, "c{child}\tc{parent}").expect("a string takes all");
    }

    /// Whether the mean asks for one more parent, once `child` concepts are there.
    fn wants_more(&mut self, child: u32) -> bool {
        let more = self.given < self.extra * f64::from(child);
        self.given += f64::from(u8::from(more));
        more
    }

    /// Each pair is drawn by drawing an end of an earlier one, so that a concept is drawn as often
    /// as it has pairs.
    fn preferential(&mut self) {
        let mut ends: Vec<u32> = vec![0];
        for child in 1..self.concepts {
            let first = ends[self.rng.random_range(0..ends.len())];
            self.pair(child, first);
            let mut new = vec![first, child];
            while self.wants_more(child) {
                let other = ends[self.rng.random_range(0..ends.len())];
                self.pair(child, other);
                new.push(other);
            }
            ends.append(&mut new);
        }
    }

    /// Layer `k` has 3^k of all concepts, in proportion.
    fn layered(&mut self) {
        const LAYERS: u32 = 12;
        let all = (3u64.pow(LAYERS) - 1) / 2;
        let (mut above, mut next) = (0..1, 1u32);
        for layer in 0..LAYERS {
            let width = (3u64.pow(layer) * u64::from(self.concepts) / all).max(1);
            let width = u32::try_from(width).expect("fewer than all concepts");
            let layer = next..(next + width).min(self.concepts);
            for child in layer.clone() {
                let first = self.rng.random_range(above.clone());
                self.pair(child, first);
                while self.wants_more(child) {
                    let other = self.rng.random_range(above.clone());
                    self.pair(child, other);
                }
            }
            (next, above) = (layer.end, if layer.is_empty() { above } else { layer });
        }
        (next..self.concepts).for_each(|child| {
            let parent = self.rng.random_range(above.clone());
            self.pair(child, parent);
        });
    }

    /// Leaves below a concept of the earlier half, which makes about as many levels as ontologies
    /// have, and copies of subtrees as long as the mean asks for them.
    fn ontology(&mut self) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.concepts as usize];
        let mut next = 1;
        while next < self.concepts {
            let parent = self.rng.random_range(next / 6..next.div_ceil(2));
            let wanted = self.given < self.extra * f64::from(next);
            let original = self.rng.random_range(0..next);
            let subtree = if wanted { subtree(&children, original) } else { None };
            let subtree = subtree.filter(|subtree| self.may_copy(subtree.len()));
            let Some(subtree) = subtree else {
                self.pair(next, parent);
                children[parent as usize].push(next);
                next += 1;
                continue;
            };
            next = self.copy(&subtree, parent, next, &mut children);
        }
    }

    /// Whether that many copies are not more than the mean asks for in all.
    fn may_copy(&self, copies: usize) -> bool {
        let copies = f64::from(u32::try_from(copies).expect("copies are small"));
        self.given + copies <= self.extra * f64::from(self.concepts)
    }

    /// Copies a subtree, whose concepts are listed parents first, below `parent`, as far as there is
    /// room. Returns the next free number.
    fn copy(
        &mut self,
        subtree: &[(u32, u32)],
        parent: u32,
        first: u32,
        children: &mut [Vec<u32>],
    ) -> u32 {
        let mut next = first;
        for (copy, &(original, above)) in (first..self.concepts).zip(subtree) {
            let parent = if copy == first { parent } else { first + above };
            self.pair(copy, parent);
            self.pair(copy, original);
            self.given += 1.0;
            children[parent as usize].push(copy);
            next = copy + 1;
        }
        next
    }
}

/// A concept and what is below it, parents first, each with the place of its parent in the list;
/// nothing if there is too little or too much of it.
fn subtree(children: &[Vec<u32>], root: u32) -> Option<Vec<(u32, u32)>> {
    let mut found = vec![(root, 0)];
    for place in 0.. {
        let Some(&(concept, _)) = found.get(place as usize) else { break };
        found.extend(children[concept as usize].iter().map(|&child| (child, place)));
        if found.len() > LARGEST_COPY {
            return None;
        }
    }
    (found.len() >= SMALLEST_COPY).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_the_concepts_and_parents_that_were_asked_for() {
        for (shape, parents) in [
            (Shape::Preferential, 1.3),
            (Shape::Preferential, 3.0),
            (Shape::Layered, 2.0),
            (Shape::Ontology, 1.05),
            (Shape::Ontology, 1.3),
        ] {
            let lines = shaped_dag(shape, 20_000, parents, 1);
            let pairs: Vec<(&str, &str)> =
                lines.lines().filter_map(|line| line.split_once('\t')).collect();
            let children: std::collections::HashSet<_> = pairs.iter().map(|pair| pair.0).collect();
            assert_eq!(children.len(), 19_999, "{shape:?}: every concept but the root");
            let mean = f64::from(u32::try_from(pairs.len()).expect("few")) / 19_999.0;
            assert!((mean - parents).abs() < 0.03, "{shape:?}: {mean} instead of {parents}");
        }
    }
}
