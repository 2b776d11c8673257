//! How the time of an epoch grows with concepts, bits, training pairs and negatives. The paper
//! says: linearly in each.

use binder::Hierarchy;
use binder::graph::Graph;
use binder::split::Pair;
use binder::train::{TrainParams, Training, Validation};
use serde_json::json;

use crate::Error;
use crate::data::DataSet;
use crate::plan::Plan;
use crate::plots::{self, Line, LinePanel, Point};
use crate::recipes::NamedRecipe;
use crate::report::{Drawing, Report, row, table, write_csv};
use crate::task::Task;

const HEADER: &str = "set,recipe,varied,value,concepts,bits,pairs,negatives,milliseconds,exponent";

const LEGEND: &str = "Milliseconds of an epoch on the clock, the median of epochs 41 to 60 from \
    the recipe's start, while one quantity takes five values, each twice the one before, and the \
    others stay. Pairs end with the whole closure, which may come twice. A hierarchy of n concepts \
    has the n that are nearest to the roots; training pairs are the direct ones and, where pairs \
    are varied, evenly chosen indirect ones. The exponent is the slope of the least-squares line \
    through the logarithms: 1 is linear.\n\n";

/// Epochs of a run, and how many of the last are timed. A quick request has a tenth.
const EPOCHS: usize = 60;
const TIMED: usize = 20;

/// The values of each quantity, as powers of two: from this share of its largest value.
const VALUES: usize = 5;
const LARGEST_BITS: usize = 512;
const LARGEST_NEGATIVES: u32 = 512;

/// What a run learns from.
struct Size {
    concepts: usize,
    pairs: usize,
    bits: usize,
    negatives: u32,
}

/// A quantity, its values, and the milliseconds at each.
struct Curve {
    set: &'static str,
    recipe: &'static str,
    name: &'static str,
    points: Vec<(usize, Size, f64)>,
}

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut curves, mut text) = (Vec::new(), LEGEND.to_owned());
    plan.each_set(|data| {
        for &recipe in &plan.recipes {
            let of_recipe = measure(plan, data, recipe)?;
            let rows: Vec<_> = of_recipe.iter().map(Curve::row).collect();
            let head = ["Varied", "Smallest", "ms", "", "", "", "Largest, ms", "Exponent"]
                .map(str::to_owned);
            text +=
                &format!("## {}, `{}`\n\n{}\n", data.info.title, recipe.name, table(&head, &rows));
            curves.extend(of_recipe);
        }
        Ok(())
    })?;
    let lines: Vec<_> = curves.iter().flat_map(Curve::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let drawing = Drawing {
        suffix: String::new(),
        shows: "Time of an epoch by concepts, bits, pairs and negatives".to_owned(),
        svg: plots::lines(&panels(&curves), 2)?,
    };
    let values: Vec<_> = curves
        .iter()
        .map(|it| {
            json!({ "set": it.set, "recipe": it.recipe, "varied": it.name, "exponent": it.exponent() })
        })
        .collect();
    Ok(Report {
        title: "Complexity",
        text,
        values: json!({ "curves": values }),
        drawings: vec![drawing],
    })
}

/// Each quantity in turn.
fn measure(
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    recipe: &'static NamedRecipe,
) -> Result<Vec<Curve>, Error> {
    let hierarchy = &data.hierarchy;
    let params = recipe.params(Task::LinkPrediction(0), data.info);
    let order = from_the_roots(hierarchy);
    let (all, direct) = (hierarchy.len(), hierarchy.pairs().count());
    let usual =
        || Size { concepts: all, pairs: direct, bits: params.bits, negatives: params.negatives };
    let halvings = (0..VALUES).rev();
    let mut curves = Vec::new();
    for name in ["concepts and their pairs", "bits", "pairs", "negatives"] {
        let mut points = Vec::new();
        for halving in halvings.clone() {
            let mut size = usual();
            let value = match name {
                "bits" => {
                    size.bits = LARGEST_BITS >> halving;
                    size.bits
                }
                "pairs" => {
                    let doubling = VALUES - 1 - halving;
                    size.pairs = (direct << doubling).min(hierarchy.closure().pairs().count());
                    size.pairs
                }
                "negatives" => {
                    size.negatives = LARGEST_NEGATIVES >> halving;
                    size.negatives as usize
                }
                _ => {
                    size.concepts = all >> halving;
                    size.concepts
                }
            };
            let graph = subset(hierarchy, &order, &mut size);
            let milliseconds = time(plan, &graph, &size, &params)?;
            plan.listener.line(&format!("{name} {value}: {milliseconds:.2} ms an epoch"));
            points.push((value, size, milliseconds));
        }
        curves.push(Curve { set: data.info.name, recipe: recipe.name, name, points });
    }
    Ok(curves)
}

/// The place of every concept when those nearest to the roots come first. No concept comes before
/// one above it.
fn from_the_roots(hierarchy: &Hierarchy) -> Vec<u32> {
    let mut concepts: Vec<_> = hierarchy.ids().collect();
    concepts.sort_by_key(|&concept| hierarchy.depth_of(concept));
    let mut order = vec![0; concepts.len()];
    (0..).zip(concepts).for_each(|(place, concept)| order[concept as usize] = place);
    order
}

