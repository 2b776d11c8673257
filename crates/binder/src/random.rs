use crate::codes::kernels::Kernels;

/// Random words by number instead of in a row: word `i` of a stream is computed, not reached.
///
/// A stream is keyed by everything that tells its use apart (seed, epoch, purpose, concept), so whoever computes it, on
/// whatever thread and in whatever order, gets the same words. The function is the output function of SplitMix64 (Steele,
/// Lea & Flood 2014), three shifts and two multiplications, which compilers turn into vector code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream {
    key: u64,
}

/// What a stream is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The first codes.
    Start = 1,
    /// Parents drawn for a child.
    Parents = 2,
    /// Children drawn for a parent.
    Children = 3,
    /// Which bits flip.
    Flips = 4,
    /// Where to begin among equals.
    Turns = 5,
    /// The steps of the encoder's walk.
    Walk = 6,
}

/// 2^64 divided by the golden ratio, made odd: steps of it visit all words evenly.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Stream {
    /// The stream of a concept for a purpose in an epoch.
    #[inline]
    pub(crate) fn new(seed: u64, epoch: u64, purpose: Purpose, concept: u32) -> Self {
        let run = mix(seed.wrapping_add(STEP));
        let epoch = mix(run ^ epoch.wrapping_mul(STEP) ^ (purpose as u64) << 56);
        Self { key: mix(epoch.wrapping_add(u64::from(concept).wrapping_mul(STEP))) }
    }

    /// Word `index`.
    #[inline(always)]
    pub(crate) fn word(self, index: u64) -> u64 {
        mix(self.key.wrapping_add(index.wrapping_mul(STEP)))
    }

    /// Fills `out` with numbers below `bound`, two to a word, starting with word `from`.
    pub(crate) fn below(self, kernels: &Kernels, bound: u32, from: u64, out: &mut [u32]) {
        (kernels.draw)(self.key, from, bound, out);
    }
}

/// The numbers below `bound` of the stream with this key.
///
/// A 32-bit draw is scaled by a multiplication; a number's chance is off by at most `bound / 2^32` of itself, 2 in
/// 100,000 for WordNet's nouns.
#[inline(always)]
pub(crate) fn below(key: u64, from: u64, bound: u32, out: &mut [u32]) {
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
