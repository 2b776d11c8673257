//! Tests every version of every kernel against its definition, one pair and one bit at a time.

use proptest::prelude::*;

use super::*;

/// Rows of any width. A bit is one with probability `2^-k` for varying `k`, so that some rows are
/// near and some are not.
#[derive(Debug, Clone)]
struct Rows {
    words: Vec<u64>,
    stride: usize,
}

impl Rows {
    fn row(&self, at: usize) -> &[u64] {
        &self.words[at * self.stride..][..self.stride]
    }

    fn len(&self) -> usize {
        self.words.len() / self.stride
    }

    fn has(&self, at: usize, bit: usize) -> bool {
        self.row(at)[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// How many bits of `parent` are missing in `child`.
    fn missing(&self, child: usize, parent: usize) -> usize {
        let bits = 0..self.stride * 64;
        bits.filter(|&bit| self.has(parent, bit) && !self.has(child, bit)).count()
    }

    /// The first 512 rows by columns.
    fn blocks(&self) -> Vec<Block> {
        let column = |bit: usize| {
            let mut block = Block::ZERO;
            (0..self.len()).for_each(|at| block.set(at, self.has(at, bit)));
            block
        };
        (0..self.stride * 64).map(column).collect()
    }
}

fn rows() -> impl Strategy<Value = Rows> {
    let words = proptest::collection::vec((any::<u64>(), any::<u64>()), 1..80);
    (words, 1..7usize, 0..3u32).prop_map(|(words, stride, rarity)| {
        let mut words: Vec<u64> = words
            .into_iter()
            .map(|(a, b)| match rarity {
                0 => a,
                1 => a & b,
                _ => a & b & b.rotate_left(7) & a.rotate_left(13),
            })
            .collect();
        words.resize(words.len().next_multiple_of(stride), 0);
        Rows { words, stride }
    })
}

fn versions() -> impl Iterator<Item = &'static Kernels> {
    Cpu::available().into_iter().map(Kernels::of)
}

proptest! {
    #[test]
    fn scans_find_concepts_with_all_or_all_but_one_column(
        rows in rows(), wanted in any::<[u64; 6]>()
    ) {
        let (blocks, filled) = (rows.blocks(), Block::first(rows.len()));
        let chosen = |bit: &usize| wanted[bit / 64] >> (bit % 64) & 1 == 1;
        let columns: Vec<u16> =
            (0..rows.stride * 64).filter(chosen).map(|bit| u16::try_from(bit).unwrap()).collect();
        let expected = |count: usize, having: bool| {
            let differ = |at: &usize| {
                columns.iter().filter(|&&bit| rows.has(*at, bit.into()) != having).count() == count
            };
            let mut block = Block::ZERO;
            (0..rows.len()).filter(differ).for_each(|at| block.set(at, true));
            block
        };
        for kernels in versions() {
            prop_assert_eq!((kernels.all)(&blocks, &columns) & filled, expected(0, true));
            prop_assert_eq!((kernels.none)(&blocks, &columns) & filled, expected(0, false));
            let (zero, one) = (kernels.all_but_one)(&blocks, &columns);
            prop_assert_eq!((zero & filled, one & filled), (expected(0, true), expected(1, true)));
            let (zero, one) = (kernels.none_but_one)(&blocks, &columns);
            prop_assert_eq!(
                (zero & filled, one & filled),
                (expected(0, false), expected(1, false))
            );
        }
    }

    #[test]
    fn column_counts_equal_counting_bit_by_bit(
        rows in rows(), chosen in proptest::collection::vec(any::<u32>(), 0..700)
    ) {
        let n = u32::try_from(rows.len()).unwrap();
        let chosen: Vec<Id> = chosen.into_iter().map(|id| id % n).collect();
        for kernels in versions() {
            let mut counts = vec![1; rows.stride * 64];
            (kernels.column_counts)(&rows.words, rows.stride, &chosen, &mut counts);
            for (bit, &count) in counts.iter().enumerate() {
                let expected = chosen.iter().filter(|&&id| rows.has(id as usize, bit)).count();
                prop_assert_eq!(count as usize, expected + 1, "bit {}", bit);
            }
        }
    }

    #[test]
    fn near_rows_miss_at_most_one_bit(
        rows in rows(), drawn in proptest::collection::vec(any::<u32>(), 0..200), of in any::<u32>()
    ) {
        let n = u32::try_from(rows.len()).unwrap();
        let (drawn, of): (Vec<Id>, usize) =
            (drawn.into_iter().map(|id| id % n).collect(), (of % n) as usize);
        let near = |missing: &dyn Fn(usize) -> usize| -> Vec<Id> {
            let near = drawn.iter().copied().filter(|&row| missing(row as usize) <= 1);
            [7].into_iter().chain(near).collect()
        };
        for kernels in versions() {
            let (mut below, mut above) = (vec![7], vec![7]);
            (kernels.near_below)(&rows.words, rows.row(of), &drawn, &mut below);
            (kernels.near_above)(&rows.words, rows.row(of), &drawn, &mut above);
            prop_assert_eq!(below, near(&|row| rows.missing(row, of)));
            prop_assert_eq!(above, near(&|row| rows.missing(of, row)));
        }
    }

    #[test]
    fn distances_are_hamming_distances(rows in rows(), of in any::<u32>()) {
        let of = of as usize % rows.len();
        let expected: Vec<u16> = (0..rows.len())
            .map(|at| u16::try_from(rows.missing(at, of) + rows.missing(of, at)).unwrap())
            .collect();
        for kernels in versions() {
            let mut found = vec![0; rows.len()];
            (kernels.distances)(&rows.words, rows.row(of), &mut found);
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn compare_equals_comparing_one_by_one(
        numbers in proptest::collection::vec(-50..50i64, 0..65), bounds in any::<[i8; 2]>()
    ) {
        let bounds = bounds.map(i64::from);
        let bits = |wanted: &dyn Fn(i64) -> bool| {
            let found = (0..numbers.len()).filter(|&at| wanted(numbers[at]));
            found.fold(0u64, |bits, at| bits | 1 << at)
        };
        let expected = (bits(&|n| n == 0), bounds.map(|bound| bits(&|n| n >= bound)));
        for kernels in versions() {
            prop_assert_eq!((kernels.compare)(&numbers, bounds), expected);
        }
    }
}
