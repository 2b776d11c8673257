//! The stages of encoding: from the codes of a forest to exact codes, and then to fewer bits.

use rayon::prelude::*;

use super::EncodeError;
use super::cover::Cover;
use super::first_fit::first_fit;
use super::forest::forest_codes;
use super::params::Plan;
use crate::bits::{Id, MAX_BITS, id, ones};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::memory::{self, Stage};
use crate::progress::Progress;
use crate::search::{Counted, Critical, NoSearch, Pair, PairSearch, critical_pairs};

/// The largest number of critical pairs listed at once, 12 MB. The Gene Ontology has one million,
/// so for most hierarchies the list is complete.
const MAX_LISTED: usize = 1_500_000;

/// An incomplete list is used until one in this many of its pairs is left. The last pairs of a list
/// say little about the pairs that are not in it.
const UNUSED_SHARE: usize = 16;

/// Codes from the best of the plan's forests, with columns added until at most `plan.leave`
/// critical pairs are false or `most` bits are used. Also returns the number of bits of that
/// forest.
pub(super) fn covered(
    closure: &Closure<'_>,
    plan: &Plan,
    most: usize,
    progress: &dyn Progress,
) -> Result<Covered, EncodeError> {
    progress.start("coding a forest", None);
    let mut best: Option<Covered> = None;
    for &kept in plan.kept {
        let codes = forest_codes(closure.dag(), kept, most < MAX_BITS)?;
        let forest = codes.bits();
        let (codes, left) = cover(codes, closure, plan.leave, most, progress)?;
        let is_better = |best: &Covered| (codes.bits(), left) < (best.codes.bits(), best.left);
        if best.as_ref().is_none_or(is_better) {
            best = Some(Covered { forest, codes, left });
        }
    }
    Ok(best.expect("every plan has a forest"))
}

/// Codes that columns were added to.
pub(super) struct Covered {
    /// The bits of the forest alone.
    pub(super) forest: usize,
    pub(super) codes: Codes,
    /// How many critical pairs are still false, of those listed last.
    pub(super) left: usize,
}

/// Adds columns until at most `leave` critical pairs are false or there are `most` bits. Also
/// returns how many pairs of the last list are left.
fn cover(
    mut codes: Codes,
    closure: &Closure<'_>,
    leave: usize,
    most: usize,
    progress: &dyn Progress,
) -> Result<(Codes, usize), EncodeError> {
    let mut dense = false;
    loop {
        // The codes, their columns, and the codes that come next.
        let words = codes.words_per_row().saturating_mul(codes.len()) as u64;
        memory::check(Stage::Columns, 3 * 8 * words)?;
        let Critical { mut pairs, complete } =
            critical_pairs(&codes, closure, MAX_LISTED, progress)?;
        let listed = pairs.len();
        let enough = |left: usize, new: usize| {
            left == 0
                || codes.bits() + new >= most
                || left <= if complete { leave } else { listed / UNUSED_SHARE }
        };
        progress.start("separating critical pairs", Some(listed as u64));
        dense |= is_too_much(&pairs, closure);
        if !dense && !enough(listed, 0) {
            let (mut cover, mut columns) = (Cover::new(pairs, closure), Vec::new());
            while !dense && !enough(cover.pairs().len(), columns.len()) {
                progress.go_on()?;
                let before = cover.pairs().len();
                columns.push(cover.column());
                progress.advance((before - cover.pairs().len()) as u64);
                dense = is_slow(listed, cover.pairs().len(), columns.len());
            }
            codes = with_columns(&codes, &columns)?;
            pairs = cover.into_pairs();
        }
        let mut left = pairs.len();
        if dense {
            (codes, left) = first_fit(&codes, &pairs, closure, most, progress)?;
        }
        if complete || listed == 0 {
            return Ok((codes, left));
        }
        if codes.bits() >= most {
            // There may be others that were not listed.
            return Ok((codes, left.max(1)));
        }
    }
}

/// Whether a single column would take too much work: to weigh a parent, all false pairs of
/// everything below it are examined.
fn is_too_much(pairs: &[Pair], closure: &Closure<'_>) -> bool {
    if (pairs.len() as u64) < MIN_LONG_LIST {
        return false;
    }
    let above = closure.dag().ancestor_counts();
    let examined = |&(child, parent): &Pair| above[child as usize] + above[parent as usize] + 2;
    pairs.iter().map(examined).sum::<u64>() > MAX_EXAMINED
}

/// The largest number of examined false pairs that one column may take.
const MAX_EXAMINED: u64 = 400_000_000;

