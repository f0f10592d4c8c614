//! Scan of a replay file, which does not keep the commands: for listing files, and for resuming after a crash.

use std::io::{self, Read};

use grandstand_protocol::{Command, Game, MatchResult, Micros, Scene};

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
pub fn scan(source: impl Read, limits: Limits) -> Result<Scan, ScanError> {
    scan_commands(source, limits, |_, _, _, _| {})
}

/// The same, and the last picture of the match.
///
/// # Errors
/// As of [`scan`].
pub fn scan_to_scene(source: impl Read, limits: Limits) -> Result<(Scan, Scene), ScanError> {
    let mut scene = None;
    let scan = scan_commands(source, limits, |game, seq, t, line| {
        let scene = scene.get_or_insert_with(|| Scene::new(game));
        scene.apply(seq, t, &Command::parse(game, line));
    })?;
    let scene = scene.unwrap_or_else(|| Scene::new(scan.header.game));
    Ok((scan, scene))
}

/// Reads a replay to its end; each command's game, number, time and line are told.
fn scan_commands(
    mut source: impl Read,
    limits: Limits,
    mut each: impl FnMut(Game, u64, Micros, &[u8]),
) -> Result<Scan, ScanError> {
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
        match found.take(&mut feed, &mut each) {
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
    fn take(
        &mut self,
        feed: &mut Feed,
        each: &mut impl FnMut(Game, u64, Micros, &[u8]),
    ) -> Result<(), ReadError> {
        loop {
            feed.reader.read_header()?;
            let game = feed.reader.header().map_or(Game::Grid, |header| header.game);
            while let Some(entry) = feed.reader.next()? {
                self.end = entry.t;
                match entry.content {
                    Content::Command(line) => {
                        self.commands += 1;
                        each(game, self.commands, entry.t, &line);
                    }
                    Content::Result(result) => self.result = Some(*result),
                    Content::Asked(_) => {}
                    Content::Skipped => self.skipped += 1,
                }
            }
            if !feed.pump()? {
                return Ok(());
            }
        }
    }
}
