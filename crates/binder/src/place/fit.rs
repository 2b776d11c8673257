//! Fitting: some leaves are hidden, everything is counted without them, and trees learn from them
//! how much each sign is worth. Then everything is counted again with all concepts.

use rayon::prelude::*;

use super::evidence::{FEATURES, Known, Room, gather};
use super::hide::{Hidden, Hide};
use super::lexicon::Lexicon;
use super::predictor::Predictor;
use super::profile::Profile;
use super::senses::first_name;
use super::trees::{Growing, Table, Trees};
use super::{PlaceError, PlaceParams, Placer, Rooms};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::progress::Progress;

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
        let hierarchy = model.hierarchy();
        check_texts(hierarchy)?;
        let leaves = hierarchy.leaves().filter(|&leaf| !hierarchy.parents(leaf).is_empty()).count();
        let count = (leaves / HIDDEN_SHARE).min(params.hidden);
        if count < LEAST_HIDDEN {
            let least = LEAST_HIDDEN * HIDDEN_SHARE;
            return Err(PlaceError::TooFew { leaves, least });
        }
        let trees = fit_trees(&model, count, params, progress)?;
        let learnt = Learnt::new(hierarchy, model.codes(), params.seed, progress)?;
        Ok(Self { model, learnt, trees, rooms: Rooms::default() })
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

/// Fits the trees to hidden leaves.
fn fit_trees(
    model: &Model,
    count: usize,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<Trees, PlaceError> {
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
    let table = table(whole, &hidden, &known, params, progress)?;
    Ok(Trees::fit(&table, &params.growing(), progress)?)
}

/// The candidates of all hidden concepts.
fn table(
    whole: &Hierarchy,
    hidden: &Hidden,
    known: &Known<'_>,
    params: &PlaceParams,
    progress: &dyn Progress,
) -> Result<Table, PlaceError> {
    let asked = hidden.queries.iter().enumerate().flat_map(|(at, &query)| {
        let nameless = params.names_only > 0 && at % params.names_only == 0;
        [Some((query, true)), nameless.then_some((query, false))].into_iter().flatten()
    });
    let asked: Vec<(Id, bool)> = asked.collect();
    let rooms = Rooms::default();
    let found = asked
        .par_iter()
        .map(|&(query, defined)| {
            progress.go_on()?;
            let definition = if defined { whole.definition(query) } else { None };
            let name = first_name(whole, query);
            let profile = Profile::new(&[name], definition.unwrap_or(""), &known.lexicon.senses);
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
            Ok((evidence.rows, wanted))
        })
        .collect::<Result<Vec<_>, PlaceError>>()?;
    let mut table = Table { width: FEATURES, starts: vec![0], ..Table::default() };
    for (rows, wanted) in found {
        table.values.extend(rows);
        table.wanted.extend(wanted);
        table.starts.push(table.wanted.len());
    }
    Ok(table)
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
