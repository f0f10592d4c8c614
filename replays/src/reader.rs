//! Push reader: bytes of text in, the header and then entries out.

use std::borrow::Cow;
use std::ops::Range;

use grandstand_protocol::text::trim_ending;
use grandstand_protocol::{Game, MatchResult, Micros};

use crate::error::{Damage, DamageReason, Limits, OpenError};
use crate::header::Header;
use crate::line::{self, Data};

/// One line of a replay.
#[derive(Debug, PartialEq)]
pub struct Entry<'a> {
    /// The time since the match began: the sum of the intervals up to this line.
    pub t: Micros,
    /// The content of the line.
    pub content: Content<'a>,
}

/// The content of a line of a replay.
#[derive(Debug, PartialEq)]
pub enum Content<'a> {
    /// A command, marker, overlay or unknown line, as a line of text without its ending and without a line feed in it, for
    /// [`Command::parse`](grandstand_protocol::Command::parse).
    Command(Cow<'a, [u8]>),
    /// The result of the match.
    Result(Box<MatchResult>),
    /// What bots asked for, as JSON: code `q`.
    Asked(&'a str),
    /// A line with a code that is unknown to this version.
    Skipped,
}

/// A position of a [`Reader`] between two lines of a text, from which another reader may continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinePosition {
    /// The offset of the next line, in bytes.
    pub byte: u64,
    /// The number of the next line, from 1.
    pub line: u64,
    /// The time of the line before it.
    pub t: Micros,
}

/// The reason why a [`Reader`] yields nothing more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file is damaged after the entries that were yielded.
    #[error(transparent)]
    Damage(#[from] Damage),
}

/// Reader that turns the text of a replay into its entries. The caller passes bytes to [`push`](Reader::push), then takes
/// [`next`](Reader::next) until it is `Ok(None)`; after the last bytes it calls [`finish`](Reader::finish) and takes the
/// remaining entries. The entries do not depend on how the text is cut into pieces.
///
/// It reads text only; [`Loader`](crate::Loader) also decompresses. Its buffer holds at most the bytes pushed since it was last
/// empty, and one line within its limit. Blank lines are skipped.
///
/// ```
/// use grandstand_replays::{Content, Reader, Limits};
///
/// let mut reader = Reader::new(Limits::default());
/// reader.push(b"{\"grandstand\":1,\"game\":\"abalone\"}\n[0.5,\"c\",\"set B~2 w4\"]\n[1,\"c");
/// let entry = reader.next()?.ok_or("a command")?;
/// assert_eq!(entry.t.to_string(), "0.5");
/// assert_eq!(entry.content, Content::Command(b"set B~2 w4".into()));
/// assert!(reader.next()?.is_none(), "the next line is not whole yet");
/// reader.finish();
/// let damage = reader.next().unwrap_err().to_string();
/// assert_eq!(damage, "line 3, which begins at byte 57: the file ends in the middle of the line");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    limits: Limits,
    header: Option<Header>,
    buffer: Vec<u8>,
    /// The start of the next line in the buffer; up to `scanned` there is no line feed after it.
    start: usize,
    scanned: usize,
    /// The offset of the next line in the text; `line` is its number.
    byte: u64,
    line: u64,
    /// The number of bytes pushed.
    pushed: u64,
    t: Micros,
    /// Whether the last yielded line had a line feed.
    ended: bool,
    finished: bool,
    error: Option<ReadError>,
}

impl Reader {
    /// A reader for a new file.
    pub fn new(limits: Limits) -> Reader {
        Reader {
            limits,
            header: None,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            byte: 0,
            line: 1,
            pushed: 0,
            t: Micros(0),
            ended: true,
            finished: false,
            error: None,
        }
    }

    /// A reader that continues at the position of another one. It takes the bytes of the same file from there on.
    pub fn resume(limits: Limits, header: Header, place: LinePosition) -> Reader {
        let LinePosition { byte, line, t } = place;
        Reader { header: Some(header), byte, line, t, pushed: byte, ..Reader::new(limits) }
    }

    /// The current position, for [`resume`](Reader::resume).
    pub fn place(&self) -> LinePosition {
        LinePosition { byte: self.byte, line: self.line, t: self.t }
    }

