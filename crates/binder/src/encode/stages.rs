//! From the forest's codes to exact ones, and from exact ones to fewer bits.

use rayon::prelude::*;

use super::EncodeError;
use super::cover::separating_column;
use super::first_fit::first_fit;
use super::forest::forest_codes;
use super::params::Plan;
use crate::bits::{Id, id, ones};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::memory;
use crate::progress::Progress;
use crate::search::{Pair, PairSearch, critical_pairs};

/// The most critical pairs listed at once, 12 MB of them; GO's million fits, so that most
/// hierarchies are listed whole.
const MOST_LISTED: usize = 1_500_000;

/// A list that is not whole is worked off down to this share before the next is drawn: its last
/// pairs say little about the others.
const WORKED_OFF: usize = 16;

/// Codes from the best of the plan's forests, with columns until no more than `plan.leave` critical
/// pairs are false or `most` bits are used.
pub(super) fn covered(
    closure: &Closure<'_>,
    plan: &Plan,
    most: usize,
    progress: &dyn Progress,
) -> Result<Covered, EncodeError> {
    progress.start("coding a forest", None);
    let mut best: Option<Covered> = None;
    for &kept in plan.kept {
        let codes = forest_codes(closure.dag(), kept)?;
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

/// Adds columns until no more than `leave` critical pairs are false or there are `most` bits; says
/// how many are left of those listed last.
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
        memory::check("codes and their columns", 3 * 8 * words)?;
        let mut critical = critical_pairs(&codes, closure, MOST_LISTED, progress)?;
        let (listed, mut columns) = (critical.pairs.len(), Vec::new());
        let enough = |left: usize, new: usize| {
            left == 0
                || codes.bits() + new >= most
                || left <= if critical.complete { leave } else { listed / WORKED_OFF }
        };
        progress.start("separating critical pairs", Some(listed as u64));
        dense |= is_too_much(&critical.pairs, closure);
        while !dense && !enough(critical.pairs.len(), columns.len()) {
            progress.go_on()?;
            let before = critical.pairs.len();
            columns.push(separating_column(&mut critical.pairs, closure));
            progress.advance((before - critical.pairs.len()) as u64);
            dense = is_slow(listed, critical.pairs.len(), columns.len());
        }
        codes = with_columns(&codes, &columns)?;
        let mut left = critical.pairs.len();
        if dense {
            (codes, left) = first_fit(&codes, &critical.pairs, closure, most, progress)?;
        }
        if critical.complete || listed == 0 {
            return Ok((codes, left));
        }
        if codes.bits() >= most {
            // There may be others that were not listed.
            return Ok((codes, left.max(1)));
        }
    }
}

/// Whether a single column would take too much work: to weigh a parent, all false pairs of everything
/// below it are looked at.
fn is_too_much(pairs: &[Pair], closure: &Closure<'_>) -> bool {
    if (pairs.len() as u64) < LONG {
        return false;
    }
    let above = closure.dag().ancestor_counts();
    let looks = |&(child, parent): &Pair| above[child as usize] + above[parent as usize] + 2;
    pairs.iter().map(looks).sum::<u64>() > MOST_LOOKS
}

/// The most looks at false pairs that a column may take.
const MOST_LOOKS: u64 = 400_000_000;

/// Whether a list of critical pairs is long and the first columns say that it would take very many
/// of them, one after the other.
///
/// After [`TRIED`] columns that leave a share `r` of the pairs, each next one leaves `r^(1/TRIED)`
/// of what there is.
fn is_slow(listed: usize, left: usize, columns: usize) -> bool {
    let (listed, left) = (listed as u64, left as u64);
    columns == TRIED && listed >= LONG && left * SLOW.1 > listed * SLOW.0
}

/// Shorter lists are worked off in any case.
const LONG: u64 = 100_000;

/// How many columns tell how fast a list is worked off.
const TRIED: usize = 32;

/// The share of the pairs that so many columns leave in a dense graph, at least.
const SLOW: (u64, u64) = (1, 2);

/// A search from codes that it can keep the false pairs of: columns are added until there are few
/// enough. Gives codes of `most` bits back if that is not to be had.
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
        match PairSearch::new(codes, closure, seed) {
            Err(back) if back.bits() < most => {
                leave /= 4;
                (codes, _) = cover(back, closure, leave, most, progress)?;
            }
            search => return Ok(search),
        }
    }
}

