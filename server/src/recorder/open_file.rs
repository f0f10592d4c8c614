//! File of a recording that is being written.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use super::write_queue::{FinalState, Position, WriteQueue};
use crate::recordings::directory::Directory;
use crate::recordings::{CutReason, RecordingEnd, file};

/// File of a recording that is being written.
pub(super) struct OpenFile {
    pub(super) queue: Arc<WriteQueue>,
    file: File,
    /// Length of the whole lines in bytes.
    pub(super) len: u64,
    /// Position of the recording after them.
    pub(super) position: Position,
    pub(super) cut: Option<CutReason>,
}

impl OpenFile {
    /// A new file.
    ///
    /// # Errors
    /// If it can't be created.
    pub(super) fn create(queue: Arc<WriteQueue>, directory: &Directory) -> io::Result<Self> {
        let file = file::create(&directory.file(&queue.id, ".replay"))?;
        Ok(Self { queue, file, len: 0, position: Position::default(), cut: None })
    }

    /// Drops all lines.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.len = 0;
        Ok(())
    }

    /// Appends whole lines.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // A full disk may have taken part of a line: the file is truncated to whole lines.
            let _ = self.file.set_len(self.len).and_then(|()| self.file.seek(SeekFrom::Start(self.len)));
            return Err(error);
        }
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Appends the result and the ending, and syncs the file.
    pub(super) fn end(&mut self, end: &FinalState) -> io::Result<()> {
        let Position { mut encoder, mut t } = self.position.clone();
        let mut lines = Vec::new();
        if let Some(result) = &end.result {
            encoder.result(end.t, result, &mut lines);
            t = t.max(end.t);
        }
        let ending = RecordingEnd { state: end.state, seq: encoder.seq(), cut: self.cut };
        ending.write_line(end.t.since(t), &mut lines);
        self.write(&lines)?;
        self.file.sync_data()
    }
}
