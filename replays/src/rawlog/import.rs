//! A raw log becomes a replay.

use std::io::{self, Read, Write};

use grandstand_protocol::{Command, DecodeError, Decoder, Event, Game, MatchHeader, MatchResult, Micros};

use super::stamp::{self, Stamp};
use super::{DETECT_LINES, LINES_PER_TURN, Options, Stamps};
use crate::header::Header;
use crate::writer::Writer;

/// What was converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The replay's header.
    pub header: Header,
    /// The form of times that the log has.
    pub stamps: Stamps,
    /// How many commands there were; those that were not understood count, too.
    pub commands: u64,
    /// How many lines were not understood.
    pub unknown: u64,
    /// How many lines had no time, or one earlier than the line before them, in a log that has times.
    pub misfits: u64,
    /// The time of the last line.
    pub end: Micros,
    /// How the match ended, if the log says so.
    pub result: Option<MatchResult>,
    /// Where the log can't be read any further; what comes before is converted.
    pub damage: Option<DecodeError>,
}

/// Why a log was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Reading the log failed.
    #[error("the log can't be read: {0}")]
    Read(io::Error),
    /// Writing the replay failed.
    #[error("the replay can't be written: {0}")]
    Write(io::Error),
    /// There is no line in it.
    #[error("the log is empty")]
    Empty,
}

