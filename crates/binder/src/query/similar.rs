use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::{Index, QueryError, Term};
use crate::bits::kernels::Kernels;
use crate::bits::{Id, id};
use crate::choice::choices;
use crate::hierarchy::Hierarchy;

choices! {
    /// How the similarity of two concepts is measured.
    ///
    /// Here d(x) is the depth of a concept, where a root has depth 1, and i(x) = 1 − ln(1 +
    /// hyponyms of x) / ln n is its intrinsic information content (Seco, Veale & Hayes 2004).
    pub enum Measure {
        /// The number of bits in which the codes differ; smaller is nearer
        Hamming = "hamming",
        /// The bits that both codes have, divided by the bits that at least one has
        Jaccard = "jaccard",
        /// 1 / (1 + steps), on the shortest path up to a common hypernym and down again
        Path = "path",
        /// 2 d(c) / (d(a) + d(b)) for the deepest common hypernym c (Wu & Palmer 1994)
        WuPalmer = "wu-palmer",
        /// 2 i(c) / (i(a) + i(b)) for the common hypernym c with the largest i(c) (Lin 1998)
        Lin = "lin",
    }
}

impl Index {
    /// The nearest concepts, at most `most`, with their scores. The nearest comes first; ties are
    /// ordered by id. The score is a distance for [`Measure::Hamming`] and a similarity up to 1 for
    /// the others.
    ///
    /// # Errors
    ///
    /// When the concept is not known, or when the measure needs pairs and the model has none.
    pub fn nearest(
        &self,
        to: impl Term,
        most: usize,
        measure: Measure,
    ) -> Result<Vec<(Id, f64)>, QueryError> {
        let to = to.resolve(self)?;
        if !matches!(measure, Measure::Hamming | Measure::Jaccard) && self.hierarchy().direct() == 0
        {
            return Err(QueryError::NoHierarchy);
        }
        let own = self.sizes[to as usize];
        Ok(match measure {
            Measure::Hamming => {
                let distances = self.distances(to);
                let nearest = top(to, most, distances.iter().map(|&distance| -f64::from(distance)));
                nearest.into_iter().map(|(concept, negated)| (concept, -negated)).collect()
            }
            Measure::Jaccard => {
                let distances = self.distances(to);
                let alike = |(&distance, &size)| jaccard(distance, size, own);
                top(to, most, distances.iter().zip(&self.sizes).map(alike))
            }
            Measure::Path => top(to, most, steps(self.hierarchy(), to).into_iter().map(path)),
            Measure::WuPalmer => {
                let depth = |concept: Id| f64::from(self.hierarchy().depth_of(concept) + 1);
                top(to, most, self.shared(to, depth).into_iter())
            }
            Measure::Lin => {
                let contents = self.contents();
                top(to, most, self.shared(to, |concept| contents[concept as usize]).into_iter())
            }
        })
    }

    /// How similar two concepts are. The score is a distance for [`Measure::Hamming`] and a
    /// similarity up to 1 for the others, the same that [`nearest`](Self::nearest) gives.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::query::Measure;
    ///
    /// let pets = binder::Hierarchy::from_pairs([("cat", "pet"), ("dog", "pet")])?;
    /// let index = binder::encode(&pets)?.into_index();
    /// assert_eq!(index.similarity("cat", "dog", Measure::WuPalmer)?, 0.5);
    /// # Ok::<(), binder::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a concept is not known, or when the measure needs pairs and the model has none.
    pub fn similarity(
        &self,
        one: impl Term,
        other: impl Term,
        measure: Measure,
    ) -> Result<f64, QueryError> {
        let (one, other) = (one.resolve(self)?, other.resolve(self)?);
        let distance = || {
            let (a, b) = (self.codes().row(one), self.codes().row(other));
            a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>()
        };
        Ok(match measure {
            Measure::Hamming => f64::from(distance()),
            Measure::Jaccard => {
                // A code has at most 4096 bits.
                let distance = u16::try_from(distance()).unwrap_or(u16::MAX);
                jaccard(distance, self.sizes[one as usize], self.sizes[other as usize])
            }
            _ if self.hierarchy().direct() == 0 => return Err(QueryError::NoHierarchy),
            Measure::Path => path(self.steps_between(one, other)),
            Measure::WuPalmer => {
                let depth = |concept: Id| f64::from(self.hierarchy().depth_of(concept) + 1);
                self.shared_by(one, other, depth)
            }
            Measure::Lin => {
                let contents = self.contents();
                self.shared_by(one, other, |concept| contents[concept as usize])
            }
        })
    }

    /// 2 w(c) / (w(one) + w(other)), where c is the common hypernym with the largest weight.
    fn shared_by(&self, one: Id, other: Id, weight: impl Fn(Id) -> f64) -> f64 {
        let both = weight(one) + weight(other);
        let above = |of: Id| self.hierarchy().ancestors(of).into_iter().chain([of]);
        let of_other: HashSet<Id> = above(other).collect();
        let common = above(one).filter(|concept| of_other.contains(concept));
        let largest = common.map(weight).fold(0.0, f64::max);
        if both > 0.0 { 2.0 * largest / both } else { 0.0 }
    }