/// Whether a list of critical pairs is long and its first columns tell that it would take very many
/// of them, one after the other.
///
/// After [`TRIED_COLUMNS`] columns that leave a share `r` of the pairs, each further one leaves
/// `r^(1/TRIED_COLUMNS)` of what there is.
fn is_slow(listed: usize, left: usize, columns: usize) -> bool {
    let (listed, left) = (listed as u64, left as u64);
    columns == TRIED_COLUMNS && listed >= MIN_LONG_LIST && left * SLOW.1 > listed * SLOW.0
}

/// Shorter lists are separated column by column in any case.
const MIN_LONG_LIST: u64 = 100_000;

/// The number of columns after which [`is_slow`] judges.
const TRIED_COLUMNS: usize = 32;

/// The share of the pairs, as a fraction, that these columns leave at least in a dense graph.
const SLOW: (u64, u64) = (1, 2);

/// Codes with columns added until a search can keep all false pairs in memory.
pub(crate) fn fewer_false_pairs(
    codes: Codes,
    closure: &Closure<'_>,
    progress: &dyn Progress,
) -> Result<Codes, EncodeError> {
    if codes.bits() >= MAX_BITS {
        return Err(EncodeError::TooManyBits { bits: MAX_BITS + 1, most: MAX_BITS });
    }
    cover(codes, closure, MAX_LISTED / 4, MAX_BITS, progress).map(|(codes, _)| codes)
}

/// The codes of a search that has ended without success, with a few columns against what is left.
pub(crate) fn with_columns_against(
    search: &PairSearch<'_>,
    closure: &Closure<'_>,
) -> Result<Codes, EncodeError> {
    let most = 1 + search.codes().bits() / ADDED_SHARE;
    with_columns(search.codes(), &columns_against(search, closure, most))
}

/// Starts a search. Adds columns until the false pairs are few enough to be kept in memory. Returns
/// codes of `most` bits as the inner error if they still have too many.
fn start<'a>(
    mut codes: Codes,
    closure: &'a Closure<'a>,
    plan: &Plan,
    most: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Result<PairSearch<'a>, Codes>, EncodeError> {
    let mut leave = plan.leave;
    loop {
        match PairSearch::new(codes, closure, Counted::Critical, seed, progress) {
            Err(NoSearch::TooMany(back)) if back.bits() < most => {
                leave /= 4;
                (codes, _) = cover(back, closure, leave, most, progress)?;
            }
            Err(NoSearch::TooMany(back)) => return Ok(Err(back)),
            Err(NoSearch::Memory(error)) => return Err(error.into()),
            Err(NoSearch::Cancelled(error)) => return Err(error.into()),
            Ok(search) => return Ok(Ok(search)),
        }
    }
}

/// Codes after a search.
pub(super) struct Settled {
    pub(super) codes: Codes,
    pub(super) exact: bool,
    /// The columns of exact codes, the least useful first.
    least_useful: Vec<usize>,
    /// The work that was done.
    pub(super) work: u64,
}

impl Settled {
    /// Codes with too many false pairs for a search.
    fn without_search(codes: Codes, work: u64) -> Self {
        Self { codes, exact: false, least_useful: Vec::new(), work }
    }

    fn of(search: PairSearch<'_>, work: u64) -> Self {
        Self {
            exact: search.false_pairs().is_empty(),
            least_useful: search.least_useful_first(),
            codes: search.into_codes(),
            work,
        }
    }
}