/// Reads a raw log and writes it as a replay (not compressed), which it does not flush.
///
/// # Errors
/// [`ImportError`] when reading or writing fails, or there is nothing in the log.
pub fn import(mut source: impl Read, sink: impl Write, options: &Options) -> Result<Import, ImportError> {
    let mut importer = Importer::new(sink, *options);
    let mut chunk = vec![0; 64 << 10];
    loop {
        match source.read(&mut chunk) {
            Ok(0) => return importer.finish(),
            Ok(length) => importer.push(&chunk[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ImportError::Read(error)),
        }
    }
}

struct Importer<W: Write> {
    options: Options,
    decoder: Decoder,
    /// Lines that have not been looked at: the beginning of the log, or of a line.
    buffer: Vec<u8>,
    stamps: Option<Stamps>,
    clock: Clock,
    game: Game,
    about: MatchHeader,
    output: Output<W>,
    unknown: u64,
    result: Option<MatchResult>,
    damage: Option<DecodeError>,
}

/// The header comes first in a replay, and is known when the first command comes.
enum Output<W: Write> {
    Waiting(W),
    Begun(Writer<W>, Box<Header>),
    Failed,
}

impl<W: Write> Importer<W> {
    fn new(sink: W, options: Options) -> Importer<W> {
        Importer {
            options,
            decoder: Decoder::new(options.limits).with_game(options.game),
            buffer: Vec::new(),
            stamps: options.stamps,
            clock: Clock::default(),
            game: options.game,
            about: MatchHeader::default(),
            output: Output::Waiting(sink),
            unknown: 0,
            result: None,
            damage: None,
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        if self.damage.is_some() {
            return Ok(());
        }
        self.buffer.extend_from_slice(bytes);
        self.settle(false)?;
        // A line that is too long for the decoder even without its time goes there, to be refused.
        let most = self.options.limits.line_bytes.max(self.options.limits.match_bytes) + 128;
        if self.buffer.len() > most && self.stamps.is_none() {
            self.stamps = detect(&self.buffer, true);
            self.settle(false)?;
        }
        if self.buffer.len() > most { self.settle(true) } else { Ok(()) }
    }

    /// Takes the lines that are whole, once the form of times is known, and what is left if that is `all`.
    fn settle(&mut self, all: bool) -> Result<(), ImportError> {
        if self.stamps.is_none() {
            self.stamps = detect(&self.buffer, all);
        }
        let Some(stamps) = self.stamps else { return Ok(()) };
        let buffer = std::mem::take(&mut self.buffer);
        let whole = if all { buffer.len() } else { memchr::memrchr(b'\n', &buffer).map_or(0, |at| at + 1) };
        for line in buffer[..whole].split_inclusive(|&byte| byte == b'\n') {
            self.line(stamps, line)?;
        }
        self.buffer = buffer;
        self.buffer.drain(..whole);
        Ok(())
    }

    /// One line, with its ending if it has one.
    fn line(&mut self, stamps: Stamps, line: &[u8]) -> Result<(), ImportError> {
        let mut text = line;
        if stamps != Stamps::None && !line.trim_ascii().is_empty() {
            match stamp::split(line) {
                Some((stamp, _, rest)) if stamp.form == stamps => {
                    if self.clock.first.is_none() && stamps == Stamps::Rfc3339 && self.about.started.is_none()
                    {
                        self.about.started = stamp::write_moment(stamp.micros).map(Into::into);
                    }
                    self.clock.set(stamp);
                    text = rest;
                }
                _ => self.clock.misfits += 1,
            }
        }
        self.decoder.push(text);
        self.take_events()
    }

    fn take_events(&mut self) -> Result<(), ImportError> {
        while let Some(event) = self.decoder.next() {
            match event {
                Ok(Event::Game(game)) => self.game = game,
                Ok(Event::Match(about)) => {
                    let started = self.about.started.take();
                    self.about = *about;
                    self.about.seats = Vec::new();
                    self.about.started = self.about.started.take().or(started);
                }
                Ok(Event::Command(command)) => {
                    let t = self.clock.t;
                    self.writer()?.command(t, &command).map_err(ImportError::Write)?;
                    self.unknown += u64::from(matches!(command, Command::Unknown(_)));
                    if self.stamps == Some(Stamps::None) {
                        self.clock.drew(&command, self.options.pace);
                    }
                }
                // Who might play is of the moment.
                Ok(Event::Seats(_) | Event::Answer(_)) => {}
                Ok(Event::Result(result)) => {
                    let t = self.clock.t;
                    self.writer()?.result(t, &result).map_err(ImportError::Write)?;
                    self.result = Some(*result);
                }
                Err(error) => self.damage = Some(error),
            }
        }
        Ok(())
    }

    /// The writer, which begins with the header as it is known now.
    fn writer(&mut self) -> Result<&mut Writer<W>, ImportError> {
        if let Output::Waiting(_) = self.output {
            let header = Header::new(self.game, self.about.clone());
            if let Output::Waiting(sink) = std::mem::replace(&mut self.output, Output::Failed) {
                self.output =
                    Output::Begun(Writer::new(sink, &header).map_err(ImportError::Write)?, Box::new(header));
            }
        }
        match &mut self.output {
            Output::Begun(writer, _) => Ok(writer),
            Output::Waiting(_) | Output::Failed => {
                Err(ImportError::Write(io::Error::other("an earlier line could not be written")))
            }
        }
    }

    fn finish(mut self) -> Result<Import, ImportError> {
        self.settle(true)?;
        self.decoder.finish();
        self.take_events()?;
        if self.decoder.line_number() == 0 && self.damage.is_none() {
            return Err(ImportError::Empty);
        }
        let commands = self.writer()?.seq();
        let Output::Begun(_, header) = self.output else { return Err(ImportError::Empty) };
        Ok(Import {
            header: *header,
            stamps: self.stamps.unwrap_or(Stamps::None),
            commands,
            unknown: self.unknown,
            misfits: self.clock.misfits,
            end: self.clock.t,
            result: self.result,
            damage: self.damage,
        })
    }
}

/// The form of times of a log that begins so; `None` when more of it is needed. `all` is when there is no more.
fn detect(start: &[u8], all: bool) -> Option<Stamps> {
    let mut form = None;
    let mut lines = 0;
    for line in start.split_inclusive(|&byte| byte == b'\n') {
        if lines == DETECT_LINES || (!all && !line.ends_with(b"\n")) {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        lines += 1;
        match (stamp::split(line), form) {
            (None, _) => return Some(Stamps::None),
            (Some((stamp, ..)), None) => form = Some(stamp.form),
            (Some((stamp, ..)), Some(form)) if stamp.form == form => {}
            (Some(_), Some(_)) => return Some(Stamps::None),
        }
    }
    match lines {
        0 if all => Some(Stamps::None),
        _ if all || lines == DETECT_LINES => form,
        _ => None,
    }
}

/// The time of the match, from the times in the lines or from the turns.
#[derive(Debug, Default)]
struct Clock {
    t: Micros,
    /// What the first time was, in its own form; times are counted from there.
    first: Option<i64>,
    /// The last time of day, and the days that have gone by.
    last: i64,
    days: i64,
    /// How many commands of this turn there were.
    drawn: u64,
    misfits: u64,
}

const DAY: i64 = 86_400_000_000;

/// From so many seconds on they are counted from an epoch, and not from the start of a match.
const EPOCH_MICROS: i64 = 10_000_000_000_000;

impl Clock {
    fn set(&mut self, stamp: Stamp) {
        let mut micros = stamp.micros;
        if stamp.form == Stamps::Clock {
            if self.last - micros > DAY / 2 {
                self.days += 1;
            }
            self.last = micros;
            micros += self.days * DAY;
        }
        let from_start = stamp.form == Stamps::Seconds && micros < EPOCH_MICROS;
        let first = *self.first.get_or_insert(if from_start { 0 } else { micros });
        let t = Micros(u64::try_from(micros.saturating_sub(first)).unwrap_or(0));
        if t < self.t || t > Micros::MAX {
            self.misfits += 1;
        } else {
            self.t = t;
        }
    }

    fn drew(&mut self, command: &Command, pace: Micros) {
        self.drawn += 1;
        if command.ends_turn() || self.drawn >= LINES_PER_TURN {
            self.t = Micros(self.t.0.saturating_add(pace.0)).min(Micros::MAX);
            self.drawn = 0;
        }
    }
}
