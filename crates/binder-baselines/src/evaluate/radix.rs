//! Sorting by digits, for many keys at a time.

/// Digits have so many bits: three of them make a key, and their counts stay in the cache.
const BITS: u32 = 11;

/// Sorts keys in ascending order. `spare` is scratch space, and has what it likes afterwards.
pub(super) fn sort(keys: &mut Vec<u32>, spare: &mut Vec<u32>) {
    spare.resize(keys.len(), 0);
    for shift in [0, BITS, 2 * BITS] {
        let digit = |key: u32| (key >> shift) as usize & ((1 << BITS) - 1);
        let mut places = [0usize; 1 << BITS];
        keys.iter().for_each(|&key| places[digit(key)] += 1);
        let mut before = 0;
        for place in &mut places {
            before += std::mem::replace(place, before);
        }
        for &key in &*keys {
            let place = &mut places[digit(key)];
            spare[*place] = key;
            *place += 1;
        }
        std::mem::swap(keys, spare);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_sorted(keys in proptest::collection::vec(any::<u32>(), 0..300)) {
            let (mut sorted, mut spare) = (keys.clone(), Vec::new());
            sort(&mut sorted, &mut spare);
            let mut plain = keys;
            plain.sort_unstable();
            prop_assert_eq!(sorted, plain);
        }
    }
}
