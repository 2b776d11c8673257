//! Layouts of drawings. The page only paints them.

mod children;
mod fold;
mod graph;
mod layers;
mod partition;

pub(crate) use graph::{Drawing, Wish, draw};
pub(crate) use partition::Partition;
