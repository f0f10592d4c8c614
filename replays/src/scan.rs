//! Scan of a replay file, which does not keep the commands: for listing files, and for resuming after a crash.

use std::io::{self, Read};

use grandstand_protocol::{MatchResult, Micros};

use crate::error::{Damage, Limits, OpenError};
use crate::feed::Feed;
use crate::header::Header;
use crate::reader::{Content, ReadError};

/// The result of [`scan`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// The first line.
    pub header: Header,
    /// The number of commands, which is the number of the last one.
    pub commands: u64,
    /// The time of the last line.
    pub end: Micros,
    /// The result of the match, if the file contains it.
    pub result: Option<MatchResult>,
    /// The number of lines with codes that are unknown to this version.
    pub skipped: u64,
    /// The damage, if there is any.
    pub damage: Option<Damage>,
    /// The length of the valid part, in bytes of its text (of a compressed file: after decompression).
    pub good_bytes: u64,
    /// Whether the last valid line has a line feed.
    pub ends_with_newline: bool,
}

/// The reason why a file could not be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a replay that can be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Reads a replay, compressed or not, to its end and summarizes it.
///
/// # Errors
/// [`ScanError`] if reading fails or the file is not a replay; later damage is part of the result.
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
