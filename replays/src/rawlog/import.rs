//! Conversion of a raw log to a replay.

use std::io::{self, Read, Write};

use grandstand_protocol::{Command, DecodeError, Decoder, Event, Game, MatchHeader, MatchResult, Micros};

use super::stamp::{self, Stamp};
use super::{DETECT_LINES, LINES_PER_TURN, Options, Stamps};
use crate::header::Header;
use crate::writer::Writer;

/// The result of the conversion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The replay's header.
    pub header: Header,
    /// The form of the log's times.
    pub stamps: Stamps,
    /// The number of commands, including unknown lines.
    pub commands: u64,
    /// The number of unknown lines.
    pub unknown: u64,
    /// The number of lines without a time, or with an earlier one than the line before them, in a log with times.
    pub misfits: u64,
    /// The time of the last line.
    pub end: Micros,
    /// The result of the match, if the log contains it.
    pub result: Option<MatchResult>,
    /// The reason why the log can't be read to its end; everything before that place is converted.
    pub damage: Option<DecodeError>,
}

/// The reason why a log was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Reading the log failed.
    #[error("the log can't be read: {0}")]
    Read(io::Error),
    /// Writing the replay failed.
    #[error("the replay can't be written: {0}")]
    Write(io::Error),
    /// The log has no lines.
    #[error("the log is empty")]
    Empty,
}

/// Reads a raw log and writes it as a replay, not compressed. The sink is not flushed.
///
/// # Errors
/// [`ImportError`] if reading or writing fails, or the log is empty.
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
    /// Unprocessed input: the beginning of the log, or of a line.
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

/// The output of an import. A replay begins with the header, which is known only when the first command comes.
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
        // A line that is too long for the decoder even without its time is passed on, and the decoder refuses it.
        let most = self.options.limits.line_bytes.max(self.options.limits.match_bytes) + 128;
        if self.buffer.len() > most && self.stamps.is_none() {
            self.stamps = detect(&self.buffer, true);
            self.settle(false)?;
        }
        if self.buffer.len() > most { self.settle(true) } else { Ok(()) }
    }

    /// Processes the whole lines once the form of times is known, and with `all` also an incomplete last line.
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

    /// Processes one line, including its ending if it has one.
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
                    (self.about.seats, self.about.setup) = (Vec::new(), Vec::new());
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
                // Seats belong to the live match only.
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

    /// The writer, which is created with the header as it is known at the first call.
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

/// The form of times of a log with this beginning; `None` if more of it is needed. `all` means that there is no more.
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

/// The current time of the match, derived from the times in the lines or from the turns.
#[derive(Debug, Default)]
struct Clock {
    t: Micros,
    /// The first time in the log, in its own form, from which times are counted.
    first: Option<i64>,
    /// The last time of day; `days` is the number of midnights passed.
    last: i64,
    days: i64,
    /// The number of commands in this turn so far.
    drawn: u64,
    misfits: u64,
}

const DAY: i64 = 86_400_000_000;

/// From this value on, seconds are counted from an epoch, and not from the start of a match.
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
