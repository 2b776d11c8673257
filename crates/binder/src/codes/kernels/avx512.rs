//! The kernels for AVX-512: eight words at a time, compares that give bit masks, adds under a mask.

use std::arch::x86_64::*;

use super::{Kernels, Lane, first_lanes, pattern, scalar};
use crate::hierarchy::Id;

/// The kernels, where the machine has what they use.
pub(super) fn kernels() -> Option<&'static Kernels> {
    let there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    there.then_some(&KERNELS)
}

vector_kernels!("avx512", "avx512f,avx512bw,avx512dq,bmi2,popcnt");

/// Eight rows of `W` words are `W` registers. Each word either stands in the relation or not: `8 W` bits, from
/// which the rows whose `W` bits are all set are picked with one `pext`.
#[target_feature(enable = "avx512f,bmi2")]
fn fixed_scan<const W: usize, const SUPERSETS: bool>(rows: &[u64], code: &[u64], found: &mut [u64]) {
    let patterns: [[u64; 8]; W] = pattern(code);
    let patterns = patterns.map(|words| load(&words));
    let groups = rows.chunks_exact(8 * W);
    let (rest, grouped) = (groups.remainder(), rows.len() / (8 * W) * 8);
    for (group, at) in groups.zip(0..) {
        let mut words_fit = 0u32;
        let (registers, _) = group.as_chunks::<8>();
        for (part, register) in registers.iter().enumerate() {
            let row = load(register);
            let missing = if SUPERSETS {
                _mm512_andnot_si512(row, patterns[part])
            } else {
                _mm512_andnot_si512(patterns[part], row)
            };
            words_fit |= u32::from(_mm512_testn_epi64_mask(missing, missing)) << (8 * part);
        }
        let mut rows_fit = words_fit;
        for word in 1..W {
            rows_fit &= words_fit >> word;
        }
        let rows_fit = _pext_u32(rows_fit, first_lanes(8, W));
        found[at / 8] |= u64::from(rows_fit) << (at % 8 * 8);
    }
    super::scan_rest::<SUPERSETS>(rest, grouped, code, found);
}

/// Stops as soon as no concept is left; asking that after every fourth column costs least.
#[target_feature(enable = "avx512f")]
fn all<const HAVING: bool>(lanes: &[Lane], columns: &[u16]) -> Lane {
    let mut left = _mm512_set1_epi64(-1);
    for four in columns.chunks(4) {
        for &column in four {
            let lane = load(&lanes[usize::from(column)].0);
            left = if HAVING { _mm512_and_si512(left, lane) } else { _mm512_andnot_si512(lane, left) };
        }
        if _mm512_test_epi64_mask(left, left) == 0 {
            break;
        }
    }
    store(left)
}

#[target_feature(enable = "avx512f")]
fn but_one<const HAVING: bool>(lanes: &[Lane], columns: &[u16]) -> (Lane, Lane) {
    let (mut zero, mut one) = (_mm512_set1_epi64(-1), _mm512_setzero_si512());
    for four in columns.chunks(4) {
        for &column in four {
            let lane = load(&lanes[usize::from(column)].0);
            // 0xCA is "first ? second : third", bit by bit.
            if HAVING {
                one = _mm512_ternarylogic_epi64::<0xCA>(lane, one, zero);
                zero = _mm512_and_si512(zero, lane);
            } else {
                one = _mm512_ternarylogic_epi64::<0xCA>(lane, zero, one);
                zero = _mm512_andnot_si512(lane, zero);
            }
        }
        let left = _mm512_or_si512(zero, one);
        if _mm512_test_epi64_mask(left, left) == 0 {
            break;
        }
    }
    (store(zero), store(one))
}

/// A word of a row is the mask under which 64 byte counters grow; they are emptied before they can overflow.
#[target_feature(enable = "avx512f,avx512bw")]
fn column_counts(words: &[u64], stride: usize, rows: &[Id], counts: &mut [u32]) {
    let one = _mm512_set1_epi8(1);
    for rows in rows.chunks(usize::from(u8::MAX)) {
        for (word, counts) in counts.chunks_exact_mut(64).enumerate().take(stride) {
            let mut grown = _mm512_setzero_si512();
            for &row in rows {
                grown = _mm512_mask_add_epi8(grown, words[row as usize * stride + word], grown, one);
            }
            let grown: [u8; 64] = bytemuck::cast(store(grown).0);
            for (count, grown) in counts.iter_mut().zip(grown) {
                *count += u32::from(grown);
            }
        }
    }
}

#[target_feature(enable = "avx512f")]
fn sort_out(numbers: &[i64], bound: i64) -> (u64, u64) {
    let (eights, rest) = numbers.as_chunks::<8>();
    let (mut zero, mut large) = scalar::sort_out(rest, bound);
    (zero, large) =
        if eights.len() == 8 { (0, 0) } else { (zero << (8 * eights.len()), large << (8 * eights.len())) };
    for (at, eight) in eights.iter().enumerate() {
        let eight = load(&eight.map(i64::cast_unsigned));
        zero |= u64::from(_mm512_cmpeq_epi64_mask(eight, _mm512_setzero_si512())) << (8 * at);
        large |= u64::from(_mm512_cmpge_epi64_mask(eight, _mm512_set1_epi64(bound))) << (8 * at);
    }
    (zero, large)
}

#[target_feature(enable = "avx512f")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: eight words are 64 bytes, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn store(register: __m512i) -> Lane {
    let mut lane = Lane::ZERO;
    // SAFETY: a lane is 64 bytes, and the store asks for no alignment.
    unsafe { _mm512_storeu_si512(lane.0.as_mut_ptr().cast(), register) };
    lane
}
