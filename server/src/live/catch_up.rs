//! Catch-up from a recording: frames that are no longer in memory, sent at the spectator's pace.
//!
//! Each such spectator has its own task, which holds one piece of the history at a time. Near the end of a match in
//! memory, the match's broadcaster takes over.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::Micros;
use grandstand_protocol::message::{MatchId, MatchSummary, Message};

use super::Live;
use super::inbox::Join;
use super::socket::{ReadOutcome, Socket};
use crate::config::SpectatorLimits;
use crate::hub::feed::{Batch, MatchFeed};
use crate::hub::snapshot::Snapshot;
use crate::limits::client::Client;
use crate::limits::memory::{MemoryFull, MemoryUse, Reservation};
use crate::recordings::Recordings;
use crate::recordings::match_reader::MatchReader;
use crate::recordings::reader::{DrawProgress, FrameBatch};
use crate::shutdown::until_stop;
use crate::wire::{CloseReason, encode};

/// Bytes of history read ahead for one spectator.
const PIECE_BYTES: usize = 32 * 1024;
/// Pause while the recorder writes the commands that memory has dropped.
const RECORDER_PAUSE: Duration = Duration::from_millis(20);
/// Time limit for the closing handshake.
const CLOSING: Duration = Duration::from_secs(5);

/// One spectator that catches up.
#[derive(Debug)]
pub(crate) struct CatchUp {
    live: Arc<Live>,
    client: Client,
    /// Memory reserved for the open recording.
    memory: Option<Reservation>,
    id: MatchId,
    /// The match, if it is in memory.
    feed: Option<Arc<MatchFeed>>,
    /// Summary of the match, if it is only recorded.
    summary: Option<MatchSummary>,
    socket: Option<Socket>,
    /// Number of the last command that the spectator has; `None` requests the snapshot alone.
    since: Option<u64>,
}

impl CatchUp {
    /// For a match in memory, from after command `since`.
    pub(crate) fn of_feed(
        live: Arc<Live>,
        client: Client,
        feed: Arc<MatchFeed>,
        socket: Socket,
        since: u64,
    ) -> Self {
        let (id, socket) = (feed.id().clone(), Some(socket));
        Self { live, client, memory: None, id, feed: Some(feed), summary: None, socket, since: Some(since) }
    }

    /// For a match that is only recorded.
    pub(crate) fn of_recording(
        live: Arc<Live>,
        client: Client,
        summary: MatchSummary,
        socket: Socket,
        since: Option<u64>,
    ) -> Self {
        let (id, socket) = (summary.id.clone(), Some(socket));
        Self { live, client, memory: None, id, feed: None, summary: Some(summary), socket, since }
    }

    /// Runs until the spectator is handed over or its websocket is closed.
    pub(crate) async fn run(mut self) {
        let mut stopping = self.live.stopping.clone();
        let outcome = tokio::select! {
            outcome = self.send_history() => outcome,
            () = until_stop(&mut stopping) => Err(Stop::Close(CloseReason::Shutdown)),
        };
        let reason = match outcome {
            Ok(()) => CloseReason::Finished,
            Err(Stop::HandedOver) => return,
            Err(Stop::Close(reason)) => reason,
            Err(Stop::Unreadable(error)) => {
                tracing::warn!(id = %self.id, %error, "a recording can't be read");
                if let Some(socket) = &mut self.socket {
                    let message = format!("the recording can't be read: {error}");
                    socket.push(encode(&Message::Error { message }));
                }
                CloseReason::Unreadable
            }
        };
        self.live.count_closed(self.feed.as_deref(), reason);
        if let Some(socket) = self.socket.take() {
            say_goodbye(socket, reason, self.live.limits()).await;
        }
    }

