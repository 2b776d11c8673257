//! The laws of the library, stage by stage, on random input and on real data.
#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that cannot go on has failed, and exact means exact"
)]

mod cancel;
mod codes;
mod common;
mod data;
mod encode;
mod evaluate;
mod export;
mod grow;
mod hierarchy;
mod lookup;
mod query;
mod split;
mod train;
mod update;
