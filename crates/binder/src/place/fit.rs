//! Fitting: some leaves are hidden, everything is counted without them, and trees learn from them
//! how much each sign is worth. Then everything is counted again with all concepts.

use rayon::prelude::*;

use super::calibration::{Calibration, Judged};
use super::evidence::{Known, gather};
use super::features::{FEATURES, at_first_sight};
use super::hide::{Hidden, Hide};
use super::lexicon::Lexicon;
use super::predictor::Predictor;
use super::senses::first_name;
use super::space::{Embeddings, Spaces};
use super::trees::{Growing, Table, Trees};
use super::votes::Room;
use super::{PlaceError, PlaceParams, Placer, Rooms, estimate};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;
use crate::memory::{self, Stage};
use crate::model::Model;
use crate::progress::{Cancelled, Progress};

/// A re-ranker cannot be fitted to fewer hidden leaves.
const LEAST_HIDDEN: usize = 20;

/// One leaf in so many is hidden, up to [`PlaceParams::hidden`] of them.
const HIDDEN_SHARE: usize = 10;

impl Placer {
    /// Learns from the concepts of a model: their texts, places and codes.
    ///
    /// # Errors
    ///
    /// When the concepts have no texts, when there are too few leaves to learn from, when memory
    /// does not suffice, and when the work is cancelled.
    pub fn fit(
        model: Model,
        params: &PlaceParams,
        progress: &dyn Progress,
    ) -> Result<Self, PlaceError> {
        Self::fit_with(model, Embeddings::default(), params, progress)
    }

    /// [`fit`](Self::fit) with vectors that others have learnt. The placer keeps them. An encoder
    /// makes them of all texts first, which may take minutes; it is not kept, but which one it was.
    ///
    /// # Errors
    ///
    /// As [`fit`](Self::fit).
    pub fn fit_with(
        model: Model,
        embeddings: Embeddings,
        params: &PlaceParams,
        progress: &dyn Progress,
    ) -> Result<Self, PlaceError> {
        let hierarchy = model.hierarchy();
        check_texts(hierarchy)?;
        if let Some(vectors) = &embeddings.concepts {
            vectors.check_known(hierarchy)?;
        }
        let leaves = hierarchy.leaves().filter(|&leaf| !hierarchy.parents(leaf).is_empty()).count();
        let count = (leaves / HIDDEN_SHARE).min(params.hidden);
        if count < LEAST_HIDDEN {
            let least = LEAST_HIDDEN * HIDDEN_SHARE;
            return Err(PlaceError::TooFew { leaves, least });
        }
        let needed = estimate::fitting(hierarchy, model.codes().bits(), params)
            .saturating_add(embeddings.bytes(hierarchy.len()));
        memory::check(Stage::Placer, needed)?;
        let embeddings = embeddings.with_concepts(hierarchy, progress)?;
        let (predictor, trees, calibration) =
            fit_hidden(&model, &embeddings, count, params, progress)?;
        let lexicon = Lexicon::new(hierarchy, hierarchy.checked_closure(progress)?, progress)?;
        let spaces = embeddings.spaces(hierarchy, &lexicon);
        let learnt = Learnt { lexicon, spaces, predictor };
        Ok(Self::new(model, embeddings, learnt, trees, calibration))
    }
}

fn check_texts(hierarchy: &Hierarchy) -> Result<(), PlaceError> {
    let none = hierarchy.labels().is_empty()
        && hierarchy.all_synonyms().is_empty()
        && hierarchy.definitions().is_empty();
    if none { Err(PlaceError::NoTexts) } else { Ok(()) }
}

/// What is counted and learnt from all concepts of a hierarchy.
#[derive(Debug)]
pub(super) struct Learnt {
    pub(super) lexicon: Lexicon,
    pub(super) spaces: Spaces,
    pub(super) predictor: Predictor,
}

