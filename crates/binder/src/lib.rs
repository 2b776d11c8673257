//! Short bit vectors for concept hierarchies: `a` is-a `b` exactly when `a` has every bit of `b`.
//!
//! The modules are the stages, in order: [`read`](mod@read) → [`hierarchy`] → [`split`](mod@split) → [`train`] or [`encode`] →
//! [`codes`] → [`model`] → [`evaluate`], [`query`] or [`export`].
//!
//! ```
//! use binder::{Codes, Columns, Hierarchy, Model, evaluate};
//!
//! let pets = Hierarchy::from_pairs([("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")])?;
//! # let id = |name| pets.id(name).unwrap();
//! let mut codes = Codes::zeros(pets.len(), 3)?;
//! for (name, bits) in [("pet", vec![0]), ("cat", vec![0, 2]), ("dog", vec![1]), ("puppy", vec![0, 1])] {
//!     bits.into_iter().for_each(|bit| codes.set(pets.id(name).unwrap(), bit, true));
//! }
//!
//! // "Is a puppy a pet?" is one AND and one compare; "who is a pet?" is one AND per bit for 512 concepts.
//! assert!(codes.is_a(id("puppy"), id("pet")) && !codes.is_a(id("cat"), id("dog")));
//! let below: Vec<_> = Columns::new(&codes).supersets(codes.row(id("pet"))).iter().map(|id| pets.name(id)).collect();
//! assert_eq!(below, ["pet", "cat", "puppy"]);
//!
//! // Judged over all n² − n = 20 pairs, then kept.
//! let judged = evaluate::all_pairs(&codes, &pets);
//! assert_eq!((judged.confusion.tp, judged.confusion.errors()), (7, 0));
//! let folder = tempfile::tempdir()?;
//! Model::new(&pets, codes)?.save(&folder.path().join("pets.safetensors"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod read;

pub mod builtin;

pub mod hierarchy;

pub mod split;

pub mod train;

pub mod encode;

pub mod codes;

pub mod model;

pub mod grow;

pub mod evaluate;

pub mod query;

pub mod export;

mod atomic;
mod error;
mod progress;
mod random;

pub use codes::{Codes, Columns};
pub use error::Error;
pub use grow::Growth;
pub use hierarchy::Hierarchy;
pub use model::Model;
pub use progress::{Cancelled, Progress};
pub use read::read;

/// The README's examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
