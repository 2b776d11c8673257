//! Counter-based random numbers. They do not depend on threads, machines or the order of work.

/// A counter-based random generator: word `i` of a stream is computed directly from `i`.
///
/// The key of a stream is a hash of everything that identifies its use (seed, epoch, purpose,
/// concept). So every thread, in any order, gets the same words. The function is the output
/// function of SplitMix64 (Steele, Lea & Flood 2014): three shifts and two multiplications, which
/// compilers turn into vector code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream {
    key: u64,
}

/// What a stream is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The initial codes.
    Start = 1,
    /// Parents drawn for a child.
    Parents = 2,
    /// Children drawn for a parent.
    Children = 3,
    /// Which bits flip.
    Flips = 4,
    /// How ties are broken.
    Ties = 5,
    /// The steps of the pair search.
    Steps = 6,
}

/// 2^64 divided by the golden ratio, rounded to an odd number. Multiples of it are spread evenly
/// over all words.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The streams of all concepts for a purpose in an epoch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Streams {
    key: u64,
}

impl Streams {
    pub(crate) fn new(seed: u64, epoch: u64, purpose: Purpose) -> Self {
        let run = mix(seed.wrapping_add(STEP));
        Self { key: mix(run ^ epoch.wrapping_mul(STEP) ^ (purpose as u64) << 56) }
    }

    /// The stream of a concept.
    #[inline]
    pub(crate) fn of(self, concept: u32) -> Stream {
        Stream { key: mix(self.key.wrapping_add(u64::from(concept).wrapping_mul(STEP))) }
    }
}

impl Stream {
    /// The stream of a concept for a purpose in an epoch.
    #[inline]
    pub(crate) fn new(seed: u64, epoch: u64, purpose: Purpose, concept: u32) -> Self {
        Streams::new(seed, epoch, purpose).of(concept)
    }

    /// Word `index`.
    #[inline(always)]
    pub(crate) fn word(self, index: u64) -> u64 {
        mix(self.key.wrapping_add(index.wrapping_mul(STEP)))
    }

    /// Fills `out` with numbers below `bound`, two to a word, starting with word `from`.
    pub(crate) fn below(self, bound: u32, from: u64, out: &mut [u32]) {
        below(self.key, from, bound, out);
    }

    /// Draws each of the `candidates` bits with the same chance, given in units of 2^-64. Returns
    /// the bits drawn. Uses at most 64 words, starting with word `from`.
    pub(crate) fn bits_with_chance(self, chance: u64, candidates: u64, from: u64) -> u64 {
        bits_with_chance(self.key, from, chance, candidates)
    }
}

per_cpu! {
    /// [`Stream::bits_with_chance`] for the stream with this key.
    ///
    /// Each bit has a random number of its own, which is compared with the chance from the highest
    /// binary digit down. The first digit that differs decides: the bit is drawn if its number is
    /// lower. One random word has the next digit of all 64 numbers. Each word decides half of the
    /// undecided bits, so 64 bits take about seven words instead of 64. Eight words are computed at
    /// a time.
    fn bits_with_chance(key: u64, from: u64, chance: u64, candidates: u64) -> u64 {
        let stream = Stream { key };
        let (mut undecided, mut drawn) = (candidates, 0);
        for eight in (0..64).step_by(8) {
            if undecided == 0 || chance << eight == 0 {
                break;
            }
            let words: [u64; 8] =
                std::array::from_fn(|digit| stream.word(from + eight + digit as u64));
            for (digit, word) in (eight..).zip(words) {
                // The digit of the chance, repeated for all bits. A bit is drawn where this digit
                // is one and the digit of its own number is zero.
                let of_chance = 0u64.wrapping_sub(chance << digit >> 63);
                drawn |= undecided & of_chance & !word;
                undecided &= !(of_chance ^ word);
            }
        }
        drawn
    }
}

per_cpu! {
    /// [`Stream::below`] for the stream with this key.
    ///
    /// A 32-bit draw is scaled by a multiplication. The relative error of a number's chance is at
    /// most `bound / 2^32`, which is 2 in 100,000 for WordNet's nouns.
    fn below(key: u64, from: u64, bound: u32, out: &mut [u32]) {
        let scaled = |half: u64| ((half * u64::from(bound)) >> 32) as u32;
        let stream = Stream { key };
        let (pairs, last) = out.as_chunks_mut::<2>();
        for (index, pair) in (from..).zip(pairs.iter_mut()) {
            let word = stream.word(index);
            *pair = [scaled(word & 0xffff_ffff), scaled(word >> 32)];
        }
        if let [last] = last {
            *last = scaled(stream.word(from + pairs.len() as u64) & 0xffff_ffff);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn draws_are_scaled_halves_of_words(
            key in any::<u64>(), from in any::<u32>(), bound in 1..u32::MAX, length in 0..65usize
        ) {
            let (stream, mut drawn) = (Stream { key }, vec![0; length]);
            stream.below(bound, from.into(), &mut drawn);
            for (at, &number) in drawn.iter().enumerate() {
                let word = stream.word(u64::from(from) + at as u64 / 2);
                let half = word >> (at % 2 * 32) & 0xffff_ffff;
                prop_assert_eq!(u64::from(number), (half * u64::from(bound)) >> 32);
                prop_assert!(number < bound);
            }
        }

        #[test]
        fn a_bit_is_drawn_when_its_number_is_below_the_chance(
            key in any::<u64>(),
            from in any::<u32>(),
            chance in any::<u64>(),
            candidates in any::<u64>()
        ) {
            let stream = Stream { key };
            let drawn = stream.bits_with_chance(chance, candidates, from.into());
            for bit in 0..64 {
                // Digit `at` of the bit's number is this bit of word `at`.
                let digit = |at: u64| stream.word(u64::from(from) + at) >> bit & 1;
                let number = (0..64).fold(0u64, |number, at| number << 1 | digit(at));
                let expected = candidates >> bit & 1 == 1 && number < chance;
                prop_assert_eq!(drawn >> bit & 1 == 1, expected, "bit {}", bit);
            }
        }
    }
}
