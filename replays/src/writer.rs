//! Writing of a replay, line by line.

use std::io::{self, Write};

use grandstand_protocol::{Command, MatchResult, Micros};

use crate::header::Header;
use crate::line;
use crate::scan::Scan;

/// Encodes a replay's lines into memory. [`Writer`] also writes them.
///
/// Times are since the match began. The intervals in the file are differences of those times, so that rounding errors do not
/// accumulate; a time before the last one counts as the last one.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    last: Micros,
    seq: u64,
}

impl Encoder {
    /// An encoder for a new file. [`Header::write_line`] writes the header's line.
    pub fn new() -> Encoder {
        Encoder::default()
    }

    /// An encoder that continues an existing file.
    pub fn resume(scan: &Scan) -> Encoder {
        Encoder { last: scan.end, seq: scan.commands }
    }

    /// Appends the line of the next command, with its line feed.
    pub fn command(&mut self, t: Micros, command: &Command, out: &mut Vec<u8>) {
        let interval = self.interval(t);
        line::write_command(out, interval, command);
        self.seq += 1;
    }

    /// Appends a line of what bots asked for, which is JSON, with its line feed.
    pub fn bot_requests(&mut self, t: Micros, data: &str, out: &mut Vec<u8>) {
        let interval = self.interval(t);
        line::write_asked(out, interval, data);
    }

    /// Appends the line of the result, with its line feed.
    pub fn result(&mut self, t: Micros, result: &MatchResult, out: &mut Vec<u8>) {
        let interval = self.interval(t);
        line::write_result(out, interval, result);
    }

    /// The number of the last command; 0 before the first.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    fn interval(&mut self, t: Micros) -> Micros {
        let interval = t.since(self.last);
        self.last = self.last.max(t);
        interval
    }
}

/// Writes a replay to a file or any other sink.
///
/// Each line is written by one `write_all`. Nothing is flushed unless the caller calls [`flush`](Writer::flush). After an error
/// the last line may be incomplete, so all further writes are refused; the file up to that line is valid, and
/// [`scan`](crate::scan()) finds the place to resume.
///
/// ```
/// use grandstand_protocol::{Command, Game, MatchHeader, Micros};
/// use grandstand_replays::{Header, Writer};
///
/// let mut writer = Writer::new(Vec::new(), &Header::new(Game::Abalone, MatchHeader::default()))?;
/// writer.command(Micros(300_000), &Command::parse(Game::Abalone, b"set B-2 w4"))?;
/// writer.command(Micros(300_001), &Command::parse(Game::Abalone, b"jump"))?;
/// let file = String::from_utf8(writer.into_inner())?;
/// assert!(file.ends_with("[0.3,\"c\",\"set B~2 w4\"]\n[0.000001,\"x\",\"jump\"]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    inner: W,
    encoder: Encoder,
    line: Vec<u8>,
    failed: bool,
}

impl<W: Write> Writer<W> {
    /// Begins a new file with its header.
    ///
    /// # Errors
    /// The errors of writing to `inner`.
    pub fn new(inner: W, header: &Header) -> io::Result<Writer<W>> {
        let mut writer = Writer { inner, encoder: Encoder::new(), line: Vec::new(), failed: false };
        header.write_line(&mut writer.line);
        writer.write()?;
        Ok(writer)
    }

    /// Continues a file that was [scanned](crate::scan()). `inner` must be positioned at [`Scan::good_bytes`], and the file
    /// must end there: the caller truncates it.
    ///
    /// # Errors
    /// The errors of writing to `inner`: a missing line feed after the last line is written first.
    pub fn resume(inner: W, scan: &Scan) -> io::Result<Writer<W>> {
        let encoder = Encoder::resume(scan);
        let mut writer = Writer { inner, encoder, line: Vec::new(), failed: false };
        if !scan.ends_with_newline {
            writer.line.push(b'\n');
            writer.write()?;
        }
        Ok(writer)
    }

    /// Appends the next command, which came at `t` after the match began.
    ///
    /// # Errors
    /// The errors of writing; after an error every call fails.
    pub fn command(&mut self, t: Micros, command: &Command) -> io::Result<()> {
        self.encoder.command(t, command, &mut self.line);
        self.write()
    }

    /// Appends what bots asked for up to `t`, as JSON.
    ///
    /// # Errors
    /// The errors of writing; after an error every call fails.
    pub fn bot_requests(&mut self, t: Micros, data: &str) -> io::Result<()> {
        self.encoder.bot_requests(t, data, &mut self.line);
        self.write()
    }

    /// Appends the result.
    ///
    /// # Errors
    /// The errors of writing; after an error every call fails.
    pub fn result(&mut self, t: Micros, result: &MatchResult) -> io::Result<()> {
        self.encoder.result(t, result, &mut self.line);
        self.write()
    }

    /// Flushes the sink.
    ///
    /// # Errors
    /// The errors of flushing.
    pub fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }

    /// The number of the last command; 0 before the first.
    pub fn seq(&self) -> u64 {
        self.encoder.seq()
    }

    /// The sink.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The sink, mutably. The caller is responsible for anything written there between lines.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The sink, not flushed.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn write(&mut self) -> io::Result<()> {
        let result = match self.failed {
            true => Err(io::Error::other("an earlier line of this replay could not be written whole")),
            false => self.inner.write_all(&self.line),
        };
        self.failed = result.is_err();
        self.line.clear();
        result
    }
}
