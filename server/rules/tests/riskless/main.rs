//! Riskless: graphs, maps and rules, in the words of the handout.
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod graph;
mod maps;
mod rules;
