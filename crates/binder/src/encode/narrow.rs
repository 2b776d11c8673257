//! Fewer bits than the construction takes, by searching from random codes.
//!
//! The forest's labels use few of the sets that a code can be, and the search pair by pair gets
//! stuck near them. A search by epochs that begins with random monotone codes of fewer bits is not
//! bound to them: it mends all false pairs at once, again and again. Where it ends without a false
//! pair, the codes are exact in fewer bits.

use super::EncodeError;
use super::params::Plan;
use crate::codes::Codes;
use crate::graph::Dag;
use crate::progress::Progress;
use crate::search::{EpochSearch, inherited_codes};

/// Narrower exact codes, if any are found; otherwise the codes that are given, which are exact.
///
/// Steps down by an eighth of the bits, and by half as much after every failure.
pub(super) fn narrowed(
    mut codes: Codes,
    dag: &Dag,
    plan: &Plan,
    lower_bound: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Codes, EncodeError> {
    if plan.epochs == 0 {
        return Ok(codes);
    }
    progress.start("searching for fewer bits", None);
    let mut step = codes.bits() / 8 + 1;
    while step > 0 {
        let bits = codes.bits().saturating_sub(step);
        let found = if bits < lower_bound.max(1) {
            None
        } else {
            exact_in(bits, dag, plan.epochs, seed, progress)?
        };
        match found {
            Some(narrower) => codes = narrower,
            None => step /= 2,
        }
    }
    Ok(codes)
}

/// Exact codes of so many bits; `None` when `patience` epochs bring no fewer false pairs.
fn exact_in(
    bits: usize,
    dag: &Dag,
    patience: u64,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Option<Codes>, EncodeError> {
    let mut codes = inherited_codes(dag, bits, seed)?;
    let mut search = EpochSearch::new(dag, seed);
    let (mut least, mut improved_in) = (u64::MAX, 0);
    for epoch in 1.. {
        progress.advance(1);
        let left = search.epoch(&mut codes, epoch, &chance, progress)?.false_pairs;
        if left == 0 {
            return Ok(Some(codes));
        }
        if left < least {
            (least, improved_in) = (left, epoch);
        }
        if epoch - improved_in >= patience {
            break;
        }
    }
    Ok(None)
}

/// The chance of a move by what it gains, in units of 2^-64: that of `train --recipe best`, for
/// which the chance is ½ tanh(2 (0.05 · 10 · gain + 0.01)).
fn chance(gain: i64) -> u64 {
    const PERCENT: u64 = u64::MAX / 100;
    match gain {
        ..0 => 0,
        0 => PERCENT,
        1 => 38 * PERCENT,
        2 => 48 * PERCENT,
        _ => 50 * PERCENT,
    }
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn chances_are_those_of_the_recipe_best() {
        for gain in -3..6_i32 {
            let formula = (0.5 * (2.0 * (0.5 * f64::from(gain) + 0.01)).tanh()).max(0.0);
            #[expect(clippy::cast_precision_loss)]
            let got = chance(gain.into()) as f64 / 2f64.powi(64);
            assert!((got - formula).abs() < 0.01, "{gain}: {got} for {formula}");
        }
    }
}