/// The pairs among the first concepts: the direct ones, and as many indirect ones as are wanted,
/// evenly chosen. Says how many there are in the end.
fn subset(hierarchy: &Hierarchy, order: &[u32], size: &mut Size) -> Graph {
    let renumbered = |(child, parent): Pair| (order[child as usize], order[parent as usize]);
    let within = |&(child, parent): &Pair| (child.max(parent) as usize) < size.concepts;
    let mut pairs: Vec<Pair> = hierarchy.pairs().map(renumbered).filter(within).collect();
    let wanted = size.pairs.saturating_sub(hierarchy.pairs().count());
    if wanted > 0 {
        let indirect: Vec<Pair> = hierarchy
            .closure()
            .pairs()
            .filter(|&(child, parent)| !hierarchy.graph().contains(child, parent))
            .collect();
        let chosen = (0..wanted).map(|at| indirect[at * indirect.len() / wanted]);
        pairs.extend(chosen.map(renumbered));
    }
    let graph = Graph::new(size.concepts, pairs);
    size.pairs = graph.iter().count();
    graph
}

/// The median milliseconds of the last epochs.
fn time(plan: &Plan<'_>, graph: &Graph, size: &Size, params: &TrainParams) -> Result<f64, Error> {
    let (epochs, timed) = match plan.request.quick {
        true => (EPOCHS / 10, TIMED / 10),
        false => (EPOCHS, TIMED),
    };
    let mut params = params.clone();
    (params.bits, params.negatives) = (size.bits, size.negatives);
    (params.epochs, params.patience) = (u32::try_from(epochs).unwrap_or(u32::MAX), 0);
    let params = params.check(size.concepts)?;
    let mut training = Training::new(graph, &params, Validation::Nothing)?;
    let mut times = Vec::new();
    while !training.is_over() {
        if plan.listener.is_cancelled() {
            return Err(binder::Cancelled.into());
        }
        times.push(training.step().time.as_secs_f64() * 1000.0);
    }
    let mut last = times.split_off(times.len().saturating_sub(timed));
    last.sort_by(f64::total_cmp);
    Ok(last.get(last.len() / 2).copied().unwrap_or(0.0))
}

impl Curve {
    /// The slope of the least-squares line through the logarithms.
    fn exponent(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
        let logarithms = |(value, _, time): &(usize, Size, f64)| ((*value as f64).ln(), time.ln());
        slope(&self.points.iter().map(logarithms).collect::<Vec<_>>())
    }

    fn row(&self) -> Vec<String> {
        let smallest = self.points.first().map_or(0, |(value, ..)| *value);
        let times = self.points.iter().map(|(.., time)| format!("{time:.2}"));
        let start = row(self.name, [smallest.to_string()]);
        start.into_iter().chain(times).chain([format!("{:.2}", self.exponent())]).collect()
    }

    fn csv(&self) -> Vec<String> {
        let Self { set, recipe, name, .. } = self;
        let line = |(value, size, time): &(usize, Size, f64)| {
            let Size { concepts, pairs, bits, negatives } = size;
            let exponent = self.exponent();
            format!(
                "{set},{recipe},{name},{value},{concepts},{bits},{pairs},{negatives},{time:.3},\
                 {exponent:.3}"
            )
        };
        self.points.iter().map(line).collect()
    }
}

/// The slope of the least-squares line; 0 where all x are equal.
fn slope(points: &[(f64, f64)]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few points")]
    let count = points.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let square: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if square > 0.0 { both / square } else { 0.0 }
}

/// A panel per quantity; its values are the ticks, which are powers of two apart.
fn panels(curves: &[Curve]) -> Vec<LinePanel> {
    let panel = |curve: &Curve| LinePanel {
        title: format!("{}: exponent {:.2}", curve.name, curve.exponent()),
        x_label: curve.name,
        y_label: "ms an epoch",
        logarithmic: true,
        ticks: curve.points.iter().map(|(value, ..)| value.to_string()).collect(),
        lines: vec![Line {
            name: curve.recipe.to_owned(),
            points: (0u32..)
                .zip(&curve.points)
                .map(|(x, (.., time))| Point { x: x.into(), y: *time, sd: 0.0 })
                .collect(),
        }],
        ..LinePanel::default()
    };
    curves.iter().map(panel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_square_is_two() {
        let points: Vec<_> =
            (1..6).map(|x| f64::from(x).ln()).map(|x| (x, 2.0 * x + 1.0)).collect();
        assert!((slope(&points) - 2.0).abs() < 1e-12);
        assert!(slope(&points[..1]).abs() < 1e-12);
    }

    #[test]
    fn those_nearest_to_the_roots_come_first_and_keep_their_pairs() {
        // animal
        // ├─ pet ── cat
        // └─ dog ── puppy
        let pairs = [("pet", "animal"), ("dog", "animal"), ("cat", "pet"), ("puppy", "dog")];
        let hierarchy = Hierarchy::from_pairs(pairs).unwrap();
        let order = from_the_roots(&hierarchy);
        let mut size = Size { concepts: 3, pairs: 0, bits: 8, negatives: 1 };
        let graph = subset(&hierarchy, &order, &mut size);
        assert_eq!((graph.concepts(), size.pairs), (3, 2));
    }
}
