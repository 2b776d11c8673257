//! Graphs of concepts by id, without names: the direct pairs, and what follows from them.
//!
//! ```text
//!         0           Every pair is (child, parent).
//!        / \          direct   (1, 0) (3, 0) (2, 1) (4, 1) (4, 3)
//!       1   3         closure  the direct pairs, (2, 0) and (4, 0)
//!      / \ /
//!     2   4           (4, 0) is implied: it follows from (4, 1) and (1, 0)
//! ```
//!
//! - [`Rows`]: one short list of ids per concept, compressed.
//! - [`Graph`]: any set of pairs, by child and by parent. Ids are in any order, cycles are allowed.
//! - `Dag`: a graph without cycles and without implied pairs, whose ids are a depth-first
//!   topological order. Ancestors, descendants, their counts and the closure are found here.
//! - `Closure`: everything above and below each concept, kept in memory where that is small.
//! - `Reach`: finds everything above or below a concept in any graph, with or without cycles.

mod adjacency;
mod blocks;
mod closure;
mod cycles;
mod dag;
mod once_heap;
mod order;
mod reach;
mod reduce;
mod rows;

pub use adjacency::Graph;
pub(crate) use closure::Closure;
pub(crate) use cycles::{components, find_cycle};
pub(crate) use dag::Dag;
pub(crate) use order::{depth_first, positions};
pub(crate) use reach::Reach;
pub use rows::Rows;
