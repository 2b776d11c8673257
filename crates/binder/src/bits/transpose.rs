/// Turns 64 rows of 64 bits into 64 columns: bit `j` of word `i` becomes bit `i` of word `j`.
///
/// Swaps smaller and smaller off-diagonal blocks (Warren, *Hacker's Delight*, 7-3): six passes of
/// 32 swaps instead of 4,096 moves of single bits.
pub(crate) fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swap << width;
            rows[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bit_j_of_row_i_becomes_bit_i_of_row_j(
            rows in proptest::array::uniform32(any::<u64>())
        ) {
            let mut original = [0; 64];
            original[..32].copy_from_slice(&rows);
            let mut transposed = original;
            transpose(&mut transposed);
            for (i, row) in original.iter().enumerate() {
                for (j, column) in transposed.iter().enumerate() {
                    prop_assert_eq!(row >> j & 1, column >> i & 1);
                }
            }
        }
    }
}
