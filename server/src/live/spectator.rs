//! Spectator of a broadcaster: its socket, and how far the feed has been written to it.

use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use super::inbox::Join;
use super::socket::Socket;
use crate::hub::feed::Batch;
use crate::hub::snapshot::SnapshotReceiver;
use crate::metrics::Metrics;

#[derive(Debug)]
pub(super) struct Spectator {
    pub(super) socket: Socket,
    /// Offset at which the feed continues, always at the start of a frame.
    pub(super) cursor: u64,
    pub(super) waker: Waker,
    /// Start of the time for which the socket has been full.
    pub(super) blocked: Option<Blocked>,
    /// The pending snapshot with which it continues.
    pub(super) wanted: Option<SnapshotReceiver>,
    /// Whether the snapshot was refused for lack of memory; the request is repeated.
    pub(super) refused: bool,
    /// Second of the last received data.
    pub(super) heard: u32,
    /// Second in which the close began.
    pub(super) closing: u32,
    /// Second of the ping that is still unanswered.
    pub(super) pinged: Option<u32>,
}

/// Start of the time for which a socket has accepted too little.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocked {
    pub(super) second: u32,
    /// Bytes queued in the socket at that second.
    pub(super) waiting: u32,
}

impl Spectator {
    pub(super) fn new(Join { socket, cursor }: Join, waker: Waker, now: u32) -> Self {
        Self {
            socket,
            cursor,
            waker,
            blocked: None,
            wanted: None,
            refused: false,
            heard: now,
            closing: now,
            pinged: None,
        }
    }

    /// Marks the socket as full from now on, if it was not before.
    pub(super) fn block(&mut self, now: u32) {
        let waiting = self.waiting();
        self.blocked.get_or_insert(Blocked { second: now, waiting });
    }

    /// Bytes queued in the socket, before the feed.
    fn waiting(&self) -> u32 {
        u32::try_from(self.socket.waiting()).unwrap_or(u32::MAX)
    }

    /// Restarts the time limit of a blocked socket whose queue drains at the required rate.
    pub(super) fn progress(&mut self, now: u32, bytes_per_second: u32) {
        let Some(Blocked { second, waiting }) = self.blocked else { return };
        let (left, seconds) = (self.waiting(), (now - second).max(1));
        if waiting.saturating_sub(left) >= seconds.saturating_mul(bytes_per_second) {
            self.blocked = Some(Blocked { second: now, waiting: left });
        }
    }

    /// Writes the part of the batch that the spectator lacks.
    pub(super) fn offer(&mut self, batch: &Batch, metrics: &Metrics) -> std::io::Result<Offered> {
        if self.cursor >= batch.end() || self.socket.closing().is_some() {
            return Ok(Offered::Nothing);
        }
        if self.cursor < batch.start || self.socket.has_queued() {
            return Ok(Offered::Part);
        }
        self.write(batch, metrics)?;
        Ok(if self.cursor == batch.end() && !self.socket.has_queued() { Offered::All } else { Offered::Part })
    }

    /// Writes the batch from the spectator's cursor on; returns the number of bytes that the socket took.
    pub(super) fn write(&mut self, batch: &Batch, metrics: &Metrics) -> std::io::Result<usize> {
        let from = (self.cursor - batch.start) as usize;
        let Some(written) = self.socket.write(&batch.bytes[from..])? else { return Ok(0) };
        let before = self.cursor;
        self.cursor += written as u64;
        if let Some((rest, end)) = batch.rest_of_frame(self.cursor) {
            self.socket.push(Bytes::copy_from_slice(rest));
            self.cursor = end;
        }
        metrics.deliveries.add(batch.commands_between(before, self.cursor));
        metrics.delivered_bytes.add(written as u64);
        Ok(written)
    }

    /// Registers the waker for when the socket is writable; `false` if it is writable now.
    pub(super) fn wait_for_room(&mut self, now: u32, metrics: &Metrics) -> std::io::Result<bool> {
        match self.socket.poll_write_ready(&mut Context::from_waker(&self.waker)) {
            Poll::Pending => {
                if self.blocked.is_none() {
                    metrics.blocked_writes.add(1);
                    self.block(now);
                }
                Ok(true)
            }
            Poll::Ready(result) => result.map(|()| false),
        }
    }
}

/// Result of offering a batch to a spectator.
pub(super) enum Offered {
    /// The batch has nothing for this spectator.
    Nothing,
    /// The spectator has all of it.
    All,
    /// The spectator has part or nothing of it, or was behind before.
    Part,
}
