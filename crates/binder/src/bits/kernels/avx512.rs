//! The kernels for AVX-512: eight words at a time, compares that give bit masks, masked additions.

use std::arch::x86_64::*;

use super::{Kernels, scalar};
use crate::bits::{Block, Id};

vector_kernels!("avx512f,avx512bw,avx512dq,bmi2,popcnt");

/// Stops when no concept is left. Testing for that after every fourth column is fastest.
#[target_feature(enable = "avx512f")]
fn all<const HAVING: bool>(blocks: &[Block], columns: &[u16]) -> Block {
    let mut left = _mm512_set1_epi64(-1);
    for four in columns.chunks(4) {
        for &column in four {
            let block = load(&blocks[usize::from(column)].0);
            left = if HAVING {
                _mm512_and_si512(left, block)
            } else {
                _mm512_andnot_si512(block, left)
            };
        }
        if _mm512_test_epi64_mask(left, left) == 0 {
            break;
        }
    }
    store(left)
}

#[target_feature(enable = "avx512f")]
fn but_one<const HAVING: bool>(blocks: &[Block], columns: &[u16]) -> (Block, Block) {
    let (mut zero, mut one) = (_mm512_set1_epi64(-1), _mm512_setzero_si512());
    for four in columns.chunks(4) {
        for &column in four {
            let block = load(&blocks[usize::from(column)].0);
            // 0xCA is "first ? second : third", bit by bit.
            if HAVING {
                one = _mm512_ternarylogic_epi64::<0xCA>(block, one, zero);
                zero = _mm512_and_si512(zero, block);
            } else {
                one = _mm512_ternarylogic_epi64::<0xCA>(block, zero, one);
                zero = _mm512_andnot_si512(block, zero);
            }
        }
        let left = _mm512_or_si512(zero, one);
        if _mm512_test_epi64_mask(left, left) == 0 {
            break;
        }
    }
    (store(zero), store(one))
}

/// Uses each word of a row as the mask for adding 1 to 64 byte counters. After 255 rows, before a
/// byte can overflow, the counters are added to `counts`.
#[target_feature(enable = "avx512f,avx512bw")]
fn column_counts(words: &[u64], stride: usize, rows: &[Id], counts: &mut [u32]) {
    let one = _mm512_set1_epi8(1);
    for rows in rows.chunks(usize::from(u8::MAX)) {
        for (word, counts) in counts.chunks_exact_mut(64).enumerate().take(stride) {
            let mut counters = _mm512_setzero_si512();
            for &row in rows {
                let mask = words[row as usize * stride + word];
                counters = _mm512_mask_add_epi8(counters, mask, counters, one);
            }
            for (count, counter) in counts.iter_mut().zip(bytes(counters)) {
                *count += u32::from(counter);
            }
        }
    }
}

#[target_feature(enable = "avx512f")]
fn compare(numbers: &[i64], bounds: [i64; 2]) -> (u64, [u64; 2]) {
    let (eights, rest) = numbers.as_chunks::<8>();
    let (mut zero, mut reaching) = (0, [0; 2]);
    if !rest.is_empty() {
        (zero, reaching) = scalar::compare(rest, bounds);
        (zero, reaching) =
            (zero << (8 * eights.len()), reaching.map(|reaching| reaching << (8 * eights.len())));
    }
    for (at, eight) in eights.iter().enumerate() {
        let eight = load_numbers(eight);
        zero |= u64::from(_mm512_cmpeq_epi64_mask(eight, _mm512_setzero_si512())) << (8 * at);
        for (reaching, bound) in reaching.iter_mut().zip(bounds) {
            *reaching |=
                u64::from(_mm512_cmpge_epi64_mask(eight, _mm512_set1_epi64(bound))) << (8 * at);
        }
    }
    (zero, reaching)
}

#[target_feature(enable = "avx512f,avx512dq,bmi2,popcnt")]
fn near_rows<const BELOW: bool>(words: &[u64], code: &[u64], rows: &[Id], near: &mut Vec<Id>) {
    match code {
        &[first, second] => near_pairs::<BELOW>(words, [first, second], rows, near),
        _ => super::near_rows::<BELOW>(words, code, rows, near),
    }
}

/// A mask of the even bits: those that stand for the first word of each of sixteen two-word rows.
const FIRST_WORDS: u32 = 0x5555_5555;

