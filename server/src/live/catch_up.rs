//! Sends a spectator what is no longer in memory, from the recording, at the pace at which it reads.
//!
//! Such a spectator has a task of its own, which holds one piece of the history at a time. Once it is near the end of
//! a match in memory, the match's broadcaster takes over.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::Micros;
use grandstand_protocol::message::{MatchId, Message, Summary};

use super::Live;
use super::broadcaster::Join;
use super::socket::{ReadOutcome, Socket};
use crate::config::SpectatorLimits;
use crate::hub::feed::{Batch, Match};
use crate::hub::snapshot::Picture;
use crate::memory::{Full, Reservation, Use};
use crate::readers::Client;
use crate::recordings::Library;
use crate::recordings::reader::{Drawing, Piece, Reel};
use crate::shutdown::until_stop;
use crate::wire::{CloseReason, encode};

/// Bytes of history read ahead of one spectator.
const PIECE_BYTES: usize = 32 * 1024;
/// How long to wait for the recorder to write what memory has forgotten.
const RECORDER_PAUSE: Duration = Duration::from_millis(20);
/// How long a closing handshake may take.
const CLOSING: Duration = Duration::from_secs(5);

/// One spectator on its way through the history.
#[derive(Debug)]
pub(crate) struct Playback {
    live: Arc<Live>,
    client: Client,
    /// For the recording that it reads.
    memory: Option<Reservation>,
    id: MatchId,
    /// The match, if it is in memory.
    feed: Option<Arc<Match>>,
    /// The match, if it is not.
    summary: Option<Summary>,
    socket: Option<Socket>,
    /// It has the commands up to this one; without it wants the picture alone.
    since: Option<u64>,
}

impl Playback {
    pub(crate) fn of_feed(
        live: Arc<Live>,
        client: Client,
        feed: Arc<Match>,
        socket: Socket,
        since: u64,
    ) -> Self {
        let id = feed.id().clone();
        Self::new(live, client, id, Some(feed), None, socket, Some(since))
    }

    pub(crate) fn of_recording(
        live: Arc<Live>,
        client: Client,
        summary: Summary,
        socket: Socket,
        since: Option<u64>,
    ) -> Self {
        let id = summary.id.clone();
        Self::new(live, client, id, None, Some(summary), socket, since)
    }

