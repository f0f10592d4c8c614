//! Broadcaster: the task that writes one match's feed to its spectators.
//!
//! A round copies the frames that are new since the last one into one buffer, and writes to each socket that is not
//! blocked the part that it lacks, with one call each. A spectator has no queue: only a cursor, and the rest of the
//! frame that was written in part. Blocked sockets wait for the kernel; one that has fallen too far behind continues
//! with a fresh scene.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::inbox::{Inbox, Join};
use super::socket::ReadOutcome;
use super::spectator::{Offered, Spectator};
use crate::config::Config;
use crate::hub::feed::{Batch, MatchFeed};
use crate::hub::snapshot::Snapshot;
use crate::metrics::Metrics;
use crate::wire::{CloseReason, frame};

/// Sockets written to before the task yields.
const TURN: usize = 128;
/// Sockets read before the task yields; fewer, since handling input costs more.
const READ_TURN: usize = 16;
/// Bytes read from one socket per turn.
const READ_BYTES: usize = 1024;
/// Bytes copied for one round.
const ROUND_BYTES: usize = 256 * 1024;
/// Bytes written to one lagging spectator per turn.
const CATCH_UP_BYTES: usize = 64 * 1024;
/// Duration of a round below which the next one starts at once, without collecting frames.
const SHORT_ROUND: Duration = Duration::from_micros(250);
/// Time limit for the closing handshake, in seconds.
const CLOSING_SECS: u32 = 5;
/// Time for a stalled peer to read the close reason, in seconds.
const STALLED_CLOSING_SECS: u32 = 10;

/// Task that serves spectators of one match.
#[derive(Debug)]
pub(crate) struct Broadcaster {
    feed: Arc<MatchFeed>,
    config: Arc<Config>,
    metrics: Arc<Metrics>,
    inbox: Arc<Inbox>,
    slots: Vec<Option<Spectator>>,
    free: Vec<u32>,
    /// Everything before this offset has been offered to every spectator that is not blocked.
    sent: u64,
    batch: Batch,
    lagging: Batch,
    scratch: Box<[u8]>,
    began: Instant,
    /// Slots of the sockets to read and flush.
    ready: VecDeque<u32>,
    /// Set once the match is over and its last frame was offered: spectators that are up to date are closed.
    ending: Option<CloseReason>,
}

impl Broadcaster {
    pub(crate) fn new(feed: Arc<MatchFeed>, config: Arc<Config>, metrics: Arc<Metrics>) -> Self {
        let sent = feed.end();
        let inbox = Arc::new(Inbox::default());
        Self {
            feed,
            config,
            metrics,
            inbox,
            slots: Vec::new(),
            free: Vec::new(),
            sent,
            batch: Batch::default(),
            lagging: Batch::default(),
            scratch: vec![0; READ_BYTES].into_boxed_slice(),
            began: Instant::now(),
            ready: VecDeque::new(),
            ending: None,
        }
    }

    pub(crate) fn inbox(&self) -> &Arc<Inbox> {
        &self.inbox
    }

    /// Runs until the match is over and its last spectator has left.
    pub(crate) async fn run(mut self) {
        let inbox = self.inbox.clone();
        self.feed.subscribe(inbox.notify.clone());
        let period = Duration::from_secs(1);
        let mut second = tokio::time::interval_at(tokio::time::Instant::now() + period, period);
        second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut not_before: Option<Instant> = None;
        loop {
            let mut more = self.serve_inbox();
            let due = self.feed.end() > self.sent;
            if due && not_before.is_none_or(|at| at <= Instant::now()) {
                let began = Instant::now();
                self.round().await;
                let took = began.elapsed();
                let behind = self.feed.end() > self.sent;
                // Later frames are collected for a while, unless the round was short.
                not_before = (took > SHORT_ROUND && behind)
                    .then(|| began + self.config.spectators.round.min(2 * took));
                if !behind && !more {
                    continue;
                }
                more = true;
            } else if !due
                && self.ending.is_none()
                && let Some(reason) = self.feed.over()
            {
                self.ending = Some(reason);
                self.ready.extend(0..self.slots.len() as u32);
                more = true;
            }
            if self.ending.is_some() && inbox.close_if_empty() {
                break;
            }
            tokio::select! {
                biased;
                // First, and in every pass: a busy spectator can't delay the timeout of a stalled or silent one.
                _ = second.tick() => self.each_second(),
                () = tokio::task::yield_now(), if more => {}
                () = inbox.notify.notified(), if !more => {}
                () = wait_until(not_before), if due && !more => {}
            }
        }
        self.feed.unsubscribe(&inbox.notify);
    }