    async fn send_history(&mut self) -> Result<(), Stop> {
        self.drain().await?;
        if let Some(feed) = self.feed.clone() {
            return self.follow(&feed).await;
        }
        let t = match self.since {
            Some(since) => {
                let mut reader = self.open(since).await?;
                loop {
                    let piece;
                    (reader, piece) = self.next_piece(reader, u64::MAX).await?;
                    for (_, _, frame) in piece.frames {
                        self.push(frame);
                    }
                    self.drain().await?;
                    if piece.at_end {
                        self.check_end(reader.seq())?;
                        break reader.t();
                    }
                }
            }
            None => {
                let (scene, t) = self.last_snapshot().await?;
                self.push(scene);
                t
            }
        };
        if let Some(summary) = self.summary.take() {
            self.push(encode(&Message::End { seq: summary.seq, t, result: summary.result }));
        }
        self.drain().await
    }

    /// Sends a match in memory: from the recording up to where memory begins, then from memory.
    async fn follow(&mut self, feed: &Arc<MatchFeed>) -> Result<(), Stop> {
        let mut seq = self.since.unwrap_or(0);
        let mut reader: Option<MatchReader> = None;
        let mut batch = Batch::default();
        let near = self.live.limits().lag_bytes / 4;
        loop {
            if let Some(mut cursor) = feed.offset_after(seq) {
                reader = None;
                // Copied, so that a slow spectator keeps one piece alive and not the ring.
                while feed.end() - cursor > near && feed.copy_from(cursor, PIECE_BYTES, &mut batch) {
                    self.push(Bytes::copy_from_slice(&batch.bytes));
                    cursor = batch.end();
                    seq = seq.max(batch.last);
                    self.drain().await?;
                    // A spectator whose socket is never full would starve other tasks.
                    tokio::task::yield_now().await;
                }
                if feed.end() - cursor <= near
                    && let Some(socket) = self.socket.take()
                {
                    self.live.join(feed, Join { socket, cursor });
                    return Err(Stop::HandedOver);
                }
                continue;
            }
            let recorded = feed.write_queue().filter(|queue| !queue.failed() || queue.has(seq + 1));
            // A relay asks the server that plays the match.
            if recorded.is_none() && !feed.is_followed() {
                // The missing commands were never written; the snapshot replaces them.
                let stops = |_| Stop::Close(CloseReason::Shutdown);
                let Snapshot { frame, cursor } = feed.snapshot().await.map_err(stops)??;
                self.push(frame);
                self.live.metrics.resyncs.add(1);
                if let Some(socket) = self.socket.take() {
                    self.live.join(feed, Join { socket, cursor });
                }
                return Err(Stop::HandedOver);
            }
            let opened = match reader.take() {
                Some(reader) => reader,
                None => self.open(seq).await?,
            };
            // The server that plays a match may be further than the feed here, which would repeat what comes from there.
            let to = if feed.is_followed() { feed.seq() } else { u64::MAX };
            let (back, piece) = self.next_piece(opened, to).await?;
            reader = Some(back);
            if piece.frames.is_empty() && piece.at_end {
                tokio::time::sleep(RECORDER_PAUSE).await;
            }
            for (_, last, frame) in piece.frames {
                self.push(frame);
                seq = last;
            }
            self.drain().await?;
        }
    }

    /// Opens the recording after command `since`.
    async fn open(&mut self, since: u64) -> Result<MatchReader, Stop> {
        let id = self.id.clone();
        let reader = self.read(move |recordings| recordings.reader(&id, since)).await?;
        let memory = self.live.hub.memory();
        self.memory = Some(memory.reserve(MemoryUse::Answers, 2 * PIECE_BYTES + reader.bytes())?);
        Ok(reader)
    }

    /// A recording that ends before its match is an error, not the end.
    fn check_end(&self, seq: u64) -> Result<(), Stop> {
        match &self.summary {
            Some(summary) if seq < summary.seq => {
                let error = format!("it ends with command {seq} of {}", summary.seq);
                Err(Stop::Unreadable(io::Error::new(io::ErrorKind::UnexpectedEof, error)))
            }
            _ => Ok(()),
        }
    }

    /// Reads on, at most to command `to`.
    async fn next_piece(&self, mut reader: MatchReader, to: u64) -> Result<(MatchReader, FrameBatch), Stop> {
        let next = move |_: &Recordings| {
            let piece = reader.next(PIECE_BYTES, to)?;
            Ok((reader, piece))
        };
        self.read(next).await
    }