/// Searches until the codes are exact. Adds columns whenever a search ends without success, unless
/// there are `most` bits already.
pub(super) fn settle(
    codes: Codes,
    closure: &Closure<'_>,
    plan: &Plan,
    most: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Settled, EncodeError> {
    progress.start("removing the last false pairs", None);
    let (mut codes, mut work) = (codes, 0);
    loop {
        let mut search = match start(codes, closure, plan, most, seed, progress)? {
            Ok(search) => search,
            Err(codes) => return Ok(Settled::without_search(codes, work)),
        };
        let left = plan.settle.saturating_sub(work);
        let patience = if left > 0 { plan.patience } else { plan.patience / OVER_BUDGET_DIVISOR };
        search.run(patience, left.max(patience), progress)?;
        work += search.work;
        let bits = search.codes().bits();
        if search.false_pairs().is_empty() {
            return Ok(Settled::of(search, work));
        }
        if bits >= most {
            return annealed(search.into_codes(), closure, plan, seed, progress);
        }
        let columns = columns_against(&search, closure, (1 + bits / ADDED_SHARE).min(most - bits));
        codes = with_columns(search.codes(), &columns)?;
    }
}

/// Codes that a search could not make exact, with fewer false pairs.
///
/// That search counts critical pairs and raises weights, so it ends anywhere: one critical pair may
/// stand for one false pair or for thousands. This one counts all false pairs, unless they are too
/// many to be kept in memory, and anneals.
fn annealed(
    mut codes: Codes,
    closure: &Closure<'_>,
    plan: &Plan,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Settled, EncodeError> {
    for counted in [Counted::All, Counted::Critical] {
        let mut search = match PairSearch::new(codes, closure, counted, seed, progress) {
            Ok(search) => search,
            Err(NoSearch::TooMany(back)) => {
                codes = back;
                continue;
            }
            Err(NoSearch::Memory(error)) => return Err(error.into()),
            Err(NoSearch::Cancelled(error)) => return Err(error.into()),
        };
        progress.start("removing false pairs", None);
        search.descend(plan.patience, progress)?;
        let (left, descended) = (search.false_pairs().len(), search.codes().clone());
        search.anneal(plan.anneal, progress)?;
        let work = search.work;
        let is_worse = search.false_pairs().len() > left;
        let settled = Settled::of(search, work);
        return Ok(if is_worse { Settled { codes: descended, ..settled } } else { settled });
    }
    Ok(Settled::without_search(codes, 0))
}

/// The divisor of the patience after the budget is used up. Then columns should do most of the
/// work.
const OVER_BUDGET_DIVISOR: u64 = 4;

/// After a search without success, at most one column is added for so many that there are.
const ADDED_SHARE: usize = 32;

/// One or more columns, at most `most`, against the false pairs that a search has left. They leave
/// a third of the critical pairs to the next search.
fn columns_against(search: &PairSearch<'_>, closure: &Closure<'_>, most: usize) -> Vec<Vec<bool>> {
    let mut pairs: Vec<Pair> = search.false_pairs().pairs().to_vec();
    pairs.sort_unstable();
    let (enough, mut columns) = (pairs.len() / 3, Vec::new());
    let mut cover = Cover::new(pairs, closure);
    while columns.is_empty() || (cover.pairs().len() > enough && columns.len() < most) {
        columns.push(cover.column());
    }
    columns
}

/// Drops columns of exact codes, the least useful first, while a search can make the codes exact
/// again, work is left, and there are more than `bound` columns.
///
/// Several columns are dropped at once, half as many after each failure. When a single one cannot
/// be dropped, others are tried in its place.
pub(super) fn shrink(
    mut best: Settled,
    closure: &Closure<'_>,
    plan: &Plan,
    bound: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Settled, EncodeError> {
    progress.start("dropping columns", Some(plan.shrink));
    let (mut work, mut failures) = (0, 0);
    let mut step = best.codes.bits() / FIRST_DROPPED_SHARE + 1;
    while work < plan.shrink && best.codes.bits() > bound.max(1) {
        step = step.min(best.codes.bits() - bound.max(1));
        // After a failure with one column, the next is dropped in its place.
        let skipped = if step == 1 { failures % best.codes.bits() } else { 0 };
        let columns = best.least_useful.iter().copied().cycle().skip(skipped).take(step);
        let left = plan.shrink - work;
        let attempt = Attempt { patience: plan.patience, most: left, seed: seed + failures as u64 };
        let found = attempt.without(&best.codes, columns.collect(), closure, progress)?;
        let (spent, found) = found;
        work += spent;
        match found {
            Some(found) => best = found,
            None if step > 1 => step /= 2,
            None => failures += 1,
        }
        if failures > plan.failures {
            break;
        }
    }
    best.work += work;
    Ok(best)
}

/// The first attempt to drop columns drops one of so many.
const FIRST_DROPPED_SHARE: usize = 16;

/// If the codes are exact and little wider than a number of whole words, drops all columns beyond
/// that at once, and spends up to as much work as was spent before to make the codes exact again.
///
/// A code takes whole words: 66 bits take as much memory and time as 128.
pub(super) fn whole_words(
    best: Settled,
    closure: &Closure<'_>,
    plan: &Plan,
    bound: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Settled, EncodeError> {
    let Some(beyond) = beyond_whole_words(best.codes.bits(), bound) else { return Ok(best) };
    progress.start("dropping the last word", None);
    let columns = best.least_useful[..beyond].to_vec();
    let attempt = Attempt { patience: 4 * plan.patience, most: best.work, seed };
    let (spent, found) = attempt.without(&best.codes, columns, closure, progress)?;
    let work = best.work + spent;
    Ok(Settled { work, ..found.unwrap_or(best) })
}

/// The bits beyond whole words, if codes are little wider than these and could be as narrow: exact
/// codes have at least `bound` bits.
pub(super) fn beyond_whole_words(bits: usize, bound: usize) -> Option<usize> {
    let (words, beyond) = (bits / 64, bits % 64);
    let little = beyond > 0 && beyond <= bits / BEYOND_SHARE;
    (little && words > 0 && bits - beyond >= bound).then_some(beyond)
}

/// Codes are a little wider than whole words if one bit in so many is beyond them.
const BEYOND_SHARE: usize = 6;

/// The limits of one search without some of the columns.
struct Attempt {
    patience: u64,
    most: u64,
    seed: u64,
}

impl Attempt {
    /// The work it took, and exact codes without these columns, if a search finds any.
    fn without(
        &self,
        codes: &Codes,
        mut columns: Vec<usize>,
        closure: &Closure<'_>,
        progress: &dyn Progress,
    ) -> Result<(u64, Option<Settled>), EncodeError> {
        // The last column first: dropping a column moves the last one into its place, which must
        // not be a column that is dropped later.
        columns.sort_unstable_by(|a, b| b.cmp(a));
        let mut fewer = codes.clone();
        for column in columns {
            fewer = without_column(&fewer, column)?;
        }
        let mut search =
            match PairSearch::new(fewer, closure, Counted::Critical, self.seed, progress) {
                Ok(search) => search,
                Err(NoSearch::Cancelled(error)) => return Err(error.into()),
                Err(NoSearch::TooMany(_) | NoSearch::Memory(_)) => return Ok((self.most, None)),
            };
        search.run(self.patience, self.most, progress)?;
        let work = search.work;
        let settled = search.false_pairs().is_empty().then(|| Settled::of(search, work));
        Ok((work, settled))
    }
}

/// Drops the least useful columns until `most` are left, even if false pairs appear. While many
/// columns must be dropped, several are dropped at a time.
pub(super) fn cut(mut codes: Codes, most: usize) -> Result<Codes, EncodeError> {
    while codes.bits() > most {
        let counts = separated_alone(&codes, codes.len().div_ceil(SAMPLED));
        let mut ranked: Vec<usize> = (0..codes.bits()).collect();
        ranked.sort_by_key(|&column| counts[column]);
        ranked.truncate(1 + (codes.bits() - most) / 4);
        // The last column first: dropping a column moves the last one into its place, which must
        // not be a column that is dropped later.
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        for column in ranked {
            codes = without_column(&codes, column)?;
        }
    }
    Ok(codes)
}

/// The number of parents that a cut looks at. A sample is enough, and all would take long: with few
/// bits left, at most one bit separates nearly every pair.
const SAMPLED: usize = 4096;

/// For each column, how many pairs it alone separates, over every `step`-th parent.
fn separated_alone(codes: &Codes, step: usize) -> Vec<u64> {
    let columns = Columns::new(codes);
    let alone = |mut counts: Vec<u64>, parent: Id| {
        let row = codes.row(parent);
        columns.one_below(row, |child| {
            for (at, (more, less)) in row.iter().zip(codes.row(child)).enumerate() {
                ones(more & !less).for_each(|bit| counts[at * 64 + bit as usize] += 1);
            }
        });
        counts
    };
    let zeros = || vec![0; codes.words_per_row() * 64];
    let add = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let parents = (0..codes.len()).into_par_iter().step_by(step.max(1)).map(id);
    parents.fold(zeros, alone).reduce(zeros, add)
}

/// The same codes with columns appended.
fn with_columns(codes: &Codes, columns: &[Vec<bool>]) -> Result<Codes, EncodeError> {
    let bits = codes.bits() + columns.len();
    let wider = codes.widened(columns.len());
    let mut wider = wider.map_err(|error| EncodeError::of_codes(error, bits))?;
    for (bit, column) in (codes.bits()..).zip(columns) {
        (0..)
            .zip(column)
            .filter(|&(_, &on)| on)
            .for_each(|(concept, _)| wider.set(concept, bit, true));
    }
    Ok(wider)
}

/// Drops the columns from `first` on that no concept has.
pub(crate) fn without_empty_columns(mut codes: Codes, first: usize) -> Result<Codes, EncodeError> {
    let all: Vec<Id> = (0..id(codes.len())).collect();
    for (column, &having) in codes.column_counts(&all).iter().enumerate().skip(first).rev() {
        if having == 0 {
            codes = without_column(&codes, column)?;
        }
    }
    Ok(codes)
}

/// The same codes without one column. The last column moves to its place.
fn without_column(codes: &Codes, column: usize) -> Result<Codes, EncodeError> {
    let last = codes.bits() - 1;
    let mut fewer =
        Codes::zeros(codes.len(), last).map_err(|error| EncodeError::of_codes(error, last))?;
    let stride = fewer.words_per_row();
    for (row, few) in codes.rows().zip(fewer.words_mut().chunks_exact_mut(stride)) {
        few.copy_from_slice(&row[..stride]);
        let moved = row[last / 64] >> (last % 64) & 1;
        if last / 64 < stride {
            few[last / 64] &= !(1 << (last % 64));
        }
        if column < last {
            few[column / 64] = few[column / 64] & !(1 << (column % 64)) | moved << (column % 64);
        }
    }
    Ok(fewer)
}
