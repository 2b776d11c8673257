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
fn sort_out(numbers: &[i64], bounds: [i64; 2]) -> (u64, [u64; 2]) {
    let (eights, rest) = numbers.as_chunks::<8>();
    let (mut zero, mut large) = (0, [0; 2]);
    if !rest.is_empty() {
        (zero, large) = scalar::sort_out(rest, bounds);
        (zero, large) = (zero << (8 * eights.len()), large.map(|large| large << (8 * eights.len())));
    }
    for (at, eight) in eights.iter().enumerate() {
        let eight = load(&eight.map(i64::cast_unsigned));
        zero |= u64::from(_mm512_cmpeq_epi64_mask(eight, _mm512_setzero_si512())) << (8 * at);
        for (large, bound) in large.iter_mut().zip(bounds) {
            *large |= u64::from(_mm512_cmpge_epi64_mask(eight, _mm512_set1_epi64(bound))) << (8 * at);
        }
    }
    (zero, large)
}

#[target_feature(enable = "avx512f,avx512dq,bmi2,popcnt")]
fn near_rows<const BELOW: bool>(words: &[u64], code: &[u64], rows: &[Id], near: &mut Vec<Id>) {
    match code {
        &[first, second] => near_pairs::<BELOW>(words, [first, second], rows, near),
        _ => super::near_rows::<BELOW>(words, code, rows, near),
    }
}

/// Sixteen rows of two words, the usual width, four to a register. A row is near when no more than one of its words has missing bits, and
/// no word has more than one: none is left when its lowest is taken away.
#[target_feature(enable = "avx512f,avx512dq,bmi2,popcnt")]
fn near_pairs<const BELOW: bool>(words: &[u64], code: [u64; 2], rows: &[Id], near: &mut Vec<Id>) {
    let (table, _) = words.as_chunks::<2>();
    super::check_rows(rows, table.len());
    let [first, second] = code;
    let pattern = load(&[first, second, first, second, first, second, first, second]);
    let (groups, rest) = rows.as_chunks::<16>();
    let mut count = near.len();
    near.resize(count + rows.len(), 0);
    for group in groups {
        let (mut some, mut many) = (0u32, 0u32);
        for (part, four) in group.as_chunks::<4>().0.iter().enumerate() {
            // SAFETY: the rows are in the table.
            let four = load_rows(four.map(|row| unsafe { table.get_unchecked(row as usize) }));
            let missing =
                if BELOW { _mm512_andnot_si512(four, pattern) } else { _mm512_andnot_si512(pattern, four) };
            let left = _mm512_and_si512(missing, _mm512_add_epi64(missing, _mm512_set1_epi64(-1)));
            some |= u32::from(_mm512_test_epi64_mask(missing, missing)) << (8 * part);
            many |= u32::from(_mm512_test_epi64_mask(left, left)) << (8 * part);
        }
        // Bits 2i and 2i + 1 are those of row i.
        let far = many | many >> 1 | some & some >> 1;
        let kept = _pext_u32(!far, first_lanes(16, 2));
        #[expect(clippy::cast_possible_truncation, reason = "a bit for each of sixteen rows")]
        let ids = _mm512_maskz_compress_epi32(kept as __mmask16, load(&bytemuck::cast(*group)));
        // All sixteen are written, and kept by counting them.
        near[count..count + 16].copy_from_slice(&bytemuck::cast::<_, [Id; 16]>(store(ids).0));
        count += kept.count_ones() as usize;
    }
    near.truncate(count);
    super::near_rows::<BELOW>(words, &code, rest, near);
}

#[target_feature(enable = "avx512f,avx512dq")]
fn load_rows(rows: [&[u64; 2]; 4]) -> __m512i {
    // SAFETY: a row is 16 bytes, and the load asks for no alignment.
    let [a, b, c, d] = rows.map(|row| unsafe { _mm_loadu_si128(row.as_ptr().cast()) });
    let rows = _mm512_broadcast_i64x2(a);
    let rows = _mm512_mask_broadcast_i64x2(rows, 0b0000_1100, b);
    let rows = _mm512_mask_broadcast_i64x2(rows, 0b0011_0000, c);
    _mm512_mask_broadcast_i64x2(rows, 0b1100_0000, d)
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
