//! Gradient-boosted trees that rank the candidates of a query.
//!
//! The loss is that of a conditional logit: the scores s of a query's candidates give
//! probabilities p_i = e^{s_i} / Σ e^{s_j}, and the loss is −Σ y_i ln p_i, where y is shared evenly
//! by the right candidates. Its gradient is p − y, its diagonal second derivative p (1 − p). One
//! more row stands for "none of these". So the scores are made for being probabilities. A pairwise
//! loss (LambdaMART) would need another fit to become that; it was not tried.
//!
//! Trees grow leaf by leaf, the best split first, on features cut into at most 255 ranges: for each
//! leaf and feature a histogram of gradients; a sibling's is the parent's less the other's. Sums
//! are made feature by feature and row by row, so threads change nothing.

use rayon::prelude::*;

use super::words::hash_pair;
use crate::progress::{Cancelled, Progress};

/// The most ranges that a feature is cut into.
const RANGES: usize = 64;

/// The settings of a fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growing {
    pub(super) trees: usize,
    pub(super) leaves: usize,
    pub(super) rate: f64,
    /// A leaf has at least so many rows.
    pub(super) least_rows: usize,
    /// Shrinks the value of leaves with little weight.
    pub(super) ridge: f64,
    /// The share of the queries that a tree looks at, in 256ths.
    pub(super) share: u64,
    /// The share of the features that a tree looks at, in 256ths.
    pub(super) features: u64,
    pub(super) seed: u64,
}

/// The candidates of many queries, one row each.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Features by row; each row has `width` of them.
    pub(super) values: Vec<f32>,
    pub(super) width: usize,
    /// Where the rows of a query begin; and where those of the last one end.
    pub(super) starts: Vec<usize>,
    /// What should be found: 1 in all for each query.
    pub(super) wanted: Vec<f32>,
    /// How many candidates a row stands for.
    pub(super) weights: Vec<f32>,
}

impl Table {
    fn rows(&self) -> usize {
        self.wanted.len()
    }
}

/// A node: a question, or a leaf's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// The feature that is asked for; [`LEAF`] for a leaf.
    pub(super) feature: u32,
    /// Values up to this go left; the value of a leaf.
    pub(super) value: f32,
    /// The left child; the right one follows it.
    pub(super) left: u32,
}

pub(super) const LEAF: u32 = u32::MAX;

/// Trees whose values add up.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Trees {
    /// Where each tree begins among the nodes.
    pub(super) roots: Vec<u32>,
    pub(super) nodes: Vec<Node>,
}

impl Trees {
    /// The score of a row.
    pub(super) fn score(&self, row: &[f32]) -> f32 {
        self.roots.iter().map(|&root| self.leaf(root, row)).sum()
    }

    fn leaf(&self, root: u32, row: &[f32]) -> f32 {
        let mut node = &self.nodes[root as usize];
        while node.feature != LEAF {
            let right = u32::from(row[node.feature as usize] > node.value);
            node = &self.nodes[(node.left + right) as usize];
        }
        node.value
    }

    /// Whether every path ends in a leaf and asks for features that exist. Children come after
    /// their parents, so no path goes on for ever.
    pub(super) fn is_sound(&self, features: usize) -> bool {
        let inside = |at: u32| (at as usize) < self.nodes.len();
        let sound = |(at, node): (u32, &Node)| {
            node.value.is_finite()
                && (node.feature == LEAF
                    || (node.feature as usize) < features
                        && node.left > at
                        && node.left.checked_add(1).is_some_and(inside))
        };
        self.roots.iter().all(|&root| inside(root)) && (0..).zip(&self.nodes).all(sound)
    }

    /// Fits trees to a table.
    pub(super) fn fit(
        table: &Table,
        growing: &Growing,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        progress.start("growing trees", Some(growing.trees as u64));
        let ranges = Ranges::new(table);
        let mut trees = Self::default();
        let mut scores = vec![0.0f64; table.rows()];
        for number in 0..growing.trees as u64 {
            progress.go_on()?;
            let mut slopes = slopes(table, &scores);
            let rows = drawn(table, &mut slopes, growing, number);
            let looked_at = features_drawn(table.width, growing, number);
            let grower = Grower { ranges: &ranges, slopes: &slopes, growing, looked_at };
            let root = super::number(trees.nodes.len());
            trees.roots.push(root);
            grower.grow(rows, &mut trees.nodes);
            let width = table.width;
            scores.par_iter_mut().enumerate().for_each(|(row, score)| {
                *score += f64::from(trees.leaf(root, &table.values[row * width..][..width]));
            });
            progress.advance(1);
        }
        Ok(trees)
    }
}

