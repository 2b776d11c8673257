//! The laws of the library, stage by stage, on random input and on the real thing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod codes;
mod common;
mod data;
mod evaluate;
mod hierarchy;
mod split;
