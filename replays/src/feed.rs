//! Input of the reader: a file's bytes, decompressed if they are compressed.

use crate::error::{Damage, DamageReason, Limits, OpenError, ZstError};
use crate::reader::{LinePosition, ReadError, Reader};
use crate::zst;

/// A [`Reader`] that also takes compressed files. After a [`push`](Feed::push) of bytes, call [`pump`](Feed::pump) and empty
/// the reader alternately until `pump` returns `false`.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) reader: Reader,
    window_bytes: u64,
    stage: Stage,
    finished: bool,
}

#[derive(Debug)]
enum Stage {
    /// The first bytes, too few to recognize a compressed file.
    Start(Vec<u8>),
    Text,
    Zst(Box<zst::Decoder>),
}

impl Feed {
    pub(crate) fn new(limits: Limits) -> Feed {
        Feed {
            reader: Reader::new(limits),
            window_bytes: limits.window_bytes,
            stage: Stage::Start(Vec::new()),
            finished: false,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        match &mut self.stage {
            Stage::Start(start) => {
                start.extend_from_slice(bytes);
                if start.len() >= 4 {
                    self.choose();
                }
            }
            Stage::Text => self.reader.push(bytes),
            Stage::Zst(decoder) => decoder.push(bytes),
        }
    }

    /// Ends the input.
    pub(crate) fn finish(&mut self) {
        self.choose();
        self.finished = true;
        match &mut self.stage {
            Stage::Zst(decoder) => decoder.finish(),
            Stage::Start(_) | Stage::Text => self.reader.finish(),
        }
    }

    /// Passes the next piece of the input to the reader. Returns `false` when more bytes are needed, and at the end.
    pub(crate) fn pump(&mut self) -> Result<bool, ReadError> {
        let Stage::Zst(decoder) = &mut self.stage else { return Ok(false) };
        match decoder.next() {
            Ok(Some(text)) => self.reader.push(&text),
            Ok(None) if self.finished => {
                self.finished = false;
                self.reader.finish();
            }
            Ok(None) => return Ok(false),
            Err(error) => return Err(self.broken(error)),
        }
        Ok(true)
    }

    /// The error for invalid compressed data. Whole lines before it are valid.
    fn broken(&self, error: ZstError) -> ReadError {
        let LinePosition { line, byte, .. } = self.reader.place();
        match self.reader.header() {
            None => OpenError::Zst(error).into(),
            Some(_) => Damage { line, byte, reason: DamageReason::Zst(error) }.into(),
        }
    }

    /// Chooses by the first bytes whether the file is compressed.
    fn choose(&mut self) {
        let Stage::Start(start) = &mut self.stage else { return };
        let start = std::mem::take(start);
        self.stage = if zst::is_compressed(&start) {
            Stage::Zst(Box::new(zst::Decoder::new(self.window_bytes)))
        } else {
            Stage::Text
        };
        self.push(&start);
    }
}