    fn new(
        live: Arc<Live>,
        client: Client,
        id: MatchId,
        feed: Option<Arc<Match>>,
        summary: Option<Summary>,
        socket: Socket,
        since: Option<u64>,
    ) -> Self {
        Self { live, client, memory: None, id, feed, summary, socket: Some(socket), since }
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
                let mut reel = self.open(since).await?;
                loop {
                    let piece;
                    (reel, piece) = self.next_piece(reel).await?;
                    for (_, _, frame) in piece.frames {
                        self.push(frame);
                    }
                    self.drain().await?;
                    if piece.at_end {
                        self.check_end(reel.seq())?;
                        break reel.t();
                    }
                }
            }
            None => {
                let (scene, t) = self.last_picture().await?;
                self.push(scene);
                t
            }
        };
        if let Some(summary) = self.summary.take() {
            self.push(encode(&Message::End { seq: summary.seq, t, result: summary.result }));
        }
        self.drain().await
    }

    /// Goes through a match in memory: as far as memory reaches from there, and from the recording before that.
    async fn follow(&mut self, feed: &Arc<Match>) -> Result<(), Stop> {
        let mut seq = self.since.unwrap_or(0);
        let mut reel: Option<Reel> = None;
        let mut batch = Batch::default();
        let near = self.live.limits().lag_bytes / 4;
        loop {
            if let Some(mut cursor) = feed.offset_after(seq) {
                reel = None;
                // Copied whole, so a slow reader holds a piece and not the ring.
                while feed.end() - cursor > near && feed.copy_from(cursor, PIECE_BYTES, &mut batch) {
                    self.push(Bytes::copy_from_slice(&batch.bytes));
                    cursor = batch.end();
                    seq = seq.max(batch.last);
                    self.drain().await?;
                    // A reader that is never full would keep the others waiting.
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
            let recorded = feed.tape().filter(|tape| !tape.failed() || tape.has(seq + 1));
            if recorded.is_none() {
                // What lies between was never written: the picture has to do.
                let stops = |_| Stop::Close(CloseReason::Shutdown);
                let Picture { frame, cursor } = feed.picture().await.map_err(stops)??;
                self.push(frame);
                self.live.metrics.resyncs.add(1);
                if let Some(socket) = self.socket.take() {
                    self.live.join(feed, Join { socket, cursor });
                }
                return Err(Stop::HandedOver);
            }
            let opened = match reel.take() {
                Some(reel) => reel,
                None => self.open(seq).await?,
            };
            let (back, piece) = self.next_piece(opened).await?;
            reel = Some(back);
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
    async fn open(&mut self, since: u64) -> Result<Reel, Stop> {
        let id = self.id.clone();
        let reel = self.read(move |library| library.reel(&id, since)).await?;
        let memory = self.live.hub.memory();
        self.memory = Some(memory.reserve(Use::Answers, 2 * PIECE_BYTES + reel.bytes())?);
        Ok(reel)
    }

    /// A recording that ends before its match did is not taken for a whole one.
    fn check_end(&self, seq: u64) -> Result<(), Stop> {
        match &self.summary {
            Some(summary) if seq < summary.seq => {
                let error = format!("it ends with command {seq} of {}", summary.seq);
                Err(Stop::Unreadable(io::Error::new(io::ErrorKind::UnexpectedEof, error)))
            }
            _ => Ok(()),
        }
    }

    async fn next_piece(&self, mut reel: Reel) -> Result<(Reel, Piece), Stop> {
        let next = move |_: &Library| {
            let piece = reel.next(PIECE_BYTES, u64::MAX)?;
            Ok((reel, piece))
        };
        self.read(next).await
    }

    /// The last picture of the recording, and the time of its last line.
    async fn last_picture(&mut self) -> Result<(Bytes, Micros), Stop> {
        if let Some(picture) = self.live.hub.library().kept_picture(&self.id, None) {
            return Ok(picture);
        }
        let mut reel = self.open(u64::MAX).await?;
        loop {
            let id = self.id.clone();
            let draw = move |library: &Library| {
                let drawing = library.draw(&id, &mut reel, u64::MAX)?;
                let done = drawing != Drawing::Further;
                Ok((done.then(|| library.picture(&id, None, &reel)).transpose()?, reel))
            };
            match self.read(draw).await? {
                (Some(picture), _) => return Ok(picture),
                (None, back) => reel = back,
            }
        }
    }

    /// Reads something once it is this client's turn.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Library) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Stop> {
        Ok(self.live.read(self.client, work).await??)
    }

    fn push(&mut self, frame: Bytes) {
        if let Some(socket) = &mut self.socket {
            socket.push(frame);
        }
    }

    /// Writes what waits, reading meanwhile what the spectator sends.
    async fn drain(&mut self) -> Result<(), Stop> {
        let Some(socket) = &mut self.socket else { return Err(Stop::HandedOver) };
        let limits = self.live.limits.clone();
        let mut waiting_since = Instant::now();
        let mut waiting = socket.waiting();
        let mut scratch = [0; 1024];
        loop {
            match socket.read(&mut scratch, &limits) {
                ReadOutcome::Gone => return Err(Stop::Close(CloseReason::Gone)),
                ReadOutcome::Heard { messages } => self.live.metrics.inbound_messages.add(messages.into()),
                ReadOutcome::Nothing => {}
            }
            let written = socket.write_front().or(Err(Stop::Close(CloseReason::Gone)))?;
            if let Some(reason) = socket.closing() {
                return Err(Stop::Close(reason));
            }
            if written {
                return Ok(());
            }
            let seconds = waiting_since.elapsed().as_secs().max(1) as usize;
            if waiting.saturating_sub(socket.waiting()) >= seconds * limits.read_bytes_per_second as usize {
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

/// Why a playback stops.
enum Stop {
    /// A broadcaster has the socket now.
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

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self::Close(CloseReason::Full)
    }
}

/// Waits until the socket can be read or, if something waits for that, written.
async fn ready(socket: &Socket) {
    poll_fn(|cx| {
        let writable = socket.has_front() && socket.poll_write_ready(cx).is_ready();
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
        while socket.write_front().is_ok() && socket.read(&mut scratch, limits) != ReadOutcome::Gone {
            ready(&socket).await;
        }
    };
    if tokio::time::timeout(CLOSING, goodbye).await.is_err() {
        socket.abort();
    }
}
