//! Push decoder for the bytes of a connection: bytes in, events out.

use crate::command::Command;
use crate::extension::{self, Extension, MatchHeader, MatchResult, Seat, SeatAnswer, Seats};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::problem::Fault;
use crate::text::trim_ending;

/// The meaning of one line of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A command: the line draws, marks, or was not understood.
    Command(Command),
    /// `#gs game`: the connection's dialect.
    Game(Game),
    /// `#gs match`: the header of the match.
    Match(Box<MatchHeader>),
    /// `#gs seats`: the list of seats from now on.
    Seats(Vec<Seat>),
    /// `#gs answer`: the result of a request about a seat.
    Answer(SeatAnswer),
    /// `#gs result`: the end of the match.
    Result(Box<MatchResult>),
}

impl Event {
    /// Appends the event's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        match self {
            Event::Command(command) => command.write_line(out),
            Event::Game(game) => {
                out.push_str("#gs game ");
                out.push_str(game.name());
            }
            Event::Match(header) => extension::write_line(out, "match", header),
            Event::Seats(seats) => {
                extension::write_line(out, "seats", &Seats { seats: seats.clone() });
            }
            Event::Answer(answer) => extension::write_line(out, "answer", answer),
            Event::Result(result) => extension::write_line(out, "result", result),
        }
    }

    /// The event's canonical line.
    pub fn to_line(&self) -> String {
        let mut line = String::new();
        self.write_line(&mut line);
        line
    }
}

/// Limits on the length of lines from a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line, in bytes without its line feed. Default 64 KiB.
    pub line_bytes: usize,
    /// The longest `#gs match` line, which may carry the sources of programs. Default 1 MiB.
    pub match_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { line_bytes: 64 << 10, match_bytes: 1 << 20 }
    }
}

/// Buffer capacity in bytes that an empty decoder keeps for the next bytes.
const KEEP_BYTES: usize = 128 << 10;

/// The reason why a stream can't be decoded any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A line is longer than its limit.
    #[error("line {line}, which begins at byte {byte}, is longer than {limit} bytes")]
    LineTooLong {
        /// The number of the line, from 1.
        line: u64,
        /// The offset of the line in the stream, from 0.
        byte: u64,
        /// The limit of the line's length, in bytes.
        limit: usize,
    },
}

/// Decoder that turns the bytes of one connection into events. The caller passes what was read to
/// [`push`](Decoder::push), then takes [`next`](Decoder::next) until it is `None`; after the last bytes it calls
/// [`finish`](Decoder::finish) and takes the remaining events.
/// The events do not depend on how the stream is cut into pieces. Blank lines yield nothing.
///
/// The buffer holds at most the bytes pushed since it was last empty and one line within its limit.
#[derive(Debug)]
pub struct Decoder {
    limits: Limits,
    game: Game,
    said_game: bool,
    said_match: bool,
    /// Whether a command has been decoded.
    drawing: bool,
    buffer: Vec<u8>,
    /// The start of the next line in the buffer.
    start: usize,
    /// The end of the buffer's part after `start` that is known to contain no line feed.
    scanned: usize,
    /// The number of bytes at the end of the buffer that belong to an incomplete line.
    partial: usize,
    /// The offset of the next line in the stream; `line` is its number.
    byte: u64,
    line: u64,
    finished: bool,
    error: Option<DecodeError>,
}

impl Decoder {
    /// A decoder for a new connection, whose dialect is Abalone until `#gs game` names another.
    pub fn new(limits: Limits) -> Decoder {
        Decoder {
            limits,
            game: Game::Abalone,
            said_game: false,
            said_match: false,
            drawing: false,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            partial: 0,
            byte: 0,
            line: 1,
            finished: false,
            error: None,
        }
    }

    /// Sets the dialect that the stream has unless `#gs game` names another.
    #[must_use]
    pub fn with_game(mut self, game: Game) -> Decoder {
        self.game = game;
        self
    }