/// The probabilities of a query's candidates.
pub(super) fn probabilities(scores: &[f64]) -> Vec<f64> {
    weighted(scores, std::iter::repeat(1.0))
}

/// The probabilities of rows that stand for several candidates each.
pub(super) fn weighted(scores: &[f64], weights: impl IntoIterator<Item = f32>) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let power = |(score, weight): (&f64, f32)| libm::exp(score - most) * f64::from(weight);
    let powers: Vec<f64> = scores.iter().zip(weights).map(power).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// Gradient and second derivative of each row.
fn slopes(table: &Table, scores: &[f64]) -> Vec<[f32; 2]> {
    let queries: Vec<&[usize]> = table.starts.windows(2).collect();
    let of_query = |bounds: &&[usize]| {
        let range = bounds[0]..bounds[1];
        let chances =
            weighted(&scores[range.clone()], table.weights[range.clone()].iter().copied());
        #[expect(clippy::cast_possible_truncation, reason = "gradients need few digits")]
        let slope = |(chance, wanted): (f64, &f32)| {
            [(chance - f64::from(*wanted)) as f32, (chance * (1.0 - chance)).max(1e-6) as f32]
        };
        chances.into_iter().zip(&table.wanted[range]).map(slope).collect::<Vec<_>>()
    };
    queries.par_iter().flat_map_iter(of_query).collect()
}

/// Of the rows that hardly matter, because they are wrong and known to be, a tree looks at one in
/// so many, which stands for the others.
const SELDOM: u64 = 8;

/// The slope from which a wrong row matters.
const MATTERS: f32 = 0.004;

/// The rows that a tree looks at: those of a part of the queries, without most of the rows that
/// hardly matter. The slopes of those that stand for others are multiplied.
fn drawn(table: &Table, slopes: &mut [[f32; 2]], growing: &Growing, tree: u64) -> Vec<u32> {
    let draw = |at: usize, what: u64| hash_pair(growing.seed ^ what << 60 ^ tree << 32, at as u64);
    let mut rows = Vec::new();
    for (query, bounds) in table.starts.windows(2).enumerate() {
        if draw(query, 0) & 255 >= growing.share {
            continue;
        }
        let of_query = slopes[bounds[0]..bounds[1]].iter_mut();
        for (row, slopes) in (bounds[0]..).zip(of_query) {
            let matters = table.wanted[row] > 0.0 || slopes[0] >= MATTERS;
            if matters {
                rows.push(super::number(row));
            } else if draw(row, 1).is_multiple_of(SELDOM) {
                *slopes = slopes.map(|slope| slope * SELDOM as f32);
                rows.push(super::number(row));
            }
        }
    }
    rows
}

fn features_drawn(width: usize, growing: &Growing, tree: u64) -> Vec<usize> {
    let drawn = |feature: usize| hash_pair(!growing.seed ^ tree << 32, feature as u64) & 255;
    (0..width).filter(|&feature| drawn(feature) < growing.features).collect()
}

/// Features cut into ranges, column by column.
struct Ranges {
    /// By feature: the range of each row.
    columns: Vec<Vec<u8>>,
    /// By feature: the largest value of each range but the last.
    bounds: Vec<Vec<f32>>,
}

impl Ranges {
    fn new(table: &Table) -> Self {
        let made: Vec<(Vec<u8>, Vec<f32>)> = (0..table.width)
            .into_par_iter()
            .map(|feature| {
                let column = || table.values[feature..].iter().step_by(table.width).copied();
                let bounds = bounds(column().collect());
                let range = |value: f32| bounds.partition_point(|&bound| bound < value);
                (column().map(|value| byte(range(value))).collect(), bounds)
            })
            .collect();
        let (columns, bounds) = made.into_iter().unzip();
        Self { columns, bounds }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "there are at most 255 ranges")]
fn byte(range: usize) -> u8 {
    range as u8
}

