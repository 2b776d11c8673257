//! Fitting: some leaves are hidden, everything is counted without them, and trees learn from them
//! how much each sign is worth. Then everything is counted again with all concepts.

use rayon::prelude::*;

use super::evidence::{Known, gather};
use super::features::{FEATURES, at_first_sight};
use super::hide::{Hidden, Hide};
use super::lexicon::Lexicon;
use super::predictor::Predictor;
use super::senses::first_name;
use super::trees::{Growing, Table, Trees};
use super::votes::Room;
use super::{PlaceError, PlaceParams, Placer, Rooms};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::progress::Progress;

/// A re-ranker cannot be fitted to fewer hidden leaves.
const LEAST_HIDDEN: usize = 20;

/// Probabilities are flattened by this beyond what the leaves that were kept back ask for. Chosen
/// on draws 101 and 104 of WordNet's leaves, where 1.2 was too much (docs/place.md).
const CAUTION: f64 = 1.05;

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
        let hierarchy = model.hierarchy();
        check_texts(hierarchy)?;
        let leaves = hierarchy.leaves().filter(|&leaf| !hierarchy.parents(leaf).is_empty()).count();
        let count = (leaves / HIDDEN_SHARE).min(params.hidden);
        if count < LEAST_HIDDEN {
            let least = LEAST_HIDDEN * HIDDEN_SHARE;
            return Err(PlaceError::TooFew { leaves, least });
        }
        let (predictor, trees, temperature) = fit_hidden(&model, count, params, progress)?;
        let lexicon = Lexicon::new(hierarchy, hierarchy.checked_closure(progress)?, progress)?;
        let learnt = Learnt { lexicon, predictor };
        Ok(Self::new(model, learnt, trees, temperature, Rooms::default()))
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
    pub(super) predictor: Predictor,
}

impl Learnt {
    fn new(
        hierarchy: &Hierarchy,
        codes: &Codes,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self, PlaceError> {
        let lexicon = Lexicon::new(hierarchy, hierarchy.checked_closure(progress)?, progress)?;
        let targets: Vec<Option<Vec<u64>>> =
            hierarchy.ids().map(|concept| target(hierarchy, codes, concept)).collect();
        let predictor = Predictor::learn(&lexicon.traits, &targets, codes.bits(), seed, progress)?;
        Ok(Self { lexicon, predictor })
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
    count: usize,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<(Predictor, Trees, f64), PlaceError> {
    let whole = model.hierarchy();
    let hidden = Hidden::draw(whole, Hide::Leaves, count, params.seed ^ 0x5eed);
    let codes = model.codes().reordered(&hidden.whole);
    let learnt = Learnt::new(&hidden.rest, &codes, params.seed, progress)?;
    let known = Known {
        hierarchy: &hidden.rest,
        codes: &codes,
        lexicon: &learnt.lexicon,
        predictor: &learnt.predictor,
    };
    progress.start("asking for hidden concepts", Some(hidden.queries.len() as u64));
    let (table, kept_back) = tables(whole, &hidden, &known, params, progress)?;
    let trees = Trees::fit(&table, &params.growing(), progress)?;
    let temperature = trees.temperature(&kept_back);
    Ok((learnt.predictor, trees, CAUTION * temperature))
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

/// One hidden concept in so many is not learnt from: it tells how sure the trees may be.
const KEPT_BACK: usize = 6;

/// The candidates of all hidden concepts: those to learn from, and those kept back.
fn tables(
    whole: &Hierarchy,
    hidden: &Hidden,
    known: &Known<'_>,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<(Table, Table), PlaceError> {
    let asked = hidden.queries.iter().enumerate().flat_map(|(at, &query)| {
        let nameless = params.names_only > 0 && at % params.names_only == 0;
        [Some((query, true)), nameless.then_some((query, false))].into_iter().flatten()
    });
    let asked: Vec<(Id, bool)> = asked.collect();
    let kept = |at: usize| hidden.queries.binary_search(&asked[at].0).unwrap_or(0) % KEPT_BACK == 1;
    let rooms = Rooms::default();
    let found = asked
        .par_iter()
        .map(|&(query, defined)| {
            progress.go_on()?;
            let definition = if defined { whole.definition(query) } else { None };
            let name = first_name(whole, query);
            let profile = known.profile(name, definition.unwrap_or(""));
            let mut room = rooms.take(|| Room::new(known.hierarchy.len()));
            let evidence = gather(&profile, known, &mut room);
            rooms.give(room);
            progress.advance(1);
            let parents = hidden.parents(whole, query);
            let right: Vec<usize> = parents
                .iter()
                .filter_map(|parent| evidence.candidates.binary_search(parent).ok())
                .collect();
            let mut wanted = vec![0.0; evidence.candidates.len() + 1];
            for &at in &right {
                wanted[at] = 1.0 / right.len() as f32;
            }
            if right.is_empty() {
                wanted[evidence.candidates.len()] = 1.0;
            }
            Ok(thinned(&evidence.rows, &wanted))
        })
        .collect::<Result<Vec<_>, PlaceError>>()?;
    let empty = || Table { width: FEATURES, starts: vec![0], ..Table::default() };
    let (mut learnt_from, mut kept_back) = (empty(), empty());
    for (at, (rows, wanted, weights)) in found.into_iter().enumerate() {
        let table = if kept(at) { &mut kept_back } else { &mut learnt_from };
        table.values.extend(rows);
        table.wanted.extend(wanted);
        table.weights.extend(weights);
        table.starts.push(table.wanted.len());
    }
    Ok((learnt_from, kept_back))
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
