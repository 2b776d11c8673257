//! Every method by its laws: the gradient is that of the score, the score is that of the
//! definition, and short numbers give what long ones give.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::embedding::{End, Shape};
use crate::real::Real;

/// Dimensions that fill blocks of sixteen, or do not.
const DIMENSIONS: [usize; 3] = [3, 16, 21];

fn params(method: Method, dim: usize) -> BaselineParams {
    BaselineParams::of(method).with(|params| {
        params.dim = dim;
        (params.direction, params.aperture) = (0.7, 0.8);
        (params.intersection, params.volume) = (0.3, 0.6);
    })
}

/// The score of two rows, computed with numbers of one kind.
fn score<R: Real, E: Embedding>(embedding: &E, shared: &[R], parent: &[R], child: &[R]) -> R {
    let derive = |row: &[R]| {
        let mut derived = vec![R::ZERO; embedding.shape().derived];
        embedding.derive(shared, row, &mut derived);
        derived
    };
    embedding.score(&derive(parent), &derive(child))
}

/// The slopes of shared numbers, parent and child, by the method itself.
fn slopes<E: Embedding>(embedding: &E, shared: &[f64], rows: [&[f64]; 2]) -> [Vec<f64>; 3] {
    let shape = embedding.shape();
    let mut derived = [vec![0.0; shape.derived], vec![0.0; shape.derived]];
    for (row, derived) in rows.iter().zip(&mut derived) {
        embedding.derive(shared, row, derived);
    }
    let (mut to_parent, mut to_child) = (vec![0.0; shape.derived], vec![0.0; shape.derived]);
    embedding.gradient(1.0, &derived[0], &derived[1], &mut to_parent, &mut to_child);
    let mut to_shared = vec![0.0; shape.shared];
    let mut chained = |row: &[f64], derived: &[f64], slopes: &[f64]| {
        let mut to_row = vec![0.0; shape.learnt];
        embedding.chain(shared, row, derived, slopes, &mut to_row, &mut to_shared);
        to_row
    };
    let parent = chained(rows[0], &derived[0], &to_parent);
    let child = chained(rows[1], &derived[1], &to_child);
    [to_shared, parent, child]
}

/// Compares slopes with differences, and short numbers with long ones.
struct Check<'a>(&'a [f64]);

impl Visitor for Check<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<E: Embedding>(self, embedding: E) -> Self::Output {
        let Shape { learnt, shared, .. } = embedding.shape();
        let mut numbers = self.0.iter().copied().cycle();
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<_>>();
        let mut rows = [take(shared), take(learnt), take(learnt)];
        let of = |rows: &[Vec<f64>; 3]| score(&embedding, &rows[0], &rows[1], &rows[2]);
        let slopes = slopes(&embedding, &rows[0], [&rows[1], &rows[2]]);
        for which in 0..3 {
            for at in 0..rows[which].len() {
                let (before, step) = (rows[which][at], 1e-6);
                let mut moved = |by: f64| {
                    rows[which][at] = before + by;
                    of(&rows)
                };
                let slope = (moved(step) - moved(-step)) / (2.0 * step);
                moved(0.0);
                let (found, scale) = (slopes[which][at], slope.abs().max(1.0));
                prop_assert!((slope - found).abs() < 2e-5 * scale, "{which} {at}: {slope} {found}");
            }
        }
        let short =
            rows.each_ref().map(|row| row.iter().map(|&x| Real::of(x)).collect::<Vec<f32>>());
        let (long, fast) =
            (of(&rows), f64::from(score(&embedding, &short[0], &short[1], &short[2])));
        prop_assert!((long - fast).abs() < 1e-3 * long.abs().max(1.0), "{long} {fast}");
        Ok(())
    }
}

macro_rules! check_gradients {
    ($($test:ident: $method:ident,)+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(48))]
            $(#[test]
            fn $test(numbers in vec(-1.5f64..1.5, 211), which in 0..DIMENSIONS.len()) {
                let params = params(Method::$method, DIMENSIONS[which]);
                with_embedding(&params, Check(&numbers))?;
            })+
        }
    };
}

check_gradients! {
    sim_has_the_slopes_of_its_score: Sim,
    bilinear_has_the_slopes_of_its_score: Bilinear,
    complex_has_the_slopes_of_its_score: ComplEx,
    oe_has_the_slopes_of_its_score: Oe,
    poe_has_the_slopes_of_its_score: Poe,
    lorentzian_has_the_slopes_of_its_score: Lorentzian,
    hec_has_the_slopes_of_its_score: Hec,
    gumbel_box_has_the_slopes_of_its_score: GumbelBox,
    t_box_has_the_slopes_of_its_score: TBox,
    poincare_has_the_slopes_of_its_score: Poincare,
}

