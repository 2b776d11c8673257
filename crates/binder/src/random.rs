//! Random numbers that are computed, not reached: threads, machines and the order of work change
//! nothing.

/// Random words by number instead of in a row: word `i` of a stream is computed, not reached.
///
/// A stream is keyed by everything that tells its use apart (seed, epoch, purpose, concept), so
/// whoever computes it, on whatever thread and in whatever order, gets the same words. The function
/// is the output function of SplitMix64 (Steele, Lea & Flood 2014), three shifts and two
/// multiplications, which compilers turn into vector code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream {
    key: u64,
}

/// What a stream is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The codes to begin with.
    Start = 1,
    /// Parents drawn for a child.
    Parents = 2,
    /// Children drawn for a parent.
    Children = 3,
    /// Which bits flip.
    Flips = 4,
    /// Which of equals comes first.
    Ties = 5,
    /// The steps of a search pair by pair.
    Steps = 6,
}

/// 2^64 divided by the golden ratio, made odd: steps of it visit all words evenly.
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

    /// Which of the `asked` bits happen, each with the same chance in units of 2^-64, by the words
    /// from `from` on, at most 64 of them.
    pub(crate) fn happen(self, chance: u64, asked: u64, from: u64) -> u64 {
        happen(self.key, from, chance, asked)
    }
}

per_cpu! {
    /// What happens by the words of the stream with this key.
    ///
    /// Each bit compares a random number with the chance, from the highest digit down, and is
    /// decided at the first digit that differs; one random word gives the next digit to all. Half
    /// of the undecided are decided each time, so 64 bits take about seven words instead of 64;
    /// eight are computed at a time.
    fn happen(key: u64, from: u64, chance: u64, asked: u64) -> u64 {
        let stream = Stream { key };
        let (mut undecided, mut happen) = (asked, 0);
        for eight in (0..64).step_by(8) {
            if undecided == 0 || chance << eight == 0 {
                break;
            }
            let drawn: [u64; 8] =
                std::array::from_fn(|digit| stream.word(from + eight + digit as u64));
            for (digit, drawn) in (eight..).zip(drawn) {
                // The digit of the chance, for all bits: they happen where it is one and theirs is
                // not.
                let one = 0u64.wrapping_sub(chance << digit >> 63);
                happen |= undecided & one & !drawn;
                undecided &= !(one ^ drawn);
            }
        }
        happen
    }
}

per_cpu! {
    /// The numbers below `bound` of the stream with this key.
    ///
    /// A 32-bit draw is scaled by a multiplication; a number's chance is off by at most `bound /
    /// 2^32` of itself, 2 in 100,000 for WordNet's nouns.
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
        fn a_bit_happens_when_its_number_is_below_the_chance(
            key in any::<u64>(), from in any::<u32>(), chance in any::<u64>(), asked in any::<u64>()
        ) {
            let stream = Stream { key };
            let happens = stream.happen(chance, asked, from.into());
            for bit in 0..64 {
                // Digit by digit: the bit's number has the bit of each word in turn.
                let digit = |at: u64| stream.word(u64::from(from) + at) >> bit & 1;
                let number = (0..64).fold(0u64, |number, at| number << 1 | digit(at));
                let expected = asked >> bit & 1 == 1 && number < chance;
                prop_assert_eq!(happens >> bit & 1 == 1, expected, "bit {}", bit);
            }
        }
    }
}