    /// The number of steps up to a common hypernym and down again; `u32::MAX` if there is none.
    fn steps_between(&self, one: Id, other: Id) -> u32 {
        let up = |from| steps_up(self.hierarchy(), from);
        let of_other = up(other);
        let both = up(one).into_iter().filter_map(|(above, up)| Some(up + of_other.get(&above)?));
        both.min().unwrap_or(u32::MAX)
    }

    /// The information content of a concept: 1 − ln(1 + hyponyms) / ln n. It is 0 if everything is
    /// below the concept, and 1 if nothing is.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn information_content(&self, concept: impl Term) -> Result<f64, QueryError> {
        Ok(content(self.count_hyponyms(concept)?, self.codes().len()))
    }

    /// The Hamming distance of each code from a concept's code.
    fn distances(&self, from: Id) -> Vec<u16> {
        let mut distances = vec![0; self.codes().len()];
        (Kernels::current().distances)(
            self.codes().words(),
            self.codes().row(from),
            &mut distances,
        );
        distances
    }

    fn contents(&self) -> &[f64] {
        let all = || {
            let counts = self.hierarchy().descendant_counts();
            counts.into_iter().map(|count| content(count, self.codes().len())).collect()
        };
        self.contents.get_or_init(all)
    }

    /// For each concept x: 2 w(c) / (w(to) + w(x)), where c is the common hypernym with the largest
    /// weight. A weight never decreases from parent to child, so one pass hands the largest weight
    /// down.
    fn shared(&self, to: Id, weight: impl Fn(Id) -> f64) -> Vec<f64> {
        let hierarchy = self.hierarchy();
        let mut best = vec![0.0f64; hierarchy.len()];
        for above in hierarchy.ancestors(to).into_iter().chain([to]) {
            best[above as usize] = weight(above);
        }
        let own = weight(to);
        let mut alike = Vec::with_capacity(best.len());
        for concept in hierarchy.ids() {
            let handed = hierarchy.parents(concept).iter().map(|&parent| best[parent as usize]);
            let largest = handed.fold(best[concept as usize], f64::max);
            best[concept as usize] = largest;
            let both = own + weight(concept);
            alike.push(if both > 0.0 { 2.0 * largest / both } else { 0.0 });
        }
        alike
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of concepts fit a double")]
fn content(hyponyms: u64, concepts: usize) -> f64 {
    if concepts < 2 {
        return 0.0;
    }
    (1.0 - ((1 + hyponyms) as f64).ln() / (concepts as f64).ln()).max(0.0)
}

/// The Jaccard similarity, from the distance d and the sizes a and b: shared = (a + b − d) / 2,
/// either = (a + b + d) / 2. Two codes without bits are equal.
fn jaccard(distance: u16, one: u16, other: u16) -> f64 {
    let (distance, both) = (f64::from(distance), f64::from(one) + f64::from(other));
    if both > 0.0 { (both - distance) / (both + distance) } else { 1.0 }
}

fn path(steps: u32) -> f64 {
    if steps == u32::MAX { 0.0 } else { 1.0 / (1.0 + f64::from(steps)) }
}

/// The number of steps from a concept up to a common hypernym and down to each other concept;
/// `u32::MAX` if there is no path.
fn steps(hierarchy: &Hierarchy, from: Id) -> Vec<u32> {
    let mut steps = vec![u32::MAX; hierarchy.len()];
    steps[from as usize] = 0;
    // Children before parents: descending ids.
    for here in hierarchy.ancestors(from).into_iter().chain([from]).rev() {
        for &parent in hierarchy.parents(here) {
            let up = steps[here as usize] + 1;
            steps[parent as usize] = steps[parent as usize].min(up);
        }
    }
    for concept in hierarchy.ids() {
        for &parent in hierarchy.parents(concept) {
            let down = steps[parent as usize].saturating_add(1);
            steps[concept as usize] = steps[concept as usize].min(down);
        }
    }
    steps
}

/// The number of steps from a concept up to each concept above it, and 0 to itself.
fn steps_up(hierarchy: &Hierarchy, from: Id) -> HashMap<Id, u32> {
    let mut steps = HashMap::from([(from, 0)]);
    // Children before parents: descending ids.
    for here in hierarchy.ancestors(from).into_iter().chain([from]).rev() {
        let up = steps[&here] + 1;
        for &parent in hierarchy.parents(here) {
            steps.entry(parent).and_modify(|least: &mut u32| *least = up.min(*least)).or_insert(up);
        }
    }
    steps
}

/// A concept and its similarity. The order is reversed, so that the top of a heap is the worst one.
#[derive(Debug, PartialEq)]
struct Ranked(f64, Id);

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The `most` concepts with the largest similarity, without `own`. Only concepts that are better
/// than the worst so far are pushed onto the heap.
fn top(own: Id, most: usize, alike: impl Iterator<Item = f64>) -> Vec<(Id, f64)> {
    let mut heap: BinaryHeap<Ranked> = BinaryHeap::with_capacity(most.min(1 << 16) + 1);
    let mut worst = f64::NEG_INFINITY;
    for (at, likeness) in alike.enumerate() {
        if likeness <= worst || id(at) == own {
            continue;
        }
        heap.push(Ranked(likeness, id(at)));
        if heap.len() > most {
            heap.pop();
        }
        if heap.len() == most {
            worst = heap.peek().map_or(f64::INFINITY, |ranked| ranked.0);
        }
    }
    heap.into_sorted_vec()
        .into_iter()
        .map(|Ranked(likeness, concept)| (concept, likeness))
        .collect()
}
