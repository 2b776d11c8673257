//! A model of a new version of its hierarchy, in which as many codes as possible stay.
//!
//! Codes sit in people's tables, so a new version should change few of them. A concept that has the
//! same concepts above it as before, among those that both versions have, keeps its code: no pair
//! of two such concepts is answered differently. All others, the new and the relocated ones, are
//! fitted between these, parents first, each as [`grow`](crate::grow) fits an added concept:
//!
//! ```text
//!         animal 000            puppy was a pet and a dog, and is now a dog only; so its code must
//!        /        \             lose pet's bit. It takes dog's 010 and one more: 100 would make it
//!    pet 100     dog 010        a pet, with 001 nothing looks below or above it that is not.
//!     /            |
//! cat 101        puppy 011      One code has changed, and no column was appended.
//! ```
//!
//! A new concept above old ones takes only bits that all of these have. Where codes cannot be fitted
//! in like that, a search changes others, and as few of them as it can. If it finds no way, columns
//! up to the end of the last word are tried, which cost no memory.

use std::sync::Arc;

use crate::bits::{Id, IdSet, id};
use crate::codes::Codes;
use crate::diff::Diff;
use crate::encode::{self, EncodeError};
use crate::evaluate::{self, Evaluation};
use crate::graph::Closure;
use crate::grow::{Fitting, Position};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::progress::{Cancelled, Progress};
use crate::search::{Counted, NoSearch, PairSearch};

/// Why a model could not be updated.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpdateError {
    /// Some old codes lack bits of their parents, so that keeping them would keep errors.
    #[error("the model's codes are not exact: they miss {missed} of its own direct is-a pairs")]
    Misses {
        /// How many direct pairs the old codes miss.
        missed: usize,
    },
    /// Both versions have no concept in common.
    #[error("the model and the new version have no concept in common")]
    NothingInCommon,
    /// Codes would be wider than codes can be, or take too much memory.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A model of a new version, and what is known about it.
#[derive(Debug)]
pub struct Updated {
    /// The model.
    pub model: Model,
    /// The result of the check of all pairs.
    pub evaluation: Evaluation,
    /// What differs between the two versions.
    pub diff: Diff,
    /// How many concepts of both versions have the code that they had.
    pub stayed: usize,
    /// How many bits were appended to every code.
    pub appended_bits: usize,
}

/// A code that differs between a model and its update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change<'a> {
    /// The concept. A renamed one is gone under its old name and new under the other.
    pub concept: &'a str,
    /// Its code in the old model; `None` if it is new.
    pub before: Option<&'a [u64]>,
    /// Its code in the new model; `None` if it is gone.
    pub after: Option<&'a [u64]>,
}

/// Makes a model of a new version of the hierarchy, in which as many codes as possible stay; see
/// the [module](self). Every pair is checked.
///
/// # Examples
///
/// ```
/// let old = [("pet", "animal"), ("dog", "animal"), ("puppy", "dog"), ("cat", "pet")];
/// let model = binder::encode(&binder::Hierarchy::from_pairs(old)?)?;
/// let new = old.into_iter().chain([("kitten", "cat"), ("puppy", "pet")]);
/// let updated = binder::update(&model, binder::Hierarchy::from_pairs(new)?, &())?;
/// assert_eq!(updated.model.is_a("puppy", "pet"), Some(true));
/// assert_eq!(updated.evaluation.confusion.errors(), 0);
/// assert_eq!(updated.changes(&model).count(), updated.model.codes().len() - updated.stayed);
/// # Ok::<(), binder::Error>(())
/// ```
///
/// # Errors
///
/// When the versions have nothing in common, when the codes of the model miss is-a pairs, when
/// codes would be too wide, and when the work is cancelled.
pub fn update(
    model: &Model,
    new: impl Into<Arc<Hierarchy>>,
    progress: &dyn Progress,
) -> Result<Updated, UpdateError> {
    let new = new.into();
    let misses = |&(child, parent): &(Id, Id)| !model.codes().is_a(child, parent);
    let missed = model.hierarchy().pairs().filter(misses).count();
    if missed > 0 {
        return Err(UpdateError::Misses { missed });
    }
    let diff = Diff::between(model.hierarchy(), &new, progress)?;
    if diff.kept() == 0 {
        return Err(UpdateError::NothingInCommon);
    }
    let codes = exact_codes(model, &new, &diff, progress)?;
    let appended_bits = codes.bits() - model.codes().bits();
    let evaluation = evaluate::all_pairs_with(&codes, &new, progress)?;
    if evaluation.confusion.errors() > 0 {
        return Err(EncodeError::NotExact.into());
    }
    let stayed = unchanged(model.codes(), &codes, &diff).into_iter().filter(|&same| same).count();
    let updated = Model::new(new, codes).expect("there is a code for each concept");
    // A bound for the old version says nothing about the new one.
    let updated = updated.with_notes_of(model).without_note("lower_bound");
    let updated = updated.with_note("updated", "true").with_check(&evaluation);
    Ok(Updated { model: updated, evaluation, diff, stayed, appended_bits })
}

