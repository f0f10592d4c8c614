//! Body of a range of commands: from memory as far back as it reaches, and from the recording before that.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::message::MatchId;
use grandstand_protocol::{Game, Message};

use super::body::{JsonArray, PIECE, Source, Step};
use super::state::SETTLE;
use crate::hub::Hub;
use crate::hub::feed::MatchFeed;
use crate::limits::memory::Reservation;
use crate::recordings::match_reader::MatchReader;
use crate::recordings::reader::DrawProgress;
use crate::wire::frame;

/// `commands` messages with exactly the commands of a range, optionally after the snapshot that precedes them.
pub(super) struct CommandRange {
    hub: Arc<Hub>,
    id: MatchId,
    game: Game,
    /// Numbers of the next and the last command.
    next: u64,
    to: u64,
    /// Whether the snapshot is still to be sent.
    scene: bool,
    /// The recording, if `next` is there and not in memory.
    reader: Option<MatchReader>,
    array: JsonArray,
    /// A snapshot that is the next piece.
    snapshot: Option<Bytes>,
    /// Start of the wait for the recorder.
    waiting: Option<Instant>,
}

impl CommandRange {
    pub(super) fn new(hub: Arc<Hub>, id: MatchId, game: Game, from: u64, to: u64, scene: bool) -> Self {
        Self {
            hub,
            id,
            game,
            next: from,
            to,
            scene,
            reader: None,
            array: JsonArray::default(),
            snapshot: None,
            waiting: None,
        }
    }

    /// Opens the recording from the next command on.
    fn open(&mut self, memory: &mut Reservation) -> io::Result<MatchReader> {
        if let Some(reader) = self.reader.take() {
            return Ok(reader);
        }
        let reader = self.hub.recordings().reader(&self.id, self.next - 1)?;
        memory.resize(2 * PIECE + reader.bytes())?;
        Ok(reader)
    }

    /// Waits for the recorder, or returns `error` if it will not write more, or too late.
    fn wait(&mut self, error: io::Error) -> io::Result<Step> {
        let feed = self.hub.get(&self.id);
        let comes = |feed: Arc<MatchFeed>| {
            feed.is_followed() || feed.write_queue().is_some_and(|queue| !queue.failed())
        };
        let comes = feed.is_some_and(comes);
        // Commands written between the read and this check are found by the second read.
        let patience = if comes { SETTLE } else { Duration::ZERO };
        match self.waiting {
            Some(since) if since.elapsed() >= patience => Err(error),
            _ => {
                self.waiting.get_or_insert_with(Instant::now);
                Ok(Step::Later)
            }
        }
    }

    /// Draws the snapshot before the next command.
    fn draw(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        let after = self.next - 1;
        let recordings = self.hub.recordings().clone();
        let frame = match recordings.cached_snapshot(&self.id, Some(after)) {
            Some((frame, _)) => frame,
            None => {
                let mut reader = match self.open(memory) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return self.wait(error),
                    reader => reader?,
                };
                let drawing = recordings.advance_snapshot(&self.id, &mut reader, after)?;
                let frame = match drawing {
                    DrawProgress::Done => Some(recordings.snapshot(&self.id, Some(after), &reader)?.0),
                    DrawProgress::Unfinished | DrawProgress::OutOfInput => None,
                };
                self.reader = Some(reader);
                match (frame, drawing) {
                    (Some(frame), _) => frame,
                    (None, DrawProgress::OutOfInput) => return self.wait(self.missing()),
                    (None, _) => return Ok(Step::Working),
                }
            }
        };
        self.waiting = None;
        self.scene = false;
        let snapshot = frame::payload(&frame);
        if snapshot.len() < PIECE {
            self.array.element().extend_from_slice(&snapshot);
            return Ok(Step::Working);
        }
        self.array.element();
        self.snapshot = Some(snapshot);
        Ok(Step::Piece(self.array.take()))
    }

    fn missing(&self) -> io::Error {
        let error = format!("command {} is missing in the recording", self.next);
        io::Error::new(io::ErrorKind::UnexpectedEof, error)
    }

    fn read(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        let mut reader = match self.open(memory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.wait(error),
            reader => reader?,
        };
        let piece = reader.next(PIECE, self.to)?;
        self.reader = Some(reader);
        if !piece.frames.is_empty() {
            self.waiting = None;
        }
        for (_, last, frame) in piece.frames {
            self.array.element().extend_from_slice(&frame::payload(&frame));
            self.next = last + 1;
        }
        if piece.at_end && self.next <= self.to {
            return self.wait(self.missing());
        }
        Ok(self.array.step())
    }
}

impl Source for CommandRange {
    fn next(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        if let Some(snapshot) = self.snapshot.take() {
            return Ok(Step::Piece(snapshot));
        }
        if self.scene {
            return self.draw(memory);
        }
        if self.next > self.to {
            return Ok(self.array.finish());
        }
        let recent = self.hub.get(&self.id).map(|feed| feed.payloads(self.next, self.to, PIECE));
        let recent = recent.unwrap_or_default();
        if recent.is_empty() {
            return self.read(memory);
        }
        self.reader = None;
        for (first, last, payload) in recent {
            let message = trim(self.game, first, last, payload, self.next, self.to)?;
            self.array.element().extend_from_slice(&message);
            self.next = last + 1;
        }
        Ok(self.array.step())
    }
}

/// A `commands` message with the commands `first..=last`, without those outside `from..=to`.
pub(crate) fn trim(
    game: Game,
    first: u64,
    last: u64,
    payload: Bytes,
    from: u64,
    to: u64,
) -> io::Result<Bytes> {
    if first >= from && last <= to {
        return Ok(payload);
    }
    let text = std::str::from_utf8(&payload).map_err(io::Error::other)?;
    let message = Message::from_json(Some(game), text).map_err(io::Error::other)?;
    let Message::Commands { seq, t, mut commands } = message else { return Ok(payload) };
    commands.truncate((to - seq).saturating_add(1) as usize);
    let before = from.saturating_sub(seq) as usize;
    let message = Message::Commands { seq: seq + before as u64, t, commands: commands.split_off(before) };
    Ok(message.to_json().into())
}
