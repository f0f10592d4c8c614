//! Conversion of a recording to a raw log.

use std::io::{self, Write};

use grandstand_protocol::{Event, Micros};

use super::{Stamps, stamp};
use crate::replay::Replay;

/// The result of the conversion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Export {
    /// The number of lines written.
    pub lines: u64,
    /// The number of commands and other entries that were omitted, because an old GUI would not understand them.
    pub left_out: u64,
}

/// The reason why a recording was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Writing failed.
    #[error("the log can't be written: {0}")]
    Write(#[from] io::Error),
    /// [`Stamps::Rfc3339`] needs a start time, which the recording lacks.
    #[error(
        "the recording does not say when the match began, so that its lines have no date: choose another form of time"
    )]
    NoStart,
}

/// Writes a recording as lines of text, each with its time in the given form. `extensions` adds the `#gs` lines of
/// everything that is no drawing, and the unknown lines: the whole content of a replay. Without it, only lines of
/// the game's dialect are written.
///
/// # Errors
/// [`ExportError`] if writing fails, or [`Stamps::Rfc3339`] is requested for a recording without a start time.
pub fn export(
    replay: &Replay,
    sink: impl Write,
    stamps: Stamps,
    extensions: bool,
) -> Result<Export, ExportError> {
    let started = replay.header().about.started.as_ref().and_then(|text| stamp::moment(text.as_bytes()));
    if stamps == Stamps::Rfc3339 && started.is_none() {
        return Err(ExportError::NoStart);
    }
    let mut exporter =
        Exporter { sink, stamps, started: started.unwrap_or(0), done: Export::default(), buffer: Vec::new() };
    let log = replay.log();
    if extensions {
        for event in [Event::Game(log.game()), Event::Match(Box::new(replay.header().about.clone()))] {
            exporter.line(Micros(0), event.to_line().as_bytes())?;
        }
    }
    for seq in 1..=log.last_seq() {
        let (Some(line), Some(command)) = (log.line(seq), log.command(seq)) else { continue };
        if extensions || command.is_dialect() {
            exporter.line(log.time_of(seq), line)?;
        } else {
            exporter.done.left_out += 1;
        }
    }
    if let Some(end) = log.end()
        && let Some(result) = &end.result
    {
        if extensions {
            exporter.line(end.t, Event::Result(Box::new(result.clone())).to_line().as_bytes())?;
        } else {
            exporter.done.left_out += 1;
        }
    }
    Ok(exporter.done)
}

struct Exporter<W> {
    sink: W,
    stamps: Stamps,
    started: i64,
    done: Export,
    buffer: Vec<u8>,
}

impl<W: Write> Exporter<W> {
    fn line(&mut self, t: Micros, line: &[u8]) -> Result<(), ExportError> {
        self.buffer.clear();
        match self.stamps {
            Stamps::None => {}
            Stamps::Seconds => write!(self.buffer, "{}.{:06} ", t.0 / 1_000_000, t.0 % 1_000_000)?,
            Stamps::Clock => {
                let secs = t.0 / 1_000_000;
                let (hour, minute, sec) = (secs / 3600 % 24, secs / 60 % 60, secs % 60);
                write!(self.buffer, "[{hour:02}:{minute:02}:{sec:02}.{:06}] ", t.0 % 1_000_000)?;
            }
            Stamps::Rfc3339 => {
                let moment = self.started.saturating_add(i64::try_from(t.0).unwrap_or(i64::MAX));
                let moment = stamp::write_moment(moment).ok_or(ExportError::NoStart)?;
                write!(self.buffer, "{moment} ")?;
            }
        }
        self.buffer.extend_from_slice(line);
        self.buffer.push(b'\n');
        self.sink.write_all(&self.buffer)?;
        self.done.lines += 1;
        Ok(())
    }
}