/// Bounds that cut the values into ranges of about the same number of rows.
fn bounds(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let mut distinct = values.clone();
    distinct.dedup();
    let most = distinct.pop();
    if distinct.len() < RANGES {
        return distinct;
    }
    let mut bounds: Vec<f32> =
        (1..RANGES).map(|part| values[part * values.len() / RANGES]).collect();
    bounds.dedup();
    bounds.retain(|&bound| Some(bound) < most);
    bounds
}

type Histogram = Vec<[f64; 3]>;

struct Grower<'a> {
    ranges: &'a Ranges,
    slopes: &'a [[f32; 2]],
    growing: &'a Growing,
    looked_at: Vec<usize>,
}

struct Open {
    node: usize,
    rows: Vec<u32>,
    histograms: Vec<Histogram>,
    split: Option<Split>,
}

#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    feature: usize,
    range: u8,
}

impl Grower<'_> {
    fn grow(&self, rows: Vec<u32>, nodes: &mut Vec<Node>) {
        let histograms = self.histograms(&rows);
        nodes.push(self.leaf(&rows));
        let split = self.best(&histograms);
        let mut open = vec![Open { node: nodes.len() - 1, rows, histograms, split }];
        for _ in 1..self.growing.leaves {
            let gain = |leaf: &Open| leaf.split.map_or(0.0, |split| split.gain);
            let best = (0..open.len())
                .max_by(|&a, &b| gain(&open[a]).total_cmp(&gain(&open[b])).then(b.cmp(&a)));
            let Some(best) = best.filter(|&best| gain(&open[best]) > 0.0) else { break };
            let leaf = open.swap_remove(best);
            let Some(split) = leaf.split else { break };
            let column = &self.ranges.columns[split.feature];
            let (left, right): (Vec<u32>, Vec<u32>) =
                leaf.rows.iter().partition(|&&row| column[row as usize] <= split.range);
            nodes[leaf.node] = Node {
                feature: super::number(split.feature),
                value: self.ranges.bounds[split.feature][usize::from(split.range)],
                left: super::number(nodes.len()),
            };
            let smaller_is_left = left.len() <= right.len();
            let smaller = self.histograms(if smaller_is_left { &left } else { &right });
            let larger = less(leaf.histograms, &smaller);
            let (of_left, of_right) =
                if smaller_is_left { (smaller, larger) } else { (larger, smaller) };
            for (rows, histograms) in [(left, of_left), (right, of_right)] {
                nodes.push(self.leaf(&rows));
                let split = self.best(&histograms);
                open.push(Open { node: nodes.len() - 1, rows, histograms, split });
            }
        }
    }

    fn leaf(&self, rows: &[u32]) -> Node {
        let (mut slope, mut curve) = (0.0, 0.0);
        for &row in rows {
            let [of_row, curve_of_row] = self.slopes[row as usize];
            slope += f64::from(of_row);
            curve += f64::from(curve_of_row);
        }
        let value = -self.growing.rate * slope / (curve + self.growing.ridge);
        #[expect(clippy::cast_possible_truncation, reason = "a leaf needs few digits")]
        Node { feature: LEAF, value: value as f32, left: 0 }
    }

    fn histograms(&self, rows: &[u32]) -> Vec<Histogram> {
        let of_feature = |&feature: &usize| {
            let mut sums = vec![[0.0; 3]; self.ranges.bounds[feature].len() + 1];
            let column = &self.ranges.columns[feature];
            for &row in rows {
                let [slope, curve] = self.slopes[row as usize];
                let sum = &mut sums[usize::from(column[row as usize])];
                sum[0] += f64::from(slope);
                sum[1] += f64::from(curve);
                sum[2] += 1.0;
            }
            sums
        };
        if rows.len() < 2000 {
            return self.looked_at.iter().map(of_feature).collect();
        }
        self.looked_at.par_iter().map(of_feature).collect()
    }

    /// The split that lowers the loss most, if one does.
    fn best(&self, histograms: &[Histogram]) -> Option<Split> {
        let ridge = self.growing.ridge;
        let worth = |slope: f64, curve: f64| slope * slope / (curve + ridge);
        let least = self.growing.least_rows as f64;
        let mut best: Option<Split> = None;
        for (&feature, sums) in self.looked_at.iter().zip(histograms) {
            let total = sums
                .iter()
                .fold([0.0; 3], |all, sum| [all[0] + sum[0], all[1] + sum[1], all[2] + sum[2]]);
            let whole = worth(total[0], total[1]);
            let mut left = [0.0; 3];
            for (range, sum) in sums.iter().enumerate().take(sums.len() - 1) {
                left = [left[0] + sum[0], left[1] + sum[1], left[2] + sum[2]];
                if left[2] < least || total[2] - left[2] < least {
                    continue;
                }
                let gain =
                    worth(left[0], left[1]) + worth(total[0] - left[0], total[1] - left[1]) - whole;
                if gain > best.map_or(1e-9, |best| best.gain) {
                    best = Some(Split { gain, feature, range: byte(range) });
                }
            }
        }
        best
    }
}

