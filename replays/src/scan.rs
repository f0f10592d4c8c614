//! Scan of a replay file without keeping it: for listing files, and for going on after a crash.

use std::io::{self, Read};

use grandstand_protocol::{MatchResult, Micros};

use crate::error::{Damage, Limits, OpenError};
use crate::feed::Feed;
use crate::header::Header;
use crate::reader::{Content, ReadError};

/// What [`scan`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// The first line.
    pub header: Header,
    /// How many commands there are: the number of the last one.
    pub commands: u64,
    /// The time of the last line.
    pub end: Micros,
    /// How the match ended, if the file says so.
    pub result: Option<MatchResult>,
    /// How many lines were of codes that this version does not know.
    pub skipped: u64,
    /// Where the file stops being good.
    pub damage: Option<Damage>,
    /// Up to where it is good, in bytes of its text (of a compressed file: when decompressed).
    pub good_bytes: u64,
    /// Whether the last good line has its line feed.
    pub ends_with_newline: bool,
}

/// Why a file could not be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a replay that can be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Reads a replay, compressed or not, to its end and says what it holds.
///
/// # Errors
/// [`ScanError`] when reading fails or the file is not a replay; damage further on is part of what it returns.
pub fn scan(mut source: impl Read, limits: Limits) -> Result<Scan, ScanError> {
    let mut feed = Feed::new(limits);
    let mut found = Found::default();
    let mut chunk = vec![0; 64 << 10];
    let damage = loop {
        let length = match source.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        match length {
            0 => feed.finish(),
            length => feed.push(&chunk[..length]),
        }
        match found.take(&mut feed) {
            Ok(()) if length == 0 => break None,
            Ok(()) => {}
            Err(ReadError::Open(error)) => return Err(error.into()),
            Err(ReadError::Damage(damage)) => break Some(damage),
        }
    };
    let (good_bytes, ends_with_newline) = feed.reader.end();
    let header = feed.reader.header().cloned().ok_or(OpenError::Empty)?;
    let Found { commands, end, result, skipped } = found;
    Ok(Scan { header, commands, end, result, skipped, damage, good_bytes, ends_with_newline })
}

#[derive(Default)]
struct Found {
    commands: u64,
    end: Micros,
    result: Option<MatchResult>,
    skipped: u64,
}

impl Found {
    fn take(&mut self, feed: &mut Feed) -> Result<(), ReadError> {
        loop {
            while let Some(entry) = feed.reader.next()? {
                self.end = entry.t;
                match entry.content {
                    Content::Command(_) => self.commands += 1,
                    Content::Result(result) => self.result = Some(*result),
                    Content::Skipped => self.skipped += 1,
                }
            }
            if !feed.pump()? {
                return Ok(());
            }
        }
    }
}
