//! How well hidden concepts are found again.

use std::time::Instant;

use rayon::prelude::*;

use super::answer::Found;
use super::hide::{Hidden, Hide};
use super::senses::first_name;
use super::space::Embeddings;
use super::{PlaceError, PlaceParams, Placer};
use crate::bits::Id;
use crate::encode::{Effort, EncodeParams};
use crate::graph::Rows;
use crate::hierarchy::Hierarchy;
use crate::progress::{Cancelled, Progress};

/// How well hidden concepts are found again.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct PlaceEvaluation {
    /// Hidden concepts asked for.
    pub queries: usize,
    /// The share whose first place is a parent.
    pub hit1: f64,
    /// … one of the first five.
    pub hit5: f64,
    /// … one of the first ten.
    pub hit10: f64,
    /// The mean of 1 / (the place of the first parent).
    pub mrr: f64,
    /// Wu and Palmer's likeness of the first place and the nearest parent.
    pub wup: f64,
    /// The mean F1 of is-a pairs, if the concept is put below the first place.
    pub f1: f64,
    /// … below the safe place.
    pub safe_f1: f64,
    /// As `f1`, without the pairs with a root, which every place in a tree gets right.
    pub f1_below_roots: f64,
    /// As `safe_f1`, without the pairs with a root.
    pub safe_f1_below_roots: f64,
    /// The [expected calibration error](calibration_error) of the first place's probability. Of few
    /// queries it is large by chance: of 660 in ten ranges, about 0.04 if probabilities are right.
    pub ece: f64,
    /// The queries by the first place's probability, in ten equal ranges from 0 to 1.
    pub bins: [Bin; BINS],
    /// The share of queries whose first place has a probability of at least 0.8.
    pub sure: f64,
    /// The share of these that are right.
    pub sure_hit1: f64,
    /// The share of queries with a parent among the candidates.
    pub reach: f64,
    /// Parents by the votes of neighbours alone.
    pub vote: Scores,
    /// The first sense of the first known word of the definition.
    pub first_word: Scores,
    /// Seconds to fit.
    pub seconds_fit: f64,
    /// Seconds per query.
    pub seconds_ask: f64,
}

/// Queries whose first places have a probability in the same range.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Bin {
    /// How many.
    pub queries: usize,
    /// The mean of their probabilities.
    pub p: f64,
    /// The share that is right.
    pub right: f64,
}

/// The expected calibration error: how far probabilities are from the shares that are right, as the
/// mean over queries.
pub fn calibration_error(bins: &[Bin]) -> f64 {
    let queries: usize = bins.iter().map(|bin| bin.queries).sum();
    let error = |bin: &Bin| bin.queries as f64 * (bin.p - bin.right).abs();
    bins.iter().map(error).sum::<f64>() / queries.max(1) as f64
}

impl Bin {
    /// The queries of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let queries = self.queries + other.queries;
        let mean = |own: f64, others: f64| {
            let sum = own * self.queries as f64 + others * other.queries as f64;
            sum / queries.max(1) as f64
        };
        Self { queries, p: mean(self.p, other.p), right: mean(self.right, other.right) }
    }
}

/// Figures of a way to place that needs no learning.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
pub struct Scores {
    /// The share whose first place is a parent.
    pub hit1: f64,
    /// Wu and Palmer's likeness.
    pub wup: f64,
    /// The mean F1 of is-a pairs.
    pub f1: f64,
    /// The same without the pairs with a root.
    pub f1_below_roots: f64,
}

/// What is hidden and how it is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Asking {
    /// Which concepts are hidden.
    pub hide: Hide,
    /// The share of them, from 0 to 1.
    pub share: f64,
    /// Whether definitions are withheld.
    pub names_only: bool,
    /// The seed of the draw.
    pub seed: u64,
}

impl Default for Asking {
    fn default() -> Self {
        Self { hide: Hide::Leaves, share: 0.05, names_only: false, seed: 0 }
    }
}

impl Asking {
    /// The same with other concepts hidden.
    #[must_use]
    pub fn hide(self, hide: Hide) -> Self {
        Self { hide, ..self }
    }

    /// The same with another share.
    #[must_use]
    pub fn share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The same with or without definitions.
    #[must_use]
    pub fn names_only(self, names_only: bool) -> Self {
        Self { names_only, ..self }
    }

