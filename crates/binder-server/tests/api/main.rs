//! The API, over real connections.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;
mod gate;
mod http;
mod questions;
mod steady;
