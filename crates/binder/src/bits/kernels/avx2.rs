//! The kernels for AVX2: four words at a time.

use std::arch::x86_64::*;

use super::{Kernels, scalar};
use crate::bits::{Block, Id};

vector_kernels!("avx2,bmi2,popcnt");

/// Stops when no concept is left, as the version for AVX-512 does.
#[target_feature(enable = "avx2")]
fn all<const HAVING: bool>(blocks: &[Block], columns: &[u16]) -> Block {
    let mut left = [_mm256_set1_epi64x(-1); 2];
    for four in columns.chunks(4) {
        for &column in four {
            let block = halves(&blocks[usize::from(column)]);
            for (left, half) in left.iter_mut().zip(block) {
                *left = if HAVING {
                    _mm256_and_si256(*left, half)
                } else {
                    _mm256_andnot_si256(half, *left)
                };
            }
        }
        if is_zero(_mm256_or_si256(left[0], left[1])) {
            break;
        }
    }
    store(left)
}

#[target_feature(enable = "avx2")]
fn but_one<const HAVING: bool>(blocks: &[Block], columns: &[u16]) -> (Block, Block) {
    let (mut zero, mut one) = ([_mm256_set1_epi64x(-1); 2], [_mm256_setzero_si256(); 2]);
    for four in columns.chunks(4) {
        for &column in four {
            let block = halves(&blocks[usize::from(column)]);
            for half in 0..2 {
                let having = if HAVING {
                    block[half]
                } else {
                    _mm256_xor_si256(block[half], _mm256_set1_epi64x(-1))
                };
                let kept = _mm256_and_si256(one[half], having);
                one[half] = _mm256_or_si256(kept, _mm256_andnot_si256(having, zero[half]));
                zero[half] = _mm256_and_si256(zero[half], having);
            }
        }
        let (first, second) = (_mm256_or_si256(zero[0], one[0]), _mm256_or_si256(zero[1], one[1]));
        if is_zero(_mm256_or_si256(first, second)) {
            break;
        }
    }
    (store(zero), store(one))
}

#[target_feature(enable = "avx2")]
fn is_zero(register: __m256i) -> bool {
    _mm256_testz_si256(register, register) == 1
}

/// Spreads 32 bits over 32 bytes as 0 or -1 and subtracts them from byte counters. After 255 rows,
/// before a byte can overflow, the counters are added to `counts`.
#[target_feature(enable = "avx2")]
fn column_counts(words: &[u64], stride: usize, rows: &[Id], counts: &mut [u32]) {
    for rows in rows.chunks(usize::from(u8::MAX)) {
        for (half, counts) in counts.chunks_exact_mut(32).enumerate().take(2 * stride) {
            let mut counters = _mm256_setzero_si256();
            for &row in rows {
                let word = words[row as usize * stride + half / 2] >> (half % 2 * 32);
                counters = _mm256_sub_epi8(counters, spread(word));
            }
            for (count, counter) in counts.iter_mut().zip(bytes(counters)) {
                *count += u32::from(counter);
            }
        }
    }
}

/// Makes byte `i` -1 where bit `i` of `bits` is set, and 0 elsewhere. Each byte first gets the byte
/// that contains its bit; then that bit is tested.
#[target_feature(enable = "avx2")]
#[expect(clippy::cast_possible_truncation, reason = "only the low half is used")]
fn spread(bits: u64) -> __m256i {
    let source =
        _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let own_bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((bits as u32).cast_signed()), source);
    _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own_bit), own_bit)
}

/// Uses the plain loop. AVX2 compares four numbers at a time but has no bit masks, so packing the
/// results into bits would cost what the compare saves.
#[target_feature(enable = "avx2")]
fn compare(numbers: &[i64], bounds: [i64; 2]) -> (u64, [u64; 2]) {
    scalar::compare(numbers, bounds)
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
fn near_rows<const BELOW: bool>(words: &[u64], code: &[u64], rows: &[Id], near: &mut Vec<Id>) {
    super::near_rows::<BELOW>(words, code, rows, near);
}

#[target_feature(enable = "avx2")]
fn load(words: &[u64; 4]) -> __m256i {
    // SAFETY: four words are 32 bytes, and the load asks for no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn halves(block: &Block) -> [__m256i; 2] {
    let [a, b, c, d, e, f, g, h] = block.0;
    [load(&[a, b, c, d]), load(&[e, f, g, h])]
}

#[target_feature(enable = "avx2")]
fn store(halves: [__m256i; 2]) -> Block {
    let mut block = Block::ZERO;
    for (words, half) in block.0.as_chunks_mut::<4>().0.iter_mut().zip(halves) {
        // SAFETY: four words are 32 bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), half) };
    }
    block
}

#[target_feature(enable = "avx2")]
fn bytes(register: __m256i) -> [u8; 32] {
    let mut bytes = [0; 32];
    // SAFETY: there are 32 bytes, and the store asks for no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), register) };
    bytes
}