impl Learnt {
    fn new(
        hierarchy: &Hierarchy,
        codes: &Codes,
        embeddings: &Embeddings,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self, PlaceError> {
        let lexicon = Lexicon::new(hierarchy, hierarchy.checked_closure(progress)?, progress)?;
        let targets: Vec<Option<Vec<u64>>> =
            hierarchy.ids().map(|concept| target(hierarchy, codes, concept)).collect();
        let predictor = Predictor::learn(&lexicon.traits, &targets, codes.bits(), seed, progress)?;
        let spaces = embeddings.spaces(hierarchy, &lexicon);
        Ok(Self { lexicon, spaces, predictor })
    }
}

/// All bits of a concept's parents.
fn target(hierarchy: &Hierarchy, codes: &Codes, concept: Id) -> Option<Vec<u64>> {
    let mut parents = hierarchy.parents(concept).iter();
    let mut code = codes.row(*parents.next()?).to_vec();
    for &parent in parents {
        code.iter_mut().zip(codes.row(parent)).for_each(|(all, word)| *all |= word);
    }
    Some(code)
}

/// Learns to predict codes without the hidden leaves, and fits the trees to them. The predictor is
/// kept: to learn it again with all concepts would take its time twice.
fn fit_hidden(
    model: &Model,
    embeddings: &Embeddings,
    count: usize,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<(Predictor, Trees, Calibration), PlaceError> {
    let whole = model.hierarchy();
    let hidden = Hidden::draw(whole, Hide::Leaves, count, params.seed ^ 0x5eed);
    let codes = model.codes().reordered(&hidden.whole);
    let learnt = Learnt::new(&hidden.rest, &codes, embeddings, params.seed, progress)?;
    let known = Known {
        hierarchy: &hidden.rest,
        codes: &codes,
        lexicon: &learnt.lexicon,
        predictor: &learnt.predictor,
        embeddings,
        spaces: &learnt.spaces,
        without: &[],
    };
    progress.start("asking for hidden concepts", Some(hidden.queries.len() as u64));
    let asked = ask(whole, &hidden, &known, params, progress)?;
    let (trees, calibration) = weigh(&asked, hidden.queries.len(), params, progress)?;
    Ok((learnt.predictor, trees, calibration))
}

/// The candidates of a query that trees learn from: the right ones, so many that look best, and one
/// in [`THINNED`] of the others, which stands for them.
const LOOKED_AT: usize = 40;
const THINNED: usize = 4;

/// The rows to learn from, what is wanted of them, and how many candidates each stands for.
fn thinned(rows: &[f32], wanted: &[f32]) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let row = |at: usize| &rows[at * FEATURES..][..FEATURES];
    let none = wanted.len() - 1;
    let mut order: Vec<usize> = (0..none).collect();
    let sight = |at: &usize| at_first_sight(row(*at));
    order.sort_by(|a, b| sight(b).total_cmp(&sight(a)).then(a.cmp(b)));
    let (mut kept, mut weights) = (Vec::new(), Vec::new());
    for (place, at) in order.into_iter().chain([none]).enumerate() {
        let matters = place < LOOKED_AT || at == none || wanted[at] > 0.0;
        if matters || place % THINNED == 0 {
            kept.push(at);
            weights.push(if matters { 1.0 } else { THINNED as f32 });
        }
    }
    let values = kept.iter().flat_map(|&at| row(at).iter().copied()).collect();
    (values, kept.iter().map(|&at| wanted[at]).collect(), weights)
}

/// One hidden concept in so many is not learnt from: it tells how sure the trees may be. Where
/// there are fewer than [`FEW`], that would be too few to tell: then each in turn is judged by trees
/// that learn from the others, in so many parts, and the trees that stay learn from all.
const KEPT_BACK: usize = 6;
const FEW: usize = 2000;
const PARTS: usize = 3;

/// Trees for the candidates of hidden concepts, and how sure they may be.
fn weigh(
    asked: &[Candidates],
    hidden: usize,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<(Trees, Calibration), Cancelled> {
    let fit = |learnt: &dyn Fn(usize) -> bool| {
        Trees::fit(&table(asked, learnt), &params.growing(), progress)
    };
    if hidden >= FEW {
        let is_kept_back = |query: usize| query % KEPT_BACK == 1;
        let trees = fit(&|query| !is_kept_back(query))?;
        let judged = Judged::new(&trees, table(asked, &is_kept_back));
        return Ok((trees, Calibration::fit(&[judged])));
    }
    let mut judged = Vec::new();
    for part in 0..PARTS {
        let trees = fit(&|query| query % PARTS != part)?;
        judged.push(Judged::new(&trees, table(asked, &|query| query % PARTS == part)));
    }
    Ok((fit(&|_| true)?, Calibration::fit(&judged)))
}

/// The candidates of a hidden concept.
struct Candidates {
    /// The number of the concept among the hidden ones.
    query: usize,
    rows: Vec<f32>,
    wanted: Vec<f32>,
    weights: Vec<f32>,
}

/// The candidates of some hidden concepts as a table.
fn table(asked: &[Candidates], is_in: &dyn Fn(usize) -> bool) -> Table {
    let mut table = Table { width: FEATURES, starts: vec![0], ..Table::default() };
    for candidates in asked.iter().filter(|candidates| is_in(candidates.query)) {
        table.values.extend_from_slice(&candidates.rows);
        table.wanted.extend_from_slice(&candidates.wanted);
        table.weights.extend_from_slice(&candidates.weights);
        table.starts.push(table.wanted.len());
    }
    table
}

/// Asks for all hidden concepts.
fn ask(
    whole: &Hierarchy,
    hidden: &Hidden,
    known: &Known<'_>,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<Vec<Candidates>, PlaceError> {
    let asked = hidden.queries.iter().enumerate().flat_map(|(at, &query)| {
        let nameless = params.names_only > 0 && at % params.names_only == 0;
        [Some((at, query, true)), nameless.then_some((at, query, false))].into_iter().flatten()
    });
    let asked: Vec<(usize, Id, bool)> = asked.collect();
    let rooms = Rooms::default();
    asked
        .par_iter()
        .map(|&(number, query, defined)| {
            progress.go_on()?;
            let definition = if defined { whole.definition(query) } else { None };
            let name = first_name(whole, query);
            let mut profile = known.profile(name, definition.unwrap_or(""));
            profile.vectors[1] = match defined {
                true => known.given(whole.name(query)),
                false => known.given_by_name(whole.name(query), name),
            };
            let mut room = rooms.take(|| Room::new(known.hierarchy.len()));
            let evidence = gather(&profile, known, &mut room);
            rooms.give(room);
            progress.advance(1);
            let wanted = wanted(&evidence.candidates, &hidden.parents(whole, query));
            let (rows, wanted, weights) = thinned(&evidence.rows, &wanted);
            Ok(Candidates { query: number, rows, wanted, weights })
        })
        .collect()
}

/// What is wanted of each candidate: its share of the parents that are among them. If none is, 1 of
/// the last row, which stands for that.
fn wanted(candidates: &[Id], parents: &[Id]) -> Vec<f32> {
    let right: Vec<usize> =
        parents.iter().filter_map(|parent| candidates.binary_search(parent).ok()).collect();
    let mut wanted = vec![0.0; candidates.len() + 1];
    for &at in &right {
        wanted[at] = 1.0 / right.len() as f32;
    }
    if right.is_empty() {
        wanted[candidates.len()] = 1.0;
    }
    wanted
}

impl PlaceParams {
    fn growing(&self) -> Growing {
        Growing {
            trees: self.trees,
            leaves: 24,
            rate: 0.08,
            least_rows: 20,
            ridge: 2.0,
            share: 160,
            features: 128,
            seed: self.seed,
        }
    }
}