    /// The same with another draw.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// Hides a share of the concepts, encodes the rest and fits a placer to it, and asks for them.
///
/// # Errors
///
/// As [`Placer::fit`].
pub fn evaluate(
    hierarchy: &Hierarchy,
    asking: &Asking,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<PlaceEvaluation, PlaceError> {
    evaluate_with(hierarchy, Embeddings::default(), asking, params, progress)
}

/// [`evaluate`] with vectors that others have learnt. Those of hidden concepts are only used to ask
/// for them.
///
/// # Errors
///
/// As [`Placer::fit`].
pub fn evaluate_with(
    hierarchy: &Hierarchy,
    embeddings: Embeddings,
    asking: &Asking,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<PlaceEvaluation, PlaceError> {
    let hidden = draw(hierarchy, asking);
    let started = Instant::now();
    let fast = EncodeParams::default().effort(Effort::Fast);
    let model = crate::model::encode_with(hidden.rest.clone(), &fast, progress)?.model;
    let placer = Placer::fit_with(model, embeddings, params, progress)?;
    let seconds_fit = started.elapsed().as_secs_f64();
    progress.start("asking", Some(hidden.queries.len() as u64));
    let started = Instant::now();
    let ask = |&query: &Id| {
        progress.go_on()?;
        let definition = if asking.names_only { None } else { hierarchy.definition(query) };
        let (name, definition) = (first_name(hierarchy, query), definition.unwrap_or(""));
        let encoded = placer.embeddings().encoded(name, definition);
        let vector = encoded.or_else(|| placer.known().given(hierarchy.name(query)));
        let found = placer.find(name, definition, vector);
        progress.advance(1);
        Ok(found)
    };
    let answers = hidden.queries.par_iter().map(ask).collect::<Result<Vec<Found>, Cancelled>>()?;
    let seconds = started.elapsed().as_secs_f64();
    let mut judge = Judge::new(&hidden.rest, &placer.learnt.lexicon.ancestors);
    for (&query, found) in hidden.queries.iter().zip(&answers) {
        judge.add(found, &hidden.parents(hierarchy, query));
    }
    Ok(PlaceEvaluation {
        seconds_fit,
        seconds_ask: seconds / answers.len().max(1) as f64,
        ..judge.finish()
    })
}

fn draw(hierarchy: &Hierarchy, asking: &Asking) -> Hidden {
    let leaves = asking.hide == Hide::Leaves;
    let suited = hierarchy.ids().filter(|&id| hierarchy.children(id).is_empty() == leaves).count();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of it")]
    let count = (suited as f64 * asking.share.clamp(0.0, 1.0)).round() as usize;
    Hidden::draw(hierarchy, asking.hide, count, asking.seed)
}

/// The ranges of probabilities.
const BINS: usize = 10;

struct Judge<'a> {
    rest: &'a Hierarchy,
    ancestors: &'a Rows,
    sums: PlaceEvaluation,
}

impl<'a> Judge<'a> {
    fn new(rest: &'a Hierarchy, ancestors: &'a Rows) -> Self {
        Self { rest, ancestors, sums: PlaceEvaluation::default() }
    }

    fn add(&mut self, found: &Found, parents: &[Id]) {
        let answer = &found.answer;
        let sums = &mut self.sums;
        sums.queries += 1;
        let right = |concept: Id| parents.contains(&concept);
        if let Some(at) = answer.places.iter().position(|place| right(place.concept)) {
            sums.reach += 1.0;
            sums.mrr += 1.0 / (at + 1) as f64;
            sums.hit1 += f64::from(u8::from(at < 1));
            sums.hit5 += f64::from(u8::from(at < 5));
            sums.hit10 += f64::from(u8::from(at < 10));
        }
        let scores = |place: Option<Id>| self.scores(place, parents);
        let first = answer.places.first().copied();
        let of_first = scores(first.map(|place| place.concept));
        let safe = scores(answer.safe.map(|place| place.concept));
        let vote = scores(found.by_vote);
        let word = scores(found.by_first_word);
        let sums = &mut self.sums;
        sums.wup += of_first.wup;
        sums.f1 += of_first.f1;
        sums.safe_f1 += safe.f1;
        sums.f1_below_roots += of_first.f1_below_roots;
        sums.safe_f1_below_roots += safe.f1_below_roots;
        add(&mut sums.vote, vote);
        add(&mut sums.first_word, word);
        if let Some(first) = first {
            let hit = f64::from(u8::from(right(first.concept)));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10")]
            let bin = ((first.p * BINS as f64) as usize).min(BINS - 1);
            sums.bins[bin] = sums.bins[bin].and(Bin { queries: 1, p: first.p, right: hit });
            if first.p >= 0.8 {
                sums.sure += 1.0;
                sums.sure_hit1 += hit;
            }
        }
    }

    fn scores(&self, place: Option<Id>, parents: &[Id]) -> Scores {
        let Some(place) = place else { return Scores::default() };
        let wup = parents.iter().map(|&parent| self.wup(place, parent)).fold(0.0, f64::max);
        let hit1 = f64::from(u8::from(parents.contains(&place)));
        let mut wanted: Vec<Id> = parents
            .iter()
            .flat_map(|&parent| self.ancestors.row(parent).iter().copied().chain([parent]))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let own = self.ancestors.row(place);
        let both = wanted
            .iter()
            .filter(|&&above| above == place || own.binary_search(&above).is_ok())
            .count();
        let f1 = 2.0 * both as f64 / (wanted.len() + own.len() + 1) as f64;
        let inner = |&id: &Id| !self.rest.parents(id).is_empty();
        let of_place = own.iter().copied().chain([place]).filter(inner).count();
        let of_both = wanted
            .iter()
            .filter(|id| inner(id) && (**id == place || own.binary_search(id).is_ok()))
            .count();
        let all = wanted.iter().filter(|id| inner(id)).count() + of_place;
        // Nothing said and nothing to say is right.
        let f1_below_roots = if all == 0 { 1.0 } else { 2.0 * of_both as f64 / all as f64 };
        Scores { hit1, wup, f1, f1_below_roots }
    }

    fn wup(&self, a: Id, b: Id) -> f64 {
        likeness(self.rest, (a, self.ancestors.row(a)), (b, self.ancestors.row(b)))
    }

    fn finish(mut self) -> PlaceEvaluation {
        let count = self.sums.queries.max(1) as f64;
        let sums = &mut self.sums;
        sums.sure_hit1 /= sums.sure.max(1.0);
        for sum in [
            &mut sums.hit1,
            &mut sums.hit5,
            &mut sums.hit10,
            &mut sums.mrr,
            &mut sums.wup,
            &mut sums.f1,
            &mut sums.safe_f1,
            &mut sums.sure,
            &mut sums.reach,
            &mut sums.f1_below_roots,
            &mut sums.safe_f1_below_roots,
            &mut sums.vote.f1_below_roots,
            &mut sums.first_word.f1_below_roots,
            &mut sums.vote.hit1,
            &mut sums.vote.wup,
            &mut sums.vote.f1,
            &mut sums.first_word.hit1,
            &mut sums.first_word.wup,
            &mut sums.first_word.f1,
        ] {
            *sum /= count;
        }
        sums.ece = calibration_error(&sums.bins);
        self.sums
    }
}

/// Wu and Palmer's likeness of two concepts: twice the depth of their deepest common ancestor,
/// divided by the sum of their depths. A root has depth 1, and a concept is an ancestor of itself.
pub fn wu_palmer(hierarchy: &Hierarchy, a: Id, b: Id) -> f64 {
    likeness(hierarchy, (a, &hierarchy.ancestors(a)), (b, &hierarchy.ancestors(b)))
}

fn likeness(hierarchy: &Hierarchy, (a, above_a): (Id, &[Id]), (b, above_b): (Id, &[Id])) -> f64 {
    let depth = |concept: Id| f64::from(hierarchy.depth_of(concept) + 1);
    let common = above_a.iter().copied().chain([a]);
    let deepest = common
        .filter(|&above| above == b || above_b.binary_search(&above).is_ok())
        .map(depth)
        .fold(0.0, f64::max);
    2.0 * deepest / (depth(a) + depth(b))
}

fn add(sums: &mut Scores, more: Scores) {
    sums.hit1 += more.hit1;
    sums.wup += more.wup;
    sums.f1 += more.f1;
    sums.f1_below_roots += more.f1_below_roots;
}