/// Walks until the codes are exact, and says whether they are; adds a column whenever the plan's
/// work did not suffice, unless there are `most` bits already.
pub(super) fn settle(
    codes: Codes,
    closure: &Closure<'_>,
    plan: &Plan,
    most: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<(Codes, bool), EncodeError> {
    progress.start("removing the last false pairs", None);
    let mut search = match start(codes, closure, plan, most, seed, progress)? {
        Ok(search) => search,
        Err(codes) => return Ok((codes, false)),
    };
    let (mut patience, mut left) = (plan.patience, plan.settle);
    loop {
        let before = search.work;
        search.run(patience, left.max(patience), progress)?;
        let exact = search.false_pairs().is_empty();
        if exact || search.codes().bits() >= most {
            return Ok((search.into_codes(), exact));
        }
        left = left.saturating_sub(search.work - before);
        patience = if left > 0 { plan.patience } else { plan.patience / HASTE };
        let most_columns = if left > 0 { 1 } else { most - search.codes().bits() };
        let columns = columns_against(&search, closure, most_columns);
        search.widen(with_columns(search.codes(), &columns)?);
    }
}

/// How much shorter searchs are once the work is used up and only columns can help.
const HASTE: u64 = 4;

/// One column or more, `most` of them at most, against what a search has left open: until a third
/// is left to the next search.
fn columns_against(search: &PairSearch<'_>, closure: &Closure<'_>, most: usize) -> Vec<Vec<bool>> {
    let left = search.false_pairs();
    let mut pairs: Vec<Pair> =
        left.pairs().iter().map(|&pair| left.critical(pair, closure.dag())).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let (enough, mut columns) = (pairs.len() / 3, Vec::new());
    while columns.is_empty() || (pairs.len() > enough && columns.len() < most) {
        columns.push(separating_column(&mut pairs, closure));
    }
    columns
}

/// Drops columns of exact codes, the least useful first, for as long as a search can make up for
/// the loss and there are more than `bound`.
pub(super) fn shrink(
    mut codes: Codes,
    closure: &Closure<'_>,
    plan: &Plan,
    bound: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Codes, EncodeError> {
    progress.start("dropping columns", Some(plan.shrink));
    let mut left = plan.shrink;
    while left > 0 && codes.bits() > bound.max(1) {
        let column = least_useful(&codes);
        let Ok(mut search) = PairSearch::new(without_column(&codes, column)?, closure, seed) else {
            break;
        };
        search.run(plan.patience, left, progress)?;
        left = left.saturating_sub(search.work);
        if !search.false_pairs().is_empty() {
            break;
        }
        codes = search.into_codes();
    }
    Ok(codes)
}

/// Drops the least useful columns until `most` are left, whatever it costs; a few at a time while
/// many must go.
pub(super) fn cut(mut codes: Codes, most: usize) -> Result<Codes, EncodeError> {
    while codes.bits() > most {
        let counts = kept_apart(&codes, codes.len().div_ceil(SAMPLED));
        let mut ranked: Vec<usize> = (0..codes.bits()).collect();
        ranked.sort_by_key(|&column| counts[column]);
        ranked.truncate(1 + (codes.bits() - most) / 4);
        // From the last on, so that the column that fills the gap is never one that is still to go.
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        for column in ranked {
            codes = without_column(&codes, column)?;
        }
    }
    Ok(codes)
}

/// How many parents a cut looks at: with few bits left, nearly all pairs are kept apart by one bit
/// or none.
const SAMPLED: usize = 4096;

/// The column that keeps the fewest pairs apart on its own.
fn least_useful(codes: &Codes) -> usize {
    let counts = kept_apart(codes, 1);
    (0..codes.bits()).min_by_key(|&bit| counts[bit]).unwrap_or(0)
}

/// For each column, how many pairs it alone keeps apart, over every `step`-th parent.
fn kept_apart(codes: &Codes, step: usize) -> Vec<u64> {
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

/// The same codes with columns behind them.
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

/// The same codes without a column; the last one takes its place.
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
