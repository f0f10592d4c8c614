//! The tests of tournaments: one program, one module a subject.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod order;
mod round_robin;
mod support;
