//! A range of a match's commands, from memory as far as that reaches and from its recording before.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::message::MatchId;
use grandstand_protocol::{Game, Message};

use super::body::{JsonArray, PIECE, Source, Step};
use super::state::SETTLE;
use crate::hub::Hub;
use crate::memory::Reservation;
use crate::recordings::reader::{Drawing, Reel};
use crate::wire::frame;

/// `commands` messages with exactly the commands of a range, and before them, if that is asked for, the picture that they
/// are drawn over.
pub(super) struct Range {
    hub: Arc<Hub>,
    id: MatchId,
    game: Game,
    /// The next command, and the last one.
    next: u64,
    to: u64,
    /// Whether the picture is still to come.
    scene: bool,
    /// The recording, where `next` is there and not in memory.
    reel: Option<Reel>,
    array: JsonArray,
    /// A picture that is the next piece.
    picture: Option<Bytes>,
    /// Since when the recorder has been waited for.
    waiting: Option<Instant>,
}

impl Range {
    pub(super) fn new(hub: Arc<Hub>, id: MatchId, game: Game, from: u64, to: u64, scene: bool) -> Self {
        Self {
            hub,
            id,
            game,
            next: from,
            to,
            scene,
            reel: None,
            array: JsonArray::default(),
            picture: None,
            waiting: None,
        }
    }

    /// The recording from the next command on.
    fn open(&mut self, memory: &mut Reservation) -> io::Result<Reel> {
        if let Some(reel) = self.reel.take() {
            return Ok(reel);
        }
        let reel = self.hub.library().reel(&self.id, self.next - 1)?;
        memory.resize(2 * PIECE + reel.bytes())?;
        Ok(reel)
    }

    /// The recording has no more yet, or never will.
    fn wait(&mut self, error: io::Error) -> io::Result<Step> {
        let feed = self.hub.get(&self.id);
        let comes = feed.is_some_and(|feed| feed.tape().is_some_and(|tape| !tape.failed()));
        // What was written between the reading and the question is there at the second reading.
        let patience = if comes { SETTLE } else { Duration::ZERO };
        match self.waiting {
            Some(since) if since.elapsed() >= patience => Err(error),
            _ => {
                self.waiting.get_or_insert_with(Instant::now);
                Ok(Step::Later)
            }
        }
    }

    /// Draws the picture before the next command.
    fn draw(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        let after = self.next - 1;
        let library = self.hub.library().clone();
        let frame = match library.kept_picture(&self.id, Some(after)) {
            Some((frame, _)) => frame,
            None => {
                let mut reel = match self.open(memory) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return self.wait(error),
                    reel => reel?,
                };
                let drawing = library.draw(&self.id, &mut reel, after)?;
                let frame = match drawing {
                    Drawing::Done => Some(library.picture(&self.id, Some(after), &reel)?.0),
                    Drawing::Further | Drawing::Starved => None,
                };
                self.reel = Some(reel);
                match (frame, drawing) {
                    (Some(frame), _) => frame,
                    (None, Drawing::Starved) => return self.wait(self.missing()),
                    (None, _) => return Ok(Step::Working),
                }
            }
        };
        self.waiting = None;
        self.scene = false;
        let picture = frame::payload(&frame);
        if picture.len() < PIECE {
            self.array.element().extend_from_slice(&picture);
            return Ok(Step::Working);
        }
        self.array.element();
        self.picture = Some(picture);
        Ok(Step::Piece(self.array.take()))
    }

    fn missing(&self) -> io::Error {
        let error = format!("command {} is missing in the recording", self.next);
        io::Error::new(io::ErrorKind::UnexpectedEof, error)
    }

    fn read(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        let mut reel = match self.open(memory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.wait(error),
            reel => reel?,
        };
        let piece = reel.next(PIECE, self.to)?;
        self.reel = Some(reel);
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

impl Source for Range {
    fn next(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        if let Some(picture) = self.picture.take() {
            return Ok(Step::Piece(picture));
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
        self.reel = None;
        for (first, last, payload) in recent {
            let message = trim(self.game, first, last, payload, self.next, self.to)?;
            self.array.element().extend_from_slice(&message);
            self.next = last + 1;
        }
        Ok(self.array.step())
    }
}

/// A `commands` message with the commands `first..=last`, without those outside `from..=to`.
fn trim(game: Game, first: u64, last: u64, payload: Bytes, from: u64, to: u64) -> io::Result<Bytes> {
    if first >= from && last <= to {
        return Ok(payload);
    }
    let text = std::str::from_utf8(&payload).map_err(io::Error::other)?;
    let message = Message::from_json(Some(game), text).map_err(io::Error::other)?;
    let Message::Commands { seq, t, mut commands } = message else { return Ok(payload) };
    commands.truncate((to + 1 - seq) as usize);
    let before = from.saturating_sub(seq) as usize;
    let message = Message::Commands { seq: seq + before as u64, t, commands: commands.split_off(before) };
    Ok(message.to_json().into())
}
