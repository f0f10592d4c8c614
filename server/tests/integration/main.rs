//! Integration tests of the server: one program, one module per subject.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod arena;
mod browser;
mod check_map;
mod conformance;
#[cfg(unix)]
mod debug;
mod demo;
#[cfg(unix)]
mod editor;
mod explain;
mod first_bots;
mod fortress;
mod gomocup;
mod grading;
#[cfg(unix)]
mod lsp;
#[cfg(unix)]
mod nats;
mod play;
mod program;
mod programs;
mod recordings;
mod results;
mod riskless;
mod run;
mod samples;
mod sandbox;
mod search_trace;
mod seats;
mod serve;
mod shark;
mod sparring;
mod teams;
mod terminal;
mod tournament;
mod turns;
mod watch;