/// Tests sixteen rows of two words (the usual width) at a time, four rows to a register. A row is
/// near when at most one of its words has missing bits and no word has more than one of them. A
/// word has at most one missing bit when clearing its lowest missing bit leaves zero.
#[target_feature(enable = "avx512f,avx512dq,bmi2,popcnt")]
fn near_pairs<const BELOW: bool>(words: &[u64], code: [u64; 2], rows: &[Id], near: &mut Vec<Id>) {
    let (table, _) = words.as_chunks::<2>();
    super::check_rows(rows, table.len());
    // SAFETY: `check_rows` has checked that all rows are in the table.
    let row = |row: Id| unsafe { table.get_unchecked(row as usize) };
    let [first, second] = code;
    let pattern = load(&[first, second, first, second, first, second, first, second]);
    let (groups, rest) = rows.as_chunks::<16>();
    let mut count = near.len();
    near.resize(count + rows.len(), 0);
    for group in groups {
        let (mut any_missing, mut several_missing) = (0u32, 0u32);
        for (part, &[a, b, c, d]) in group.as_chunks::<4>().0.iter().enumerate() {
            let four = load_rows([row(a), row(b), row(c), row(d)]);
            let missing = if BELOW {
                _mm512_andnot_si512(four, pattern)
            } else {
                _mm512_andnot_si512(pattern, four)
            };
            let left = _mm512_and_si512(missing, _mm512_add_epi64(missing, _mm512_set1_epi64(-1)));
            any_missing |= u32::from(_mm512_test_epi64_mask(missing, missing)) << (8 * part);
            several_missing |= u32::from(_mm512_test_epi64_mask(left, left)) << (8 * part);
        }
        // Bits 2i and 2i + 1 belong to row i.
        let far = several_missing | several_missing >> 1 | any_missing & any_missing >> 1;
        let kept = _pext_u32(!far, FIRST_WORDS);
        #[expect(clippy::cast_possible_truncation, reason = "a bit for each of sixteen rows")]
        let ids = _mm512_maskz_compress_epi32(kept as __mmask16, load_ids(group));
        // All sixteen slots are written; the count says how many of them are kept.
        near[count..count + 16].copy_from_slice(&ids_of(ids));
        count += kept.count_ones() as usize;
    }
    near.truncate(count);
    super::near_rows::<BELOW>(words, &code, rest, near);
}

#[target_feature(enable = "avx512f,avx512dq")]
fn load_rows([a, b, c, d]: [&[u64; 2]; 4]) -> __m512i {
    let rows = _mm512_broadcast_i64x2(load_row(a));
    let rows = _mm512_mask_broadcast_i64x2(rows, 0b0000_1100, load_row(b));
    let rows = _mm512_mask_broadcast_i64x2(rows, 0b0011_0000, load_row(c));
    _mm512_mask_broadcast_i64x2(rows, 0b1100_0000, load_row(d))
}

/// A function, not a closure given to `map`: `map` is compiled without these features, so the
/// closure would be called for every row instead of being inlined.
#[target_feature(enable = "avx512f,avx512dq")]
fn load_row(row: &[u64; 2]) -> __m128i {
    // SAFETY: a row is 16 bytes, and the load asks for no alignment.
    unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn load_numbers(numbers: &[i64; 8]) -> __m512i {
    // SAFETY: eight numbers are 64 bytes, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: eight words are 64 bytes, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn store(register: __m512i) -> Block {
    let mut block = Block::ZERO;
    // SAFETY: a block is 64 bytes, and the store asks for no alignment.
    unsafe { _mm512_storeu_si512(block.0.as_mut_ptr().cast(), register) };
    block
}

#[target_feature(enable = "avx512f")]
fn bytes(register: __m512i) -> [u8; 64] {
    let mut bytes = [0; 64];
    // SAFETY: there are 64 bytes, and the store asks for no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), register) };
    bytes
}

#[target_feature(enable = "avx512f")]
fn load_ids(ids: &[Id; 16]) -> __m512i {
    // SAFETY: sixteen ids are 64 bytes, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(ids.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn ids_of(register: __m512i) -> [Id; 16] {
    let mut ids = [0; 16];
    // SAFETY: sixteen ids are 64 bytes, and the store asks for no alignment.
    unsafe { _mm512_storeu_si512(ids.as_mut_ptr().cast(), register) };
    ids
}