    /// Takes the next bytes of the stream. After an error, and after [`finish`](Decoder::finish), they are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.finished || self.error.is_some() {
            return;
        }
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        if self.buffer.is_empty() && self.buffer.capacity() > KEEP_BYTES {
            self.buffer = Vec::new();
        }
        // Only the part of a line that shows that it is too long is kept.
        let most = self.limits.line_bytes.max(self.limits.match_bytes).saturating_add(1);
        let tail = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
        if tail > 0 {
            self.partial = 0;
        }
        let room = most.saturating_sub(self.partial).min(bytes.len() - tail);
        self.partial += room;
        self.buffer.extend_from_slice(&bytes[..tail + room]);
    }

    /// Ends the stream: the remaining bytes are the last line, even without a line feed.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// The next event; `None` when more bytes are needed. An error is returned once, and nothing after it.
    #[expect(clippy::should_implement_trait, reason = "an iterator that can go on after None would mislead")]
    pub fn next(&mut self) -> Option<Result<Event, DecodeError>> {
        loop {
            if self.error.is_some() {
                return None;
            }
            let (length, whole) = match memchr::memchr(b'\n', &self.buffer[self.scanned..]) {
                Some(at) => (self.scanned + at - self.start, true),
                None => (self.buffer.len() - self.start, false),
            };
            let line = &self.buffer[self.start..self.start + length];
            let limit = match line.get(..=self.limits.line_bytes) {
                Some(beginning) => self.limit_of(beginning),
                None => self.limits.line_bytes,
            };
            if length > limit {
                let error = DecodeError::LineTooLong { line: self.line, byte: self.byte, limit };
                self.error = Some(error.clone());
                self.buffer = Vec::new();
                return Some(Err(error));
            }
            self.scanned = self.start + length;
            if !whole && (!self.finished || length == 0) {
                return None;
            }
            let range = self.start..self.start + length;
            let taken = length + usize::from(whole);
            self.start += taken;
            self.scanned = self.start;
            self.byte += taken as u64;
            self.line += 1;
            if let Some(event) = self.understand(range) {
                return Some(Ok(event));
            }
        }
    }

    /// The connection's dialect, as far as it is known.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The number, from 1, of the line that the last event came from; 0 before the first.
    pub fn line_number(&self) -> u64 {
        self.line - 1
    }

    /// The number of buffered bytes: complete lines that have not been taken, and the beginning of the next.
    pub fn buffered_bytes(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The error that ended the decoding.
    pub fn error(&self) -> Option<&DecodeError> {
        self.error.as_ref()
    }

    /// The limit of a line that is longer than `Limits::line_bytes`. It depends only on the line's first
    /// `line_bytes + 1` bytes, which have always arrived when this is first called, however the stream is cut.
    fn limit_of(&self, beginning: &[u8]) -> usize {
        let mut cursor = Cursor::new(beginning);
        let is_match = cursor.word().bytes == b"#gs" && cursor.word().bytes == b"match";
        if is_match && !self.drawing && !self.said_match {
            self.limits.match_bytes.max(self.limits.line_bytes)
        } else {
            self.limits.line_bytes
        }
    }

    fn understand(&mut self, range: std::ops::Range<usize>) -> Option<Event> {
        let line = trim_ending(&self.buffer[range]);
        let mut cursor = Cursor::new(line);
        let name = cursor.word();
        let understood = match name.bytes {
            b"" => return None,
            extension::PREFIX => {
                let name = cursor.word();
                let extension = extension::parse(self.game, name, &mut cursor);
                extension.and_then(|extension| self.place(extension, name))
            }
            _ => Command::parse_dialect(self.game, line).map(Event::Command),
        };
        let event = understood.unwrap_or_else(|fault| Event::Command(Command::unknown(line, fault)));
        match &event {
            Event::Command(_) => self.drawing = true,
            Event::Game(game) => (self.game, self.said_game) = (*game, true),
            Event::Match(_) => self.said_match = true,
            Event::Seats(_) | Event::Answer(_) | Event::Result(_) => {}
        }
        Some(event)
    }

    /// Checks that a `#gs` line is allowed at its position.
    fn place(&self, extension: Extension, name: Word<'_>) -> Result<Event, Fault> {
        let too_late = |again: bool, what: &'static str| match () {
            () if self.drawing => {
                Err(name.fault(format!("a command: {what} is said before anything is drawn")))
            }
            () if again => Err(name.fault(format!("something else: {what} is said only once"))),
            () => Ok(()),
        };
        match extension {
            Extension::Game(game) => too_late(self.said_game, "the game").map(|()| Event::Game(game)),
            Extension::Match(header) => {
                too_late(self.said_match, "the match's header").map(|()| Event::Match(header))
            }
            Extension::Marker(marker) => Ok(Event::Command(marker.into())),
            Extension::Overlay(overlay) => Ok(Event::Command(overlay.into())),
            Extension::Seats(seats) => Ok(Event::Seats(seats)),
            Extension::Answer(answer) => Ok(Event::Answer(answer)),
            Extension::Result(result) => Ok(Event::Result(result)),
        }
    }
}
