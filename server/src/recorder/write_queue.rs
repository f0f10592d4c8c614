//! Write queues: what matches have for their files, and the list of those that have something for the writer thread.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{MatchResult, Micros};
use grandstand_replays::Encoder;

use crate::locked::Locked as _;

/// Recordings that have something for the thread.
#[derive(Debug, Default)]
pub(super) struct WorkList {
    pub(super) state: Mutex<WorkListState>,
    pub(super) wake: Condvar,
    /// Bytes on their way to the disk.
    pub(super) unwritten: AtomicU64,
}

/// Which recordings they are.
#[derive(Debug, Default)]
pub(super) struct WorkListState {
    pub(super) dirty: Vec<Arc<WriteQueue>>,
    /// The thread waits to be woken; otherwise it looks by itself.
    pub(super) parked: bool,
    pub(super) stop: bool,
}

impl WorkList {
    /// Adds one that has lines now.
    pub(super) fn add(&self, queue: &Arc<WriteQueue>) {
        let mut state = self.state.locked();
        state.dirty.push(queue.clone());
        if state.parked {
            state.parked = false;
            self.wake.notify_one();
        }
    }
}

/// What one match has for its file.
#[derive(Debug)]
pub(crate) struct WriteQueue {
    pub(super) id: MatchId,
    /// Where the match comes from.
    pub(super) peer: IpAddr,
    pub(super) waiting: Mutex<Waiting>,
    /// One more than the commands that are in the file; 0 before there is a file.
    pub(super) written: AtomicU64,
    pub(super) failed: AtomicBool,
}

/// Lines that wait for the thread.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pub(super) bytes: Vec<u8>,
    /// Where the recording is at the end of `bytes`.
    pub(super) position: Position,
    /// The file begins anew: the header changed before anything was drawn.
    pub(super) restart: bool,
    /// The disk is too slow: nothing waits any more.
    pub(super) slow: bool,
    pub(super) end: Option<FinalState>,
    pub(super) queued: bool,
}

/// A place in a recording.
#[derive(Debug, Clone, Default)]
pub(super) struct Position {
    pub(super) encoder: Encoder,
    /// The time of the last line.
    pub(super) t: Micros,
}

/// How a match ended.
#[derive(Debug)]
pub(super) struct FinalState {
    pub(super) t: Micros,
    pub(super) state: MatchState,
    pub(super) result: Option<MatchResult>,
}

impl WriteQueue {
    /// Whether there is a file, with the commands up to `seq` in it.
    pub(crate) fn has(&self, seq: u64) -> bool {
        self.written.load(Ordering::Acquire) > seq
    }

    /// Whether the recording was given up: the file gets no more commands.
    pub(crate) fn failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }
}
