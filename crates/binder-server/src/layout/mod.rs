//! Drawings, computed here and sent ready to draw.

mod graph;
mod layers;
mod partition;

pub(crate) use graph::{Drawing, draw};
pub(crate) use partition::Partition;