fn less(mut all: Vec<Histogram>, part: &[Histogram]) -> Vec<Histogram> {
    for (all, part) in all.iter_mut().zip(part) {
        for (all, part) in all.iter_mut().zip(part) {
            (0..3).for_each(|at| all[at] -= part[at]);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queries of four candidates and none; the right one has the largest first feature.
    fn table() -> Table {
        let mut table = Table { width: 2, starts: vec![0], ..Table::default() };
        for query in 0..60u64 {
            let draw = |at: u64| (hash_pair(query, at) % 1000) as f32;
            let values: Vec<f32> = (0..4).map(draw).chain([-1.0]).collect();
            let best = values.iter().copied().fold(0.0, f32::max);
            for (at, &value) in values.iter().enumerate() {
                table.values.extend([value - best, draw(10 + at as u64)]);
                table.wanted.push(f32::from(u8::from(value >= best)));
                table.weights.push(1.0);
            }
            table.starts.push(table.wanted.len());
        }
        table
    }

    fn growing(leaves: usize, trees: usize) -> Growing {
        Growing {
            trees,
            leaves,
            rate: 0.3,
            least_rows: 5,
            ridge: 1.0,
            share: 256,
            features: 256,
            seed: 0,
        }
    }

    /// The first split is the best of all splits, tried one by one.
    #[test]
    fn the_first_split_is_that_of_the_definition() {
        let table = table();
        let trees = Trees::fit(&table, &growing(2, 1), &()).unwrap();
        let slopes = slopes(&table, &vec![0.0; table.rows()]);
        let sums = |rows: &mut dyn Iterator<Item = usize>| {
            rows.fold((0.0f64, 0.0f64, 0usize), |(slope, curve, count), row| {
                let [of_row, curve_of_row] = slopes[row].map(f64::from);
                (slope + of_row, curve + curve_of_row, count + 1)
            })
        };
        let worth = |(slope, curve, _): (f64, f64, usize)| slope * slope / (curve + 1.0);
        let ranges = Ranges::new(&table);
        let mut best = (f64::NEG_INFINITY, 0, 0.0);
        for feature in 0..2 {
            for &bound in &ranges.bounds[feature] {
                let is_left = |row: &usize| table.values[row * 2 + feature] <= bound;
                let left = sums(&mut (0..table.rows()).filter(is_left));
                let right = sums(&mut (0..table.rows()).filter(|row| !is_left(row)));
                let gain = worth(left) + worth(right);
                if left.2 >= 5 && right.2 >= 5 && gain > best.0 + 1e-9 {
                    best = (gain, feature, bound);
                }
            }
        }
        let root = trees.nodes[0];
        assert_eq!((root.feature as usize, root.value), (best.1, best.2));
    }

    #[test]
    fn trees_learn_what_is_right() {
        let table = table();
        let trees = Trees::fit(&table, &growing(4, 30), &()).unwrap();
        assert!(trees.is_sound(2));
        for bounds in table.starts.windows(2) {
            let score = |row: usize| trees.score(&table.values[row * 2..][..2]);
            let best = (bounds[0]..bounds[1]).max_by(|&a, &b| score(a).total_cmp(&score(b)));
            assert!(table.wanted[best.unwrap()] > 0.0);
        }
    }

    #[test]
    fn probabilities_add_up() {
        let chances = probabilities(&[1000.0, 1000.0, -1000.0]);
        assert_eq!(chances, [0.5, 0.5, 0.0]);
    }

    #[test]
    fn few_values_are_cut_between_each_two() {
        assert_eq!(bounds(vec![2.0, 1.0, 1.0, 3.0]), [1.0, 2.0]);
        assert!(bounds(vec![1.0; 9]).is_empty());
        assert!(bounds((0..1000).map(|value| value as f32).collect()).len() < RANGES);
    }
}
