//! Download of a recording as a replay file.

use std::io::{self, Cursor, Read};

use bytes::Bytes;

use grandstand_replays::{Limits, zst};

use super::text::{DECOMPRESSING, StoredFile, Text, read_header};

/// The text of a recording up to its last whole line.
pub(crate) struct ReplayFile {
    text: Text,
    /// Bytes read of a line that is not whole yet.
    held: Vec<u8>,
    bytes: usize,
}

impl std::fmt::Debug for ReplayFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplayFile").finish_non_exhaustive()
    }
}

impl ReplayFile {
    /// Opens a recording; without `publish` the sources of its programs are omitted.
    pub(super) fn open(file: StoredFile, publish: bool) -> io::Result<Self> {
        let decompressing = file.decompressing_bytes();
        Self::of_text(file.into_text(), decompressing, publish)
    }

    /// Opens a compressed recording in memory.
    pub(crate) fn of_compressed(bytes: Vec<u8>, publish: bool) -> io::Result<Self> {
        let held = bytes.len() + DECOMPRESSING;
        let text = zst::Text::new(Cursor::new(bytes), Limits::default().window_bytes);
        Self::of_text(Box::new(text), held, publish)
    }

    fn of_text(mut input: Text, decompressing: usize, publish: bool) -> io::Result<Self> {
        let (mut header, head) = read_header(&mut input)?;
        let body = memchr::memchr(b'\n', &head).map_or(head.len(), |at| at + 1);
        if !publish {
            header.about.programs.iter_mut().for_each(|program| program.source = None);
        }
        let mut text = Vec::new();
        header.write_line(&mut text);
        text.extend_from_slice(&head[body..]);
        let bytes = text.len() + decompressing;
        Ok(Self { text: Box::new(Cursor::new(text).chain(input)), held: Vec::new(), bytes })
    }

    /// Approximate size in bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.held.capacity()
    }

    /// The next piece of the text, of about `size` bytes and whole lines; `None` at the end. A partial line at the end
    /// of a file that is being written, or was cut short, is omitted. Blocks.
    pub(crate) fn next_piece(&mut self, size: usize) -> io::Result<Option<Bytes>> {
        loop {
            let begin = self.held.len();
            self.held.resize(begin + size, 0);
            let read = self.text.read(&mut self.held[begin..]);
            self.held.truncate(begin + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            if let Some(end) = memchr::memrchr(b'\n', &self.held[begin..]) {
                let rest = self.held.split_off(begin + end + 1);
                return Ok(Some(std::mem::replace(&mut self.held, rest).into()));
            }
        }
    }
}
