//! Layouts of drawings. The page only paints them.

mod graph;
mod layers;
mod partition;

pub(crate) use graph::{Drawing, draw};
pub(crate) use partition::Partition;
