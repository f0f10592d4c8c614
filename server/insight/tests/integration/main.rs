//! Tests of insights: one program, one module for each subject.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod asking;
mod fortress;
mod messages;
mod one_side;
mod opening;
mod printing;
mod profiling;
mod searching;
mod stepping;
mod support;
mod turns;
