//! A recording as a file to hand out.

use std::fs::File;
use std::io::{self, Cursor, Read};

use bytes::Bytes;

use super::reel::read_header;

/// The text of a recording, as far as its lines are whole.
pub(crate) struct ReplayFile {
    text: Box<dyn Read + Send>,
}

impl std::fmt::Debug for ReplayFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplayFile").finish_non_exhaustive()
    }
}

impl ReplayFile {
    /// Opens a recording; without `publish` the sources of its programs are left out.
    pub(super) fn open(file: File, compressed: bool, publish: bool) -> io::Result<Self> {
        let mut input: Box<dyn Read + Send> =
            if compressed { super::archive::decompress(file) } else { Box::new(file) };
        let (mut header, head) = read_header(&mut input)?;
        let body = memchr::memchr(b'\n', &head).map_or(head.len(), |at| at + 1);
        if !publish {
            header.about.programs.iter_mut().for_each(|program| program.source = None);
        }
        let mut text = Vec::new();
        header.write_line(&mut text);
        text.extend_from_slice(&head[body..]);
        Ok(Self { text: Box::new(Cursor::new(text).chain(input)) })
    }

    /// Passes the text on in pieces of about `size` bytes, each of whole lines, until `send` says that nobody wants
    /// more. Half a line at the end of a file that is being written, or was cut short, is left out.
    pub(crate) fn send(mut self, size: usize, send: impl Fn(io::Result<Bytes>) -> bool) {
        let mut held = Vec::new();
        let mut chunk = vec![0; size];
        loop {
            let n = match self.text.read(&mut chunk) {
                Ok(0) => return,
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    send(Err(error));
                    return;
                }
            };
            held.extend_from_slice(&chunk[..n]);
            let Some(end) = memchr::memrchr(b'\n', &held) else { continue };
            let rest = held.split_off(end + 1);
            if !send(Ok(std::mem::replace(&mut held, rest).into())) {
                return;
            }
        }
    }
}
