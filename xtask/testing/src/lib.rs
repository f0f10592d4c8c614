//! Helpers of the tests of several crates. A dev-dependency, never part of a program.
//!
//! | module | what it is |
//! | --- | --- |
//! | `folder` | a directory of a test's own |
//! | `wait` | waiting for a condition |
//! | [`http`] | one request of HTTP, and its answer |
//! | [`process`] | programs that are run, killed, signalled, looked for |
//! | `serve` | `grandstand serve`, and a match that serves itself, as processes |
//! | `fake_server` | a server that does what a spectator's test tells it |
//! | `random` | random numbers that a seed gives |
//! | `recording` | a short match as lines, messages and a recording |

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fake_server;
mod folder;
pub mod http;
pub mod process;
mod random;
mod recording;
#[cfg(unix)]
mod serve;
mod wait;

pub use fake_server::{FakeServer, respond, send, upgrade};
pub use folder::Folder;
#[cfg(unix)]
pub use folder::open_to_all;
pub use random::Random;
pub use recording::{LINES, commands, hello, recording, replay, summary};
#[cfg(unix)]
pub use serve::{Hosted, Serve};
pub use wait::{PATIENCE, until, until_some};
