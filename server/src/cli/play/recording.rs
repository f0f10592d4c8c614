//! Writer of a match's replay.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::Context;
use grandstand_protocol::{Command, Game, MatchHeader, MatchResult, Micros};
use grandstand_replays::{Header, Writer, zst};

use crate::file_names::beside;

/// A replay that is being written. It is valid up to its last whole line at any moment.
#[derive(Debug)]
pub(super) struct Recording {
    /// The requested file.
    target: PathBuf,
    /// The file written during the match: the same, or a temporary one beside it, to be compressed at the end.
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
}

impl Recording {
    /// Creates the file, replacing an old one.
    pub(super) fn create(target: &Path, game: Game, header: &MatchHeader) -> anyhow::Result<Self> {
        let compressed = target.extension().is_some_and(|extension| extension == "zst");
        // Named like a replay, so that it can be opened after an interruption. `target` without `.zst` may be another
        // recording.
        let path = if compressed { beside(target, ".part.replay") } else { target.to_owned() };
        let open = || -> io::Result<_> {
            let file = BufWriter::new(File::create(&path)?);
            let mut writer = Writer::new(file, &Header::new(game, header.clone()))?;
            writer.flush()?;
            Ok(writer)
        };
        let writer = open().with_context(|| format!("can't record to {}", path.display()))?;
        Ok(Self { target: target.to_owned(), path, writer })
    }

    /// Appends a command.
    pub(super) fn command(&mut self, t: Micros, command: &Command) -> anyhow::Result<()> {
        self.writer.command(t, command).with_context(|| self.failure())
    }

    /// Appends what bots asked for, the data of a line.
    pub(super) fn bot_requests(&mut self, asked: &str) -> anyhow::Result<()> {
        // Requests have their cycles: the line takes no time.
        self.writer.bot_requests(Micros(0), asked).with_context(|| self.failure())
    }

    /// Flushes appended commands to the operating system.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.writer.flush().with_context(|| self.failure())
    }

    /// Ends the file, and compresses it if requested.
    pub(super) fn finish(mut self, t: Micros, result: &MatchResult) -> anyhow::Result<()> {
        let failure = self.failure();
        let mut end = || -> io::Result<()> {
            self.writer.result(t, result)?;
            self.writer.flush()?;
            self.writer.get_ref().get_ref().sync_all()?;
            if self.path == self.target {
                return Ok(());
            }
            // The plain file is kept until the compressed one is complete.
            let part = beside(&self.target, ".part");
            zst::compress(File::open(&self.path)?, File::create(&part)?)?;
            fs::rename(&part, &self.target)?;
            fs::remove_file(&self.path)
        };
        end().context(failure)
    }

    fn failure(&self) -> String {
        format!("the recording in {} is not complete", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use grandstand_testing::Folder;

    use super::*;

    #[test]
    fn a_compressed_recording_touches_no_other_file() {
        let folder = Folder::new();
        folder.file("x.replay", "another recording");
        let (header, result) = (MatchHeader::default(), MatchResult::default());
        let recording = Recording::create(&folder.join("x.replay.zst"), Game::Abalone, &header).unwrap();
        assert_eq!(folder.text("x.replay"), "another recording");
        recording.finish(Micros(1), &result).unwrap();
        assert_eq!(folder.text("x.replay"), "another recording");
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["x.replay", "x.replay.zst"]);
    }
}
