//! Shared helpers for the tests of several crates. A dev-dependency, never part of a program.
//!
//! | module | content |
//! | --- | --- |
//! | `folder` | a temporary directory |
//! | `wait` | waiting for a condition |
//! | [`http`] | an HTTP client for one request |
//! | [`process`] | running, killing, signalling and finding processes |
//! | `serve` | processes of `grandstand serve`, and of a match that serves itself |
//! | `fake_server` | an HTTP server whose answers a test supplies |
//! | `random` | seeded random numbers |
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