    /// Takes the next bytes of the text. After an error, and after [`finish`](Reader::finish), they are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.finished || self.error.is_some() {
            return;
        }
        let room = self.limits.text_bytes.saturating_add(1).saturating_sub(self.pushed);
        let bytes = &bytes[..bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX))];
        self.pushed += bytes.len() as u64;
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Ends the text: the remaining bytes are the last line, even without a line feed.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// The next entry; `Ok(None)` when more bytes are needed, and at the end.
    ///
    /// # Errors
    /// [`ReadError`] if the file can't be read any further; every later call returns the same error.
    #[expect(clippy::should_implement_trait, reason = "an iterator could not lend from the reader's buffer")]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, ReadError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let (game, found) = match self.take_entry_line() {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(None),
            Err(error) => return Err(self.error.insert(error).clone()),
        };
        let line = trim_ending(&self.buffer[found.range]);
        let parsed = line::parse(game, line).and_then(|(interval, data)| {
            let t = Micros(self.t.0 + interval.0);
            if t > Micros::MAX { Err("the time is out of range".to_owned()) } else { Ok((t, data)) }
        });
        match parsed {
            Ok((t, data)) => {
                (self.line, self.byte, self.ended, self.t) = (found.line + 1, found.after, found.ended, t);
                let content = match data {
                    Data::Command(line) => Content::Command(line),
                    Data::Result(result) => Content::Result(result),
                    Data::Asked(data) => Content::Asked(data),
                    Data::Skipped => Content::Skipped,
                };
                Ok(Some(Entry { t, content }))
            }
            Err(reason) => {
                let whole = found.ended || is_json(line);
                let reason = if whole { DamageReason::Line(reason) } else { DamageReason::Cut };
                let damage = Damage { line: found.line, byte: found.byte, reason };
                Err(self.error.insert(damage.into()).clone())
            }
        }
    }

    /// Reads the first line, if it is complete, and nothing more.
    pub(crate) fn read_header(&mut self) -> Result<(), ReadError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.take_header().map_err(|error| self.error.insert(error).clone())
    }

    /// The header; `None` until a call has found the complete first line.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The end of the yielded lines as an offset in the text, and whether the last of them had a line feed.
    pub fn end(&self) -> (u64, bool) {
        (self.byte, self.ended)
    }

    fn take_header(&mut self) -> Result<(), ReadError> {
        while self.header.is_none() {
            let Some(found) = self.take_line()? else { break };
            let line = &self.buffer[found.range.clone()];
            if !is_blank(line) {
                self.header = Some(Header::parse(line).map_err(|error| match error {
                    OpenError::NotAReplay { .. } | OpenError::NotText
                        if !found.ended && is_cut_object(line) =>
                    {
                        OpenError::HeaderCut(self.pushed)
                    }
                    error => error,
                })?);
            }
            self.step_over(&found);
        }
        Ok(())
    }

    /// The next line that is an entry. Reads the header and skips blank lines.
    fn take_entry_line(&mut self) -> Result<Option<(Game, Found)>, ReadError> {
        self.take_header()?;
        let Some(game) = self.header.as_ref().map(|header| header.game) else { return Ok(None) };
        while let Some(found) = self.take_line()? {
            if !is_blank(&self.buffer[found.range.clone()]) {
                return Ok(Some((game, found)));
            }
            self.step_over(&found);
        }
        Ok(None)
    }

    fn step_over(&mut self, found: &Found) {
        (self.line, self.byte, self.ended) = (found.line + 1, found.after, found.ended);
    }

    /// The next complete line; after the end of the input also an incomplete one.
    fn take_line(&mut self) -> Result<Option<Found>, ReadError> {
        let newline = memchr::memchr(b'\n', &self.buffer[self.scanned..]).map(|at| self.scanned + at);
        let end = newline.unwrap_or(self.buffer.len());
        let length = end - self.start;
        let damage = |reason| Damage { line: self.line, byte: self.byte, reason };
        let (most, all) = (self.limits.line_bytes, self.limits.text_bytes);
        if self.header.is_none() && self.byte + length as u64 > all.min(most as u64) {
            return Err(OpenError::Header(format!("it does not end within the first {most} bytes")).into());
        }
        if self.byte + length as u64 > all {
            return Err(damage(DamageReason::TooLong(all)).into());
        }
        if length > most {
            return Err(damage(DamageReason::LineTooLong(most)).into());
        }
        self.scanned = end;
        if newline.is_none() && !(self.finished && length > 0) {
            let empty = self.finished && self.header.is_none();
            return if empty { Err(OpenError::Empty.into()) } else { Ok(None) };
        }
        let range = self.start..end;
        let taken = length + usize::from(newline.is_some());
        self.start += taken;
        self.scanned = self.start;
        Ok(Some(Found {
            range,
            line: self.line,
            byte: self.byte,
            after: self.byte + taken as u64,
            ended: newline.is_some(),
        }))
    }
}

/// A line in the buffer.
#[derive(Debug)]
struct Found {
    range: Range<usize>,
    line: u64,
    byte: u64,
    /// The offset of the next line in the text.
    after: u64,
    /// Whether the line has a line feed.
    ended: bool,
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

fn is_cut_object(line: &[u8]) -> bool {
    line.trim_ascii_start().first() == Some(&b'{') && !is_json(line)
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}
