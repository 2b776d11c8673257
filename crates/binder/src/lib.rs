//! Short bit vectors for concept hierarchies: `a` is-a `b` exactly when `a` has every bit of `b`.
//!
//! `cargo add binder-codes` adds this library; in code the crate is `binder`.
//!
//! ```standalone_crate
//! use binder::{Hierarchy, Model};
//!
//! fn main() -> binder::Result<()> {
//!     # let folder = tempfile::tempdir().unwrap();
//!     # std::env::set_current_dir(&folder).unwrap();
//!     # std::fs::write("taxonomy.csv", "dog,animal\ncat,animal\n").unwrap();
//!     let taxonomy = Hierarchy::read("taxonomy.csv")?;
//!     let model: Model = binder::encode(&taxonomy)?;
//!     model.save("taxonomy.safetensors")?;
//!     let index = Model::open("taxonomy.safetensors")?.into_index();
//!     assert!(index.is_a("dog", "animal")?);
//!     // The lowest concepts above both.
//!     for concept in index.join(["dog", "cat"])?.nearest_above() {
//!         println!("{}", concept.name());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # How it works
//!
//! ```text
//!         animal 000            is puppy a pet?   110 & 100 == 100   yes
//!        /        \             is cat a dog?     101 & 010 == 000   no
//!    pet 100     dog 010        who is a pet?     every code with the first bit: pet, cat, puppy
//!     /    \      /
//! cat 101   puppy 110           all n² − n = 20 pairs are answered correctly: 7 is-a, 13 not
//! ```
//!
//! A question about one pair is one AND and one comparison. "Which concepts are below?" is one AND
//! per bit for 512 concepts at a time. Codes come from an exact construction,
//! [`encode`](mod@encode), or from the local search of the BINDER paper, [`train`].
//!
//! # From data to answers
//!
//! The modules are the stages, in order: [`read`](mod@read) → [`hierarchy`] → [`split`](mod@split)
//! → [`encode`](mod@encode) or [`train`] → [`codes`] → [`model`] → [`evaluate`], [`query`] or
//! [`export`]. Each stage can be used alone:
//!
//! ```
//! use binder::encode::{Effort, EncodeParams};
//! use binder::{Hierarchy, encode_with, evaluate};
//!
//! let pets = [
//!     ("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog"),
//! ];
//! let pets = Hierarchy::from_pairs(pets)?;
//! let encoded = encode_with(pets, &EncodeParams::default().effort(Effort::Max), &())?;
//! assert_eq!(encoded.evaluation.confusion.errors(), 0); // over all n² − n = 20 pairs
//!
//! let mut growth = binder::Growth::new(&encoded.model);
//! growth.add("kitten", &["cat"])?;
//! let index = growth.finish(&())?.model.into_index();
//! assert_eq!(index.hyponyms("pet")?.len(), 3);
//! # Ok::<(), binder::Error>(())
//! ```
//!
//! # Features
//!
//! All features except `mmap` and `portable` are on by default. With `default-features = false`,
//! twelve direct dependencies remain, thirteen on Unix.
//!
//! | feature | what it adds |
//! |---|---|
//! | `builtin` | WordNet's nouns and animals and a toy hierarchy, inside the library |
//! | `compression` | reading `.gz`, `.zst`, `.bz2`, `.xz` and `.zip` |
//! | `csv` | reading tables with quotes, as RFC 4180 has them |
//! | `obo` | reading OBO files |
//! | `rdf` | reading RDF: Turtle, N-Triples, RDF/XML and others |
//! | `xml` | reading GraphML, OWL/XML and WN-LMF |
//! | `parquet` | reading Parquet and Arrow, export to Parquet |
//! | `place` | where a new concept belongs, from its words |
//! | `split` | training, validation and test pairs for link prediction |
//! | `mmap` | models whose codes stay in a mapped file |

#[macro_use]
pub mod bits;

pub mod graph;

pub mod hierarchy;

pub mod lookup;

pub mod read;

#[cfg(feature = "split")]
pub mod split;

pub mod diff;

pub mod codes;

pub mod evaluate;

mod search;

pub mod encode;

pub mod train;

pub mod container;

pub mod checkpoint;

pub mod model;

pub mod grow;

pub mod update;

#[cfg(feature = "place")]
pub mod place;

pub mod query;

pub mod export;

mod choice;
mod error;
pub mod memory;
pub mod output;
mod progress;
mod random;

pub use bits::Id;
pub use checkpoint::Checkpoint;
pub use choice::{Choice, UnknownChoice};
pub use codes::{Codes, Columns};
pub use error::{Error, Result};
pub use grow::Growth;
pub use hierarchy::Hierarchy;
pub use memory::MemoryError;
pub use model::{Model, encode, encode_with};
pub use progress::{Cancelled, Progress};
pub use query::Index;
pub use read::read;
#[cfg(feature = "split")]
pub use split::split;
pub use update::update;

/// The README's examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The tutorial's examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/rust.md")]
struct Tutorial;