/// The score by the formula of the paper, straight from the rows.
fn by_definition(params: &BaselineParams, shared: &[f64], parent: &[f64], child: &[f64]) -> f64 {
    let d = params.dim;
    let dims = 0..d;
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let apart =
        |x: &[f64], y: &[f64]| norm(&x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<_>>());
    let softplus = |x: f64| x.exp().ln_1p();
    match params.method {
        Method::Sim => dot(&parent[..d], &child[d..]),
        Method::Bilinear => dims
            .flat_map(|i| (0..d).map(move |j| (i, j)))
            .map(|(i, j)| parent[i] * shared[i * d + j] * child[d + j])
            .sum(),
        Method::ComplEx => dims
            .map(|i| {
                let (w, v) = (shared[i], shared[d + i]);
                let ((a, b), (x, y)) = ((parent[i], parent[d + i]), (child[i], child[d + i]));
                a * w * x + b * w * y + a * v * y - b * v * x
            })
            .sum(),
        Method::Oe => -dims.map(|i| (parent[i] - child[i]).max(0.0).powi(2)).sum::<f64>(),
        Method::Poe => -dims.map(|i| (parent[i] - child[i]).max(0.0)).sum::<f64>(),
        Method::Lorentzian => {
            let lifted = |x: &[f64]| (dot(x, x) + 1.0).sqrt();
            -2.0 * (lifted(parent) * lifted(child) - dot(parent, child) - 1.0)
                - params.direction * softplus(norm(parent) - norm(child))
        }
        Method::Poincare => {
            let ball = |y: &[f64]| {
                let into = 1.0 + (1.0 + dot(y, y)).sqrt();
                y.iter().map(|y| y / into).collect::<Vec<_>>()
            };
            let distance = |x: &[f64], y: &[f64]| {
                let q = (1.0 - dot(x, x)) * (1.0 - dot(y, y));
                (1.0 + 2.0 * apart(x, y).powi(2) / q).acosh()
            };
            let (parent, child, origin) = (ball(parent), ball(child), vec![0.0; d]);
            let outwards = distance(&parent, &origin) - distance(&child, &origin);
            -distance(&parent, &child) - params.direction * softplus(outwards)
        }
        Method::Hec => {
            let epsilon = params.epsilon;
            let point = |row: &[f64]| {
                let r = epsilon + (1.0 - 2.0 * epsilon) / (1.0 + (-row[d]).exp());
                row[..d].iter().map(|x| x * r / norm(&row[..d])).collect::<Vec<_>>()
            };
            let (x, y) = (point(parent), point(child));
            let (inner, xx, yy) = (dot(&x, &y), dot(&x, &x), dot(&y, &y));
            // Ganea et al. 2018, equations 26 and 28.
            let k = params.aperture * epsilon / (1.0 - epsilon * epsilon);
            let half = (k * (1.0 - xx) / xx.sqrt()).min(1.0).asin();
            let below = xx.sqrt() * apart(&x, &y) * (1.0 + xx * yy - 2.0 * inner).sqrt();
            let cosine = (inner * (1.0 + xx) - xx * (1.0 + yy)) / below;
            (half - cosine.clamp(-1.0 + 1e-6, 1.0 - 1e-6).acos()).min(0.0)
        }
        Method::GumbelBox => {
            let (beta, tau) = (params.intersection, params.volume);
            let side = |x: f64| (tau * softplus((x - 2.0 * 0.577_215_664_9 * beta) / tau)).ln();
            let corners = |row: &[f64], i: usize| {
                let half = tau * softplus(row[d + i] / tau);
                (row[i] - half, row[i] + half)
            };
            let meet = |a: f64, b: f64| beta * ((a / beta).exp() + (b / beta).exp()).ln();
            dims.map(|i| {
                let ((z, top), (low, high)) = (corners(parent, i), corners(child, i));
                side(-meet(z, low) - meet(-top, -high)) - side(high - low)
            })
            .sum()
        }
        Method::TBox => {
            let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
            let meet =
                |a: f64, b: f64, beta: f64| a.max(b) + beta * (-(a - b).abs() / beta).exp().ln_1p();
            dims.map(|i| {
                let beta = |row: &[f64]| 1e-4 + (100.0 - 1e-4) * sigmoid(row[2 * d + i]);
                let tau = |row: &[f64]| 0.01 + (1000.0 - 0.01) * sigmoid(row[3 * d + i]);
                let beta = (beta(parent) + beta(child)) / 2.0;
                let tau = (tau(parent) + tau(child)) / 2.0;
                let corners = [parent[i], child[i], parent[d + i], child[d + i]];
                let common =
                    -meet(corners[0], corners[1], beta) - meet(corners[2], corners[3], beta);
                let own = -child[i] - child[d + i];
                softplus(common / tau).ln() - softplus(own / tau).ln()
            })
            .sum()
        }
    }
}

