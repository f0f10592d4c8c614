//! Inbox of a broadcaster: new spectators, and sockets that are ready.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

use tokio::sync::Notify;

use super::socket::Socket;
use crate::locked::Locked as _;

/// A new spectator: its first frames are queued in the socket, and the feed continues at `cursor`.
#[derive(Debug)]
pub(crate) struct Join {
    pub(crate) socket: Socket,
    pub(crate) cursor: u64,
}

/// Queue of new spectators and ready sockets for a broadcaster.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// Notified when something arrives.
    pub(super) notify: Arc<Notify>,
    state: Mutex<InboxState>,
}

#[derive(Debug, Default)]
struct InboxState {
    joins: Vec<Join>,
    ready: Vec<u32>,
    /// Number of spectators in the broadcaster and in `joins`.
    load: usize,
    closed: bool,
}

impl Inbox {
    /// Number of spectators of the broadcaster.
    pub(crate) fn load(&self) -> usize {
        self.state.locked().load
    }

    /// Hands a spectator over; returns it if the broadcaster has ended.
    pub(crate) fn join(&self, join: Join) -> Result<(), Join> {
        let mut state = self.state.locked();
        if state.closed {
            return Err(join);
        }
        state.load += 1;
        state.joins.push(join);
        drop(state);
        self.notify.notify_one();
        Ok(())
    }

    /// Takes the new spectators, and appends the sockets that are ready.
    pub(super) fn take(&self, ready: &mut VecDeque<u32>) -> Vec<Join> {
        let mut state = self.state.locked();
        ready.extend(state.ready.drain(..));
        std::mem::take(&mut state.joins)
    }

    /// Notes that a spectator has left.
    pub(super) fn leave(&self) {
        self.state.locked().load -= 1;
    }

    /// Closes the inbox to new spectators if there is none; `true` if so.
    pub(super) fn close_if_empty(&self) -> bool {
        let mut state = self.state.locked();
        state.closed = state.load == 0;
        state.closed
    }

    /// A waker for one of the sockets.
    pub(super) fn waker(self: &Arc<Self>, slot: u32) -> Waker {
        Waker::from(Arc::new(SlotWaker { slot, inbox: self.clone() }))
    }
}

/// Wakes a broadcaster for one of its sockets.
struct SlotWaker {
    slot: u32,
    inbox: Arc<Inbox>,
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut state = self.inbox.state.locked();
        let first = state.ready.is_empty();
        state.ready.push(self.slot);
        drop(state);
        if first {
            self.inbox.notify.notify_one();
        }
    }
}
