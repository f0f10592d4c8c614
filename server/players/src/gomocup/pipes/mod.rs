//! Pipes to and from the process of an engine, and a way to wake the thread that waits for it.
//!
//! Where the system can wait for several pipes at once, the thread that asks the engine reads and writes by itself, so
//! that no other thread has to be woken between a question and its answer. Elsewhere two threads do it.

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

/// Result of a wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PipeEvent {
    /// Bytes from the engine, and the moment at which they had arrived.
    Bytes(Vec<u8>, Instant),
    /// The engine has closed its output.
    Closed,
    /// Another thread has [woken](Waker::wake) the waiting one.
    Woken,
    /// The time was over.
    TimedOut,
}
