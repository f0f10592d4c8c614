//! The tests of tournaments: one program, one module a subject.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod elimination;
mod order;
mod pairing;
mod ratings;
mod round_robin;
mod sprt;
mod standings;
mod support;
mod swiss;
