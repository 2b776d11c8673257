//! Local search among monotone codes: the search that `encode` and `train` share.
//!
//! Codes are *monotone* when every child has all bits of its parents. Then no is-a is missed, and
//! all that can be wrong are *false pairs*: `(x, y)` where `x` has every bit of `y` without being
//! below it.
//!
//! ```text
//!         animal 0000              kitten 1001 has every bit of dog 0001: it looks like a dog.
//!        /        \                Two kinds of move mend that and keep the codes monotone:
//!   cat 1000     dog 0001            set    a bit that kitten lacks in dog and all below dog
//!      |            |                clear  dog's bit in kitten and all above kitten
//! kitten 1001   puppy 0101         Setting the third bit gives dog 0011 and puppy 0111: mended.
//! ```
//!
//! What a move breaks is known from the *near pairs*, those that a single bit separates: a move
//! breaks the near pairs whose one separating bit it takes away. What it mends are false pairs. Of
//! these only the *critical* ones matter (`critical.rs`): mending them mends all.
//!
//! Two policies choose the moves:
//!
//! - `pair_search.rs` takes one false pair after the other and makes the cheapest move. It counts
//!   what a move breaks exactly, by scanning the columns anew, and lets pairs that resist grow in
//!   weight. `encode` uses it: it ends with the fewest bits.
//! - `epoch_search.rs` lets every concept in a false pair propose its best move, and makes them all
//!   with the paper's chance. What moves break is read off a snapshot of all near pairs. `train`
//!   uses it: it gets to few errors fastest, from any codes and with any number of bits.
//!
//! docs/algorithm.md has the measurement of each policy in the other's place.

mod critical;
mod epoch_search;
mod false_pairs;
mod moves;
mod pair_search;
#[cfg(all(test, feature = "builtin", feature = "compression", feature = "obo"))]
mod policies;
mod snapshot;

pub(crate) use critical::critical_pairs;
pub(crate) use epoch_search::{EpochSearch, Outcome};
pub(crate) use false_pairs::FalsePairs;
pub(crate) use pair_search::PairSearch;
pub(crate) use snapshot::snapshot_bytes;

use crate::bits::Id;

/// (child, parent), by number.
pub(crate) type Pair = (Id, Id);
