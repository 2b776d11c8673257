//! The types that everything else uses: ids of concepts, sets of ids, and single codes.
//!
//! | type | what it holds |
//! |---|---|
//! | [`Id`] | a concept's number, dense from 0 |
//! | [`IdSet`] | a set of concepts, one bit each |
//! | [`Code`] | one code as a value: `a is-a b` when `a` has every bit of `b` |
//! | `Block` | one bit for each of 512 concepts, in one cache line |
//!
//! The inner loops over codes and blocks (`kernels/`) come in one version per instruction set. The
//! plain version defines the result; the others are property-tested equal to it.

mod block;
mod code;
#[macro_use]
pub(crate) mod cpu;
mod id_set;
pub(crate) mod kernels;
mod transpose;

pub(crate) use block::Block;
pub use code::{Code, MAX_BITS, Malformed, covers};
pub(crate) use code::{last_word_mask, missing_bit, missing_bits, words_per_code};
pub use cpu::{VectorWork, unavailable_kernels, vectorised};
pub(crate) use id_set::ones;
pub use id_set::{IdSet, Ids};
pub(crate) use transpose::transpose;

/// A concept's number, dense from 0.
pub type Id = u32;

/// A count of concepts as an id. This works for every count, because a hierarchy never has more
/// than `Id::MAX` names.
pub(crate) fn id(count: usize) -> Id {
    Id::try_from(count).expect("a hierarchy never holds more concepts than ids")
}
