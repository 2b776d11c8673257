//! Answers by name. The command line, the server and the Python package all give these.
//!
//! The library ([`binder::query`]) answers in ids and sets of ids. Here an answer becomes
//!
//! - **data**: a structure with names, which serialises to JSON ([`Relatives`], [`Standing`],
//!   [`Explanation`], …) and, with the feature `openapi`, describes itself as an OpenAPI schema,
//! - **text** for people: several lines ([`Answer::text`]), or one ([`Answer::line`]).
//!
//! Every structure is made from an [`Index`](binder::query::Index) and terms: names or ids. Where
//! questions come as
//! words, [`answer`] takes a [`Question`] with names and gives an [`Answer`], which also says what
//! the question was.
//!
//! ```text
//!      animal  000        join cat puppy      pet
//!      /    \             meet pet dog        puppy
//!   pet 100  dog 010      explain cat dog     no: cat lacks bit 1, which dog has of its own
//!    /    \  /
//! cat 101  puppy 110
//! ```
//!
//! ```
//! use binder::Hierarchy;
//! use binder_answers::{Explanation, Question, Style, answer};
//!
//! let pairs =
//!     [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")];
//! let index = binder::encode(&Hierarchy::from_pairs(pairs)?)?.into_index();
//!
//! // A question in words.
//! let question = Question::Join { concepts: vec!["cat".to_owned(), "puppy".to_owned()] };
//! let common = answer(&index, &question)?;
//! let text = common.text(&index, &Style::PLAIN);
//! assert_eq!(text, "cat | puppy: 1 lowest common hypernym\n  pet\n");
//! assert_eq!(common.line(), "pet");
//! let json = serde_json::to_value(&common)?;
//! assert_eq!((&json["question"], &json["nearest_above"][0]), (&"join".into(), &"pet".into()));
//!
//! // One structure, from names or ids.
//! let why = Explanation::new(&index, "puppy", "dog")?;
//! assert!(why.is_a && why.chain == ["puppy", "dog"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algebra;
mod answer;
mod count;
mod explain;
mod is_a;
mod name;
mod page;
mod picture;
mod place;
mod preview;
mod question;
mod relatives;
mod similar;
mod summary;
mod svg;
mod taken;
mod text;
pub mod tree;
mod versions;
mod visible;

pub use algebra::{Complement, Formal, Standing};
pub use answer::{Answer, Asked};
pub use count::{counted, counted_with, grouped};
pub use explain::{Bit, Description, Explanation};
pub use is_a::{IsA, ManyIsA};
pub use name::{Named, names_of};
pub use page::Page;
pub use picture::Picture;
pub use place::{Neighbour, PlaceOf, Placed, Reasons};
pub use preview::Preview;
pub use question::{Question, answer};
pub use relatives::Relatives;
pub use similar::{Found, Nearest, Scored, SearchResult};
pub use summary::{Summary, called};
pub use svg::svg;
pub use taken::Taken;
pub use text::Style;
pub use versions::{Differences, Merged, Moved, Renamed, UpdateReport, Version};
pub use visible::visible;
