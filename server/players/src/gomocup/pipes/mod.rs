//! Pipes to and from the process of an engine, and a way to wake up who waits for it.
//!
//! Where the system can wait for several pipes at once, the thread that asks the engine reads and writes by itself, so that no thread has to be
//! woken up between a question and its answer. Elsewhere two threads do it.

use std::time::Instant;

#[cfg(unix)]
mod polled;
#[cfg(not(unix))]
mod threads;

#[cfg(unix)]
pub(super) use self::polled::{EnginePipes, Waker, Waking};
#[cfg(not(unix))]
pub(super) use self::threads::{EnginePipes, Waker, Waking};

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

/// What ended a wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// The engine has written these bytes, and they were here at this moment.
    Bytes(Vec<u8>, Instant),
    /// It has closed its output.
    Closed,
    /// Somebody has [woken up](Waker::wake) who waits.
    Woken,
    /// The time was over.
    Nothing,
}