/// Exact codes that change few of the old ones.
///
/// Where that cannot be done with the columns that there are, columns up to the end of the last
/// word come next, which cost no memory and change no code that does not get them. Only then may
/// more codes change.
fn exact_codes(
    model: &Model,
    new: &Hierarchy,
    diff: &Diff,
    progress: &dyn Progress,
) -> Result<Codes, UpdateError> {
    let (closure, old) = (Closure::new(new.dag()), model.codes());
    let search = |codes, limits| separated(codes, limits, (old, &closure, diff), progress);
    let limits = Limits { weight: KEPT_WEIGHT, patiences: PATIENCES };
    let stuck = match search(nearest_codes(model, new, diff, 0, progress)?, limits)? {
        Separated::Exact(codes) => return Ok(codes),
        Separated::Stuck(search) => search.into_codes(),
    };
    let left = old.words_per_row() * 64 - old.bits();
    if left > 0 {
        let codes = nearest_codes(model, new, diff, left.min(FREE_COLUMNS), progress)?;
        // Where columns help at all, they help soon.
        if let Separated::Exact(codes) = search(codes, Limits { patiences: 1, ..limits })? {
            return Ok(encode::without_empty_columns(codes, old.bits())?);
        }
    }
    let (mut codes, mut weight) = (stuck, KEPT_WEIGHT);
    loop {
        weight /= LESS;
        match search(codes, Limits { weight, ..limits })? {
            Separated::Exact(exact) => return Ok(exact),
            Separated::Stuck(search) if weight == 0 => {
                codes = encode::with_columns_against(&search, &closure)?;
            }
            Separated::Stuck(search) => codes = search.into_codes(),
        }
    }
}

/// The old codes where they can stay, with so many columns more that none of them has. The others
/// are fitted between them, as well as that can be done with these columns.
fn nearest_codes(
    model: &Model,
    new: &Hierarchy,
    diff: &Diff,
    columns: usize,
    progress: &dyn Progress,
) -> Result<Codes, UpdateError> {
    let mut rows = Rows::new(new, diff);
    let fixed = rows.order.iter().filter_map(|&concept| diff.before[concept as usize]);
    let fixed = model.codes().reordered(&fixed.collect::<Vec<_>>());
    let bits = fixed.bits() + columns;
    let wide = fixed.widened(columns).map_err(|error| EncodeError::of_codes(error, bits))?;
    let mut fitting = Fitting::new(wide);
    progress.start("fitting codes", Some(rows.free.len() as u64));
    for concept in std::mem::take(&mut rows.free) {
        progress.go_on()?;
        let own = own_bits(model, diff.before[concept as usize]);
        let code = rows.fit(concept, &own, new, &fitting);
        fitting.push(&code);
        rows.push(concept);
        progress.advance(1);
    }
    Ok(fitting.into_codes().reordered(&rows.of_concept))
}

/// The bits of an old concept that its parents lack.
fn own_bits(model: &Model, concept: Option<Id>) -> Vec<u64> {
    let codes = model.codes();
    let Some(concept) = concept else { return vec![0; codes.words_per_row()] };
    let mut own = codes.row(concept).to_vec();
    for &parent in model.hierarchy().parents(concept) {
        own.iter_mut().zip(codes.row(parent)).for_each(|(own, word)| *own &= !word);
    }
    own
}

/// What became of the false pairs of codes.
enum Separated<'a> {
    /// No pair is false.
    Exact(Codes),
    /// The search ended before that.
    Stuck(Box<PairSearch<'a>>),
}

/// What a search may do.
#[derive(Clone, Copy)]
struct Limits {
    /// What it costs to change a code that could stay, in false pairs.
    weight: i32,
    /// How many times its patience a search may take in all.
    patiences: u64,
}

/// A search for the same codes without false pairs.
///
/// Where two branches of the hierarchy meet that did not meet before, a concept below both may have
/// all bits of a stranger, whatever its own bits are. Then a code must change that could have
/// stayed. The search of [`encode`](mod@crate::encode) finds out which, and every such change costs
/// as much as `limits.weight` false pairs. Codes that the search has changed on its way and that need
/// not differ are changed back.
fn separated<'a>(
    mut codes: Codes,
    limits: Limits,
    (old, closure, diff): (&Codes, &'a Closure<'a>, &Diff),
    progress: &dyn Progress,
) -> Result<Separated<'a>, UpdateError> {
    let patience = PATIENCE * codes.len() as u64;
    let mut search = loop {
        match PairSearch::new(codes, closure, Counted::Critical, SEED, progress) {
            Ok(search) => break search,
            Err(NoSearch::TooMany(back)) => {
                codes = encode::fewer_false_pairs(back, closure, progress)?;
            }
            Err(NoSearch::Memory(error)) => return Err(EncodeError::from(error).into()),
            Err(NoSearch::Cancelled(error)) => return Err(error.into()),
        }
    };
    let (were, free) = as_they_were(search.codes(), old, diff);
    search = search.keeping(were, &free, limits.weight);
    search.run(patience, limits.patiences * patience, progress)?;
    if !search.false_pairs().is_empty() {
        return Ok(Separated::Stuck(Box::new(search)));
    }
    search.restore(progress)?;
    Ok(Separated::Exact(search.into_codes()))
}