    /// The last snapshot of the recording, and the time of its last line.
    async fn last_snapshot(&mut self) -> Result<(Bytes, Micros), Stop> {
        if let Some(snapshot) = self.live.hub.recordings().cached_snapshot(&self.id, None) {
            return Ok(snapshot);
        }
        let mut reader = self.open(u64::MAX).await?;
        loop {
            let id = self.id.clone();
            let draw = move |recordings: &Recordings| {
                let drawing = recordings.advance_snapshot(&id, &mut reader, u64::MAX)?;
                let done = drawing != DrawProgress::Unfinished;
                Ok((done.then(|| recordings.snapshot(&id, None, &reader)).transpose()?, reader))
            };
            match self.read(draw).await? {
                (Some(snapshot), _) => return Ok(snapshot),
                (None, back) => reader = back,
            }
        }
    }

    /// Reads from the recordings once it is this client's turn.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Recordings) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Stop> {
        Ok(self.live.read(self.client, work).await??)
    }

    fn push(&mut self, frame: Bytes) {
        if let Some(socket) = &mut self.socket {
            socket.push(frame);
        }
    }

    /// Writes the queued frames, and meanwhile reads what the spectator sends.
    async fn drain(&mut self) -> Result<(), Stop> {
        let Some(socket) = &mut self.socket else { return Err(Stop::HandedOver) };
        let config = self.live.config.clone();
        let limits = &config.spectators;
        let mut waiting_since = Instant::now();
        let mut waiting = socket.waiting();
        let mut scratch = [0; 1024];
        loop {
            match socket.read(&mut scratch, limits) {
                ReadOutcome::Gone => return Err(Stop::Close(CloseReason::Gone)),
                ReadOutcome::Heard { messages } => self.live.metrics.inbound_messages.add(messages.into()),
                ReadOutcome::Nothing => {}
            }
            let written = socket.flush_queue().or(Err(Stop::Close(CloseReason::Gone)))?;
            if let Some(reason) = socket.closing() {
                return Err(Stop::Close(reason));
            }
            if written {
                return Ok(());
            }
            let seconds = waiting_since.elapsed().as_secs().max(1) as usize;
            if waiting.saturating_sub(socket.waiting()) >= seconds * config.readers.bytes_per_second as usize
            {
                waiting = socket.waiting();
                waiting_since = Instant::now();
            }
            let patience = limits.stall.saturating_sub(waiting_since.elapsed());
            if patience.is_zero() || tokio::time::timeout(patience, ready(socket)).await.is_err() {
                return Err(Stop::Close(CloseReason::Stalled));
            }
        }
    }
}

/// Reason for which the catch-up stops.
enum Stop {
    /// A broadcaster has taken over the socket.
    HandedOver,
    Close(CloseReason),
    Unreadable(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::OutOfMemory => Self::Close(CloseReason::Full),
            _ => Self::Unreadable(error),
        }
    }
}

impl From<MemoryFull> for Stop {
    fn from(_: MemoryFull) -> Self {
        Self::Close(CloseReason::Full)
    }
}

/// Waits until the socket is readable or, if something is queued, writable.
async fn ready(socket: &Socket) {
    poll_fn(|cx| {
        let writable = socket.has_queued() && socket.poll_write_ready(cx).is_ready();
        if socket.poll_read_ready(cx).is_ready() || writable { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Sends the close frame and waits a while for the peer's.
async fn say_goodbye(mut socket: Socket, reason: CloseReason, limits: &SpectatorLimits) {
    if reason == CloseReason::Gone {
        return;
    }
    socket.close(reason);
    let mut scratch = [0; 1024];
    let goodbye = async {
        while socket.flush_queue().is_ok() && socket.read(&mut scratch, limits) != ReadOutcome::Gone {
            ready(&socket).await;
        }
    };
    if tokio::time::timeout(CLOSING, goodbye).await.is_err() {
        socket.abort();
    }
}
