//! Which Python strings have been looked up.
//!
//! Arrays of names mostly repeat the same few string objects. An object needs to be looked up only
//! once, and comparing addresses takes neither the text nor its hash: ten times as fast.

use binder::Id;
use pyo3::prelude::*;

/// The most slots: 4 MB, which stay in a core's own cache or close to it.
const MOST: usize = 1 << 18;

/// The strings seen last. The address of a string leads to a pair of slots, which keeps two
/// strings: with one slot each, a quarter of WordNet's nouns would keep evicting each other.
pub(crate) struct Memo {
    /// Their number is a power of two. Strings are kept alive, or another might get the same
    /// address.
    slots: Vec<Option<(Py<PyAny>, Id)>>,
}

impl Memo {
    /// A memo for an array of `strings` strings.
    pub(crate) fn new(strings: usize) -> Self {
        let slots = strings.saturating_mul(2).clamp(2, MOST).next_power_of_two();
        Self { slots: (0..slots).map(|_| None).collect() }
    }

    /// The id of a string, if it was seen and has not been replaced since.
    pub(crate) fn get(&self, string: &Py<PyAny>) -> Option<Id> {
        let first = self.slot(string);
        let both = [&self.slots[first], &self.slots[first + 1]];
        both.into_iter().flatten().find(|(other, _)| other.is(string)).map(|&(_, id)| id)
    }

    /// Keeps the id of a string, in place of the older of the two in its slots.
    pub(crate) fn put(&mut self, py: Python<'_>, string: &Py<PyAny>, id: Id) {
        let first = self.slot(string);
        self.slots.swap(first, first + 1);
        self.slots[first] = Some((string.clone_ref(py), id));
    }

    /// The first of its two slots, an even number.
    fn slot(&self, string: &Py<PyAny>) -> usize {
        // Fibonacci hashing: the upper half of the product mixes all bits of the address.
        let mixed = (string.as_ptr() as usize as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        usize::try_from(mixed).unwrap_or(0) & (self.slots.len() - 2)
    }
}