/// Compares scores and slopes of many pairs with those of one pair after the other.
struct CompareMany<'a>(&'a [f32], usize);

impl Visitor for CompareMany<'_> {
    /// Scores and slopes one by one, and together.
    type Output = [[Vec<f32>; 2]; 2];

    fn visit<E: Embedding>(self, embedding: E) -> Self::Output {
        let Shape { learnt, shared, derived } = embedding.shape();
        let (mut numbers, pairs) = (self.0.iter().copied().cycle(), self.1);
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<_>>();
        let shared = take(shared);
        let mut row = |_| {
            let mut row = vec![0.0; derived];
            embedding.derive(&shared, &take(learnt), &mut row);
            row
        };
        let (own, others) = (row(0), (0..=pairs).map(row).collect::<Vec<_>>());
        let pair = |number: usize| [&others[number][..], &others[number + 1][..]];
        let one_by_one =
            (0..pairs).map(pair).map(|[parent, child]| embedding.score(parent, child)).collect();
        let mut together = vec![0.0; pairs];
        embedding.scores(pair, &mut together);
        let slope = |number: usize| -> f32 { Real::of(0.1 * (number % 7) as f64 - 0.3) };
        let end = |number: usize| End {
            slope: slope(number),
            other: &others[number],
            is_parent: !number.is_multiple_of(3),
        };
        let (mut slopes, mut slopes_together) = (vec![0.0; derived], vec![0.0; derived]);
        let mut unused = vec![0.0; derived];
        for End { slope, other, is_parent } in (0..pairs).map(end) {
            match is_parent {
                true => embedding.gradient(slope, &own, other, &mut slopes, &mut unused),
                false => embedding.gradient(slope, other, &own, &mut unused, &mut slopes),
            }
        }
        embedding.gradients(&own, pairs, end, &mut slopes_together, &mut unused);
        [[one_by_one, slopes], [together, slopes_together]]
    }
}

proptest! {
    /// Bit for bit, in more dimensions and for more pairs than fit into one round.
    #[test]
    fn many_pairs_have_the_scores_and_slopes_of_each(
        numbers in vec(-1.5f32..1.5, 211), method in 0..Method::ALL.len(),
        dim in 1usize..70, pairs in 0usize..40
    ) {
        let params = params(Method::ALL[method], dim);
        let both = with_embedding(&params, CompareMany(&numbers, pairs));
        let bits = |row: Vec<f32>| row.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let [one_by_one, together] = both.map(|each| each.map(bits));
        prop_assert_eq!(one_by_one, together, "{}", params.method);
    }
}

/// Compares the score with the definition.
struct Define<'a>(&'a BaselineParams, &'a [f64]);

impl Visitor for Define<'_> {
    type Output = (f64, f64);

    fn visit<E: Embedding>(self, embedding: E) -> (f64, f64) {
        let Shape { learnt, shared, .. } = embedding.shape();
        let mut numbers = self.1.iter().copied().cycle();
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<_>>();
        let (shared, parent, child) = (take(shared), take(learnt), take(learnt));
        let defined = by_definition(self.0, &shared, &parent, &child);
        (score(&embedding, &shared, &parent, &child), defined)
    }
}

proptest! {
    #[test]
    fn scores_are_those_of_the_papers(
        numbers in vec(-1.5f64..1.5, 211), method in 0..Method::ALL.len()
    ) {
        let params = params(Method::ALL[method], 5);
        let (found, defined) = with_embedding(&params, Define(&params, &numbers));
        let scale = defined.abs().max(1.0);
        prop_assert!((found - defined).abs() < 1e-8 * scale, "{}: {found} {defined}", params.method);
    }
}
