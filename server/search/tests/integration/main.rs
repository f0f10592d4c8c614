//! The tests of the searches: one program, one module a subject.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod gomoku;
mod handout;
mod riskless;
