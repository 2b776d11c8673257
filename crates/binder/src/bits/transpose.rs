/// Turns 64 rows of 64 bits into 64 columns: bit `j` of word `i` becomes bit `i` of word `j`.
///
/// Swaps ever smaller off-diagonal blocks (Warren, *Hacker's Delight*, 7-3): six passes of 32 swaps
/// instead of 4,096 single bits.
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
        fn every_bit_goes_to_its_mirror_place(rows in proptest::array::uniform32(any::<u64>())) {
            let mut block = [0; 64];
            block[..32].copy_from_slice(&rows);
            let mut turned = block;
            transpose(&mut turned);
            for (i, row) in block.iter().enumerate() {
                for (j, column) in turned.iter().enumerate() {
                    prop_assert_eq!(row >> j & 1, column >> i & 1);
                }
            }
        }
    }
}