    fn now(&self) -> u32 {
        u32::try_from(self.began.elapsed().as_secs()).unwrap_or(u32::MAX)
    }

    /// Takes in new spectators, and handles one turn of ready sockets; `true` if some are left.
    fn serve_inbox(&mut self) -> bool {
        for join in self.inbox.take(&mut self.ready) {
            self.take_in(join);
        }
        let mut turn = TURN;
        while turn > 0
            && let Some(slot) = self.ready.pop_front()
        {
            let heard = self.ready(slot as usize);
            turn = turn.saturating_sub(if heard { TURN / READ_TURN } else { 1 });
        }
        !self.ready.is_empty()
    }

    fn take_in(&mut self, join: Join) {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.slots.push(None);
                (self.slots.len() - 1) as u32
            }
        };
        let now = self.now();
        let waker = self.inbox.waker(slot);
        self.slots[slot as usize] = Some(Spectator::new(join, waker, now));
        self.ready.push_back(slot);
    }

    /// Reads from one socket and flushes it; `true` if data came.
    fn ready(&mut self, slot: usize) -> bool {
        let now = self.now();
        let Some(Some(spectator)) = self.slots.get_mut(slot) else { return false };
        let was_closing = spectator.socket.closing().is_some();
        let outcome = spectator.socket.read(&mut self.scratch, &self.config.spectators);
        match outcome {
            ReadOutcome::Gone => {
                self.remove(slot, CloseReason::Gone);
                return false;
            }
            ReadOutcome::Heard { messages } => {
                spectator.heard = now;
                spectator.pinged = None;
                self.metrics.inbound_messages.add(u64::from(messages));
                if !was_closing && spectator.socket.closing().is_some() {
                    spectator.closing = now;
                }
            }
            ReadOutcome::Nothing => {}
        }
        match spectator.socket.poll_read_ready(&mut Context::from_waker(&spectator.waker)) {
            // The rest is read after the other sockets' turns.
            Poll::Ready(Ok(())) => spectator.waker.wake_by_ref(),
            Poll::Ready(Err(_)) => self.remove(slot, CloseReason::Gone),
            Poll::Pending => {}
        }
        self.flush(slot);
        outcome != ReadOutcome::Nothing
    }

    /// Writes to one socket until it is up to date or full.
    fn flush(&mut self, slot: usize) {
        let now = self.now();
        let mut budget = CATCH_UP_BYTES;
        let Some(Some(spectator)) = self.slots.get_mut(slot) else { return };
        loop {
            match spectator.socket.flush_queue() {
                Ok(true) => {}
                Ok(false) => {
                    spectator.progress(now, self.config.readers.bytes_per_second);
                    match spectator.wait_for_room(now, &self.metrics) {
                        Ok(true) => return,
                        Ok(false) => continue,
                        Err(_) => return self.remove(slot, CloseReason::Gone),
                    }
                }
                Err(_) => return self.remove(slot, CloseReason::Gone),
            }
            let end = self.feed.end();
            let closing = spectator.socket.closing().is_some();
            if !closing
                && spectator.cursor >= end
                && let Some(reason) = self.ending
            {
                spectator.closing = now;
                spectator.socket.close(reason);
                continue;
            }
            if closing || spectator.cursor >= end {
                spectator.blocked = None;
                return;
            }
            if budget == 0 {
                // Other sockets come first; this one is woken at once.
                spectator.block(now);
                spectator.waker.wake_by_ref();
                return;
            }
            if let Some(mut wanted) = spectator.wanted.take() {
                let mut context = Context::from_waker(&spectator.waker);
                match Pin::new(&mut wanted).poll(&mut context) {
                    Poll::Pending => {
                        spectator.block(now);
                        spectator.wanted = Some(wanted);
                        return;
                    }
                    Poll::Ready(Ok(Ok(Snapshot { frame, cursor }))) => {
                        spectator.refused = false;
                        spectator.blocked = None;
                        spectator.socket.push(frame);
                        spectator.cursor = cursor;
                        self.metrics.resyncs.add(1);
                        continue;
                    }
                    // The request is repeated after a second.
                    Poll::Ready(Ok(Err(_)) | Err(_)) => {
                        spectator.block(now);
                        spectator.refused = true;
                        return;
                    }
                }
            }
            let lags = end - spectator.cursor > self.config.spectators.lag_bytes;
            if lags || !self.feed.copy_from(spectator.cursor, budget, &mut self.lagging) {
                spectator.wanted = Some(self.feed.snapshot());
                continue;
            }
            match spectator.write(&self.lagging, &self.metrics) {
                Ok(written) => {
                    budget = budget.saturating_sub(written.max(1));
                    if written > 0 && spectator.blocked.is_some() {
                        spectator.blocked = None;
                        spectator.block(now);
                    }
                    if written == 0 {
                        match spectator.wait_for_room(now, &self.metrics) {
                            Ok(true) => return,
                            Ok(false) => {}
                            Err(_) => return self.remove(slot, CloseReason::Gone),
                        }
                    }
                }
                Err(_) => return self.remove(slot, CloseReason::Gone),
            }
        }
    }

    /// Writes the frames since the last round to every spectator that is not blocked.
    async fn round(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        if !self.feed.copy_from(self.sent, ROUND_BYTES, &mut batch) {
            // The ring has dropped frames since the last round; each spectator notices by its cursor.
            batch = Batch { start: self.feed.end(), ..Batch::default() };
        }
        // Frames that arrive during the round go to the remaining slots; the earlier ones get them in the next round.
        let offered_to_all = batch.end();
        let mut slot = 0;
        let mut turn = TURN;
        while slot < self.slots.len() {
            let written = match &mut self.slots[slot] {
                Some(spectator) if spectator.blocked.is_none() => spectator.offer(&batch, &self.metrics),
                _ => Ok(Offered::Nothing),
            };
            match written {
                Ok(Offered::Nothing) => {}
                Ok(Offered::All) => turn -= 1,
                Ok(Offered::Part) => {
                    self.flush(slot);
                    turn -= 1;
                }
                Err(_) => self.remove(slot, CloseReason::Gone),
            }
            slot += 1;
            if turn == 0 {
                turn = TURN;
                tokio::task::yield_now().await;
                self.serve_inbox();
                if self.feed.end() > batch.end() {
                    // Frames that do not fit, or were dropped already, are left to the next round.
                    self.feed.extend(ROUND_BYTES, &mut batch);
                }
            }
        }
        self.sent = offered_to_all;
        self.metrics.rounds.add(1);
        if let Some(oldest) = batch.oldest {
            self.metrics.observe_delay(oldest.elapsed());
        }
        self.batch = batch;
    }

    /// Sends pings, and closes spectators that are stalled, silent or slow in the closing handshake.
    fn each_second(&mut self) {
        let now = self.now();
        let secs = |d: Duration| u32::try_from(d.as_secs().max(1)).unwrap_or(u32::MAX);
        let limits = &self.config.spectators;
        let (stall, ping, idle) = (secs(limits.stall), secs(limits.ping), secs(limits.idle));
        for slot in 0..self.slots.len() {
            let Some(spectator) = &mut self.slots[slot] else { continue };
            if let Some(reason) = spectator.socket.closing() {
                let patience =
                    if reason == CloseReason::Stalled { STALLED_CLOSING_SECS } else { CLOSING_SECS };
                if now - spectator.closing >= patience {
                    spectator.socket.abort();
                    self.remove(slot, reason);
                }
                continue;
            }
            if spectator.refused {
                spectator.waker.wake_by_ref();
            }
            if spectator.blocked.is_some_and(|blocked| now - blocked.second >= stall) {
                if spectator.refused {
                    self.close(slot, CloseReason::Full);
                    continue;
                }
                spectator.closing = now;
                if spectator.socket.close_stalled(self.config.spectators.send_buffer_bytes).is_err() {
                    self.remove(slot, CloseReason::Stalled);
                }
                continue;
            }
            match spectator.pinged {
                // Only after a ping: a server that was suspended itself has received nothing from any spectator.
                Some(pinged) if now - pinged >= idle.saturating_sub(ping) => {
                    self.close(slot, CloseReason::Silent);
                }
                None if now - spectator.heard >= ping => {
                    spectator.pinged = Some(now);
                    spectator.socket.push(frame::ping());
                    self.ready.push_back(slot as u32);
                }
                _ => {}
            }
        }
    }

    fn close(&mut self, slot: usize, reason: CloseReason) {
        let now = self.now();
        if let Some(Some(spectator)) = self.slots.get_mut(slot) {
            spectator.closing = now;
            spectator.socket.close(reason);
            self.flush(slot);
        }
    }

    fn remove(&mut self, slot: usize, reason: CloseReason) {
        if let Some(spectator) = self.slots[slot].take() {
            self.metrics.count_closed(spectator.socket.closing().unwrap_or(reason));
            self.metrics.spectators.down();
            self.feed.spectators.fetch_sub(1, Ordering::Relaxed);
            self.free.push(slot as u32);
            self.inbox.leave();
        }
    }
}

async fn wait_until(at: Option<Instant>) {
    if let Some(at) = at {
        tokio::time::sleep_until(at.into()).await;
    }
}