/// The codes of all concepts as they were, and which of them are free to change: the new and the
/// relocated ones, which have the codes that they have now.
fn as_they_were(now: &Codes, old: &Codes, diff: &Diff) -> (Codes, Vec<bool>) {
    let (mut were, mut free) = (now.clone(), vec![true; now.len()]);
    let rows = were.words_mut().chunks_exact_mut(now.words_per_row());
    for (concept, row) in (0..).zip(rows) {
        if let Some(was) = diff.before[concept as usize].filter(|_| diff.stays(concept)) {
            let (begin, end) = row.split_at_mut(old.words_per_row());
            begin.copy_from_slice(old.row(was));
            end.fill(0);
            free[concept as usize] = false;
        }
    }
    (were, free)
}

/// What it costs at first to change a code that could stay, in false pairs. With less, many are
/// changed for little; with much more, the search does not come to an end.
const KEPT_WEIGHT: i32 = 20;

/// The most columns that are tried at once up to the end of the last word.
const FREE_COLUMNS: usize = 8;

/// By how much a change costs less after a search without success.
const LESS: i32 = 4;

/// The work without a new minimum of false pairs that ends a search, for each concept, and how many
/// times as much a search may take in all.
const PATIENCE: u64 = 200;
const PATIENCES: u64 = 10;

/// The same model and data give the same codes.
const SEED: u64 = 1;

/// For each concept, whether it has the code that it had.
fn unchanged(old: &Codes, new: &Codes, diff: &Diff) -> Vec<bool> {
    let is_unchanged = |(concept, was): (Id, &Option<Id>)| {
        was.is_some_and(|was| same(old.row(was), new.row(concept)))
    };
    (0..).zip(&diff.before).map(is_unchanged).collect()
}

impl Updated {
    /// The codes that differ from those of the old model: first of concepts that are gone, then of
    /// the others.
    pub fn changes<'a>(&'a self, old: &'a Model) -> impl Iterator<Item = Change<'a>> {
        let (diff, new) = (&self.diff, &self.model);
        let named_as_before = |o: &Id, n: &Id| old.hierarchy().name(*o) == new.hierarchy().name(*n);
        let gone = old
            .hierarchy()
            .ids()
            .filter(move |o| diff.after[*o as usize].is_none_or(|n| !named_as_before(o, &n)));
        let gone = gone.map(|o| Change {
            concept: old.hierarchy().name(o),
            before: Some(old.codes().row(o)),
            after: None,
        });
        let others = new.hierarchy().ids().filter_map(move |n| {
            let was = diff.before[n as usize].filter(|o| named_as_before(o, &n));
            let (before, after) = (was.map(|o| old.codes().row(o)), new.codes().row(n));
            let differs = before.is_none_or(|before| !same(before, after));
            let concept = new.hierarchy().name(n);
            differs.then_some(Change { concept, before, after: Some(after) })
        });
        gone.chain(others)
    }
}

/// Whether two codes have the same bits, though one may be wider.
fn same(narrow: &[u64], wide: &[u64]) -> bool {
    let (begin, end) = wide.split_at(narrow.len());
    begin == narrow && end.iter().all(|&word| word == 0)
}

/// No row yet.
const NONE: Id = Id::MAX;

/// The rows of the codes while they are made: those that stay come first, then the others in the
/// order in which they are fitted.
struct Rows {
    /// The concept of each row.
    order: Vec<Id>,
    /// The row of each concept that has a code, otherwise [`NONE`].
    of_concept: Vec<Id>,
    /// The concepts that must be fitted, parents first.
    free: Vec<Id>,
}

impl Rows {
    fn new(new: &Hierarchy, diff: &Diff) -> Self {
        let (fixed, free) = new.ids().partition(|&concept| diff.stays(concept));
        let mut rows = Self { order: Vec::new(), of_concept: vec![NONE; new.len()], free };
        Vec::into_iter(fixed).for_each(|concept| rows.push(concept));
        rows
    }

    fn push(&mut self, concept: Id) {
        self.of_concept[concept as usize] = id(self.order.len());
        self.order.push(concept);
    }

    /// A code for a concept whose ancestors all have one.
    fn fit(&self, concept: Id, own: &[u64], new: &Hierarchy, fitting: &Fitting) -> Vec<u64> {
        let parents: Vec<Id> =
            new.parents(concept).iter().map(|&parent| self.of_concept[parent as usize]).collect();
        let above = self.set(new.ancestors(concept));
        let below = self.set(new.descendants(concept));
        fitting.nearest_fit(&Position { parents: &parents, above: &above, below: &below }, own)
    }

    /// The rows of those concepts that have codes.
    fn list(&self, concepts: impl IntoIterator<Item = Id>) -> Vec<Id> {
        let rows = concepts.into_iter().map(|concept| self.of_concept[concept as usize]);
        rows.filter(|&row| row != NONE).collect()
    }

    /// The same as a set.
    fn set(&self, concepts: impl IntoIterator<Item = Id>) -> IdSet {
        IdSet::from_ids(self.of_concept.len(), self.list(concepts))
    }
}
