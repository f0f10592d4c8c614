//! Publisher: the one producer of a match. It numbers the commands, encodes them once, and passes them on to the feed and the
//! recorder.

use std::sync::Arc;
use std::time::Instant;

use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{Command, Game, MatchHeader, Micros, Seat, SeatAnswer};
use tokio::sync::mpsc;

use super::feed::{MatchFeed, since};
use super::{FeedEnd, Hub};
use crate::recorder::Recording;
use crate::wire::{CloseReason, encode_commands, shortened};

/// Handle of the producer of a match. Dropping it without [`Publisher::finish`] interrupts the match.
#[derive(Debug)]
pub(crate) struct Publisher {
    hub: Arc<Hub>,
    feed: Arc<MatchFeed>,
    began: Instant,
    game: Game,
    header: MatchHeader,
    seq: u64,
    recording: Option<Recording>,
    finished: bool,
}

impl Publisher {
    pub(super) fn new(hub: Arc<Hub>, feed: Arc<MatchFeed>, recording: Option<Recording>) -> Self {
        let header = MatchHeader { started: Some(feed.summary().started), ..MatchHeader::default() };
        let began = feed.began();
        let mut publisher =
            Self { hub, feed, began, game: Game::Abalone, header, seq: 0, recording, finished: false };
        publisher.record_header();
        publisher
    }

    /// The match's id.
    pub(crate) fn id(&self) -> &MatchId {
        self.feed.id()
    }

    /// The number of the last command.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    /// Sets the dialect, before the first command.
    pub(crate) fn set_game(&mut self, game: Game) {
        self.game = game;
        self.feed.set_game(game);
        self.record_header();
    }

    /// Takes the game server's header, before the first command. Its seats are dropped, because they change and are
    /// not recorded; they go to [`set_seats`](Publisher::set_seats). Its setup is sent to spectators and not
    /// recorded.
    pub(crate) fn set_header(&mut self, mut header: MatchHeader) {
        header.seats = Vec::new();
        let started = self.header.started.take();
        self.header = header;
        if self.header.started.is_none() {
            self.header.started = started;
        }
        self.feed.set_header(&self.header);
        self.header.setup = Vec::new();
        self.record_header();
    }

    /// Sets the seats. The first call returns the receiver of the request lines for the game server.
    pub(crate) fn set_seats(&mut self, seats: Vec<Seat>) -> Option<mpsc::Receiver<String>> {
        let requests = self.feed.seats.announce(seats);
        self.feed.publish_seats();
        requests
    }

    /// Takes the game server's answer to a request about a seat.
    pub(crate) fn answered(&mut self, answer: SeatAnswer) {
        if self.feed.seats.answered(answer) {
            self.feed.publish_seats();
        }
    }

    fn record_header(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.header(self.game, &self.header);
        }
    }

    /// Publishes commands that arrived together: as one batch, with one time.
    pub(crate) fn push(&mut self, commands: &[Command]) {
        if commands.is_empty() {
            return;
        }
        let t = self.now();
        let metrics = self.hub.metrics();
        metrics.lines.add(commands.len() as u64);
        metrics.batch_commands.observe(commands.len() as u64);
        let frames = encode_commands(self.seq + 1, t, commands);
        self.seq += commands.len() as u64;
        self.feed.append(t, commands, frames);
        if let Some(recording) = &mut self.recording {
            recording.append(t, commands);
        }
    }

    /// Ends the match.
    pub(crate) fn finish(mut self, end: FeedEnd) {
        self.end(end);
    }

    fn end(&mut self, end: FeedEnd) {
        if std::mem::replace(&mut self.finished, true) {
            return;
        }
        let (state, result, reason) = match end {
            FeedEnd::Result(result) => (MatchState::Finished, Some(result), CloseReason::Finished),
            FeedEnd::Orderly => (MatchState::Finished, None, CloseReason::Finished),
            FeedEnd::Broken => (MatchState::Interrupted, None, CloseReason::Finished),
            FeedEnd::Shutdown => (MatchState::Interrupted, None, CloseReason::Shutdown),
        };
        let t = self.now();
        self.feed.finish(t, state, result.clone().map(shortened), reason, None);
        let recording = self.recording.take();
        self.hub.ended(&self.feed, recording.is_some());
        if let Some(recording) = recording {
            recording.finish(t, state, result);
        }
    }

    fn now(&self) -> Micros {
        since(self.began)
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.end(FeedEnd::Broken);
    }
}
