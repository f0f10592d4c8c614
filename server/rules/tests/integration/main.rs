//! The tests of the rules: one program, one module a game or a subject.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod abalone;
mod clock;
mod conformance;
mod fortress;
mod fuzz;
mod reasons;
mod riskless;
mod shark;
mod stones;
