//! Local search among monotone codes: the search that `encode` and `train` share.
//!
//! Codes are *monotone* when every child has all bits of its parents. Then no is-a is missed, and
//! the only errors are *false pairs*: `(x, y)` where `x` has every bit of `y` without being below
//! it.
//!
//! ```text
//!         animal 0000              kitten 1001 has every bit of dog 0001: a false pair.
//!        /        \                Two kinds of move mend it and keep the codes monotone:
//!   cat 1000     dog 0001            set    a bit that kitten lacks in dog and all below dog
//!      |            |                clear  dog's bit in kitten and all above kitten
//! kitten 1001   puppy 0101         Setting the third bit gives dog 0011 and puppy 0111: mended.
//! ```
//!
//! A move mends false pairs, and it may break *near pairs*, those that a single bit separates. It
//! breaks the near pairs whose only separating bit it removes. On the way to exact codes only the
//! *critical* false pairs count (`critical.rs`): mending them mends all. Where codes stay false, all
//! pairs count (`counted.rs`).
//!
//! Two policies choose the moves:
//!
//! - `pair_search.rs` works on one false pair after the other and makes the cheapest move of one
//!   kind. It keeps counts of the near pairs, which tell what a move breaks, and raises the weight
//!   of pairs that are hard to mend. `encode` uses it.
//! - `epoch_search.rs` lets every concept in a false pair propose its best move, and makes each of
//!   them with the paper's chance. A snapshot of all near pairs tells what moves break. `train`
//!   uses it: an epoch takes codes with any number of false pairs, and depends on nothing but them.
//!
//! docs/algorithm.md measures each policy in the other's place.

mod counted;
mod critical;
mod epoch_search;
mod false_pairs;
mod inherit;
mod kept;
mod moves;
mod pair_search;
#[cfg(test)]
#[cfg(all(feature = "builtin", feature = "compression", feature = "obo"))]
mod policies_benchmark;
mod snapshot;

pub(crate) use counted::Counted;
pub(crate) use critical::{Critical, critical_pairs};
pub(crate) use epoch_search::{EpochSearch, Outcome};
pub(crate) use false_pairs::FalsePairs;
pub(crate) use inherit::{inherit_all, inherited_codes};
pub(crate) use pair_search::{NoSearch, PairSearch};
pub(crate) use snapshot::snapshot_bytes;

use crate::bits::Id;

/// (child, parent), by id.
pub(crate) type Pair = (Id, Id);
