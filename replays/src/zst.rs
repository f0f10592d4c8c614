//! Compressed replays, `.replay.zst`: zstd frames, decompressed block by block, compressed as a whole.

use std::io::{self, Read, Write};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, FrameCompressor};

use crate::error::ZstError;

/// The first bytes of every zstd frame.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Whether a file with this beginning is compressed. Fewer than four bytes never are.
pub fn is_compressed(start: &[u8]) -> bool {
    start.starts_with(&MAGIC) || is_skippable(start)
}

fn is_skippable(start: &[u8]) -> bool {
    start.get(..4).is_some_and(is_skippable_start)
}

/// Compresses everything that `source` yields into one frame with a checksum and writes it to `drain`. It takes less than a
/// megabyte of memory.
///
/// # Errors
/// The errors of reading and writing.
pub fn compress(source: impl Read, drain: impl Write) -> io::Result<()> {
    let mut source = Remembering { inner: source, error: None };
    let mut drain = Remembering { inner: drain, error: None };
    let mut compressor = FrameCompressor::new(CompressionLevel::Fastest);
    compressor.set_source(&mut source);
    compressor.set_drain(&mut drain);
    compressor.compress();
    drop(compressor);
    match source.error.or(drain.error) {
        Some(error) => Err(error),
        None => drain.inner.flush(),
    }
}

/// Adapter that stores the first I/O error and hides it from the compressor, which would panic: a read seems to be at
/// the end, a write to succeed.
struct Remembering<T> {
    inner: T,
    error: Option<io::Error>,
}

impl<R: Read> Read for Remembering<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.inner.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error);
                    return Ok(0);
                }
                read => return read,
            }
        }
    }
}

impl<W: Write> Write for Remembering<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.inner.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The decompressed text of a file, as a `Read`.
///
/// If the file can't be decompressed any further, reading fails with [`io::ErrorKind::InvalidData`] and the
/// [`ZstError`].
#[derive(Debug)]
pub struct Text<R> {
    source: R,
    decoder: Decoder,
    chunk: Vec<u8>,
    text: Vec<u8>,
    taken: usize,
}

impl<R: Read> Text<R> {
    /// Reads compressed bytes from `source`, with windows of up to `window_bytes` bytes.
    pub fn new(source: R, window_bytes: u64) -> Text<R> {
        Text {
            source,
            decoder: Decoder::new(window_bytes),
            chunk: vec![0; 32 << 10],
            text: Vec::new(),
            taken: 0,
        }
    }
}

impl<R: Read> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.text.len() {
            match self.decoder.next().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))? {
                Some(text) => (self.text, self.taken) = (text, 0),
                None if self.decoder.finished => return Ok(0),
                None => match self.source.read(&mut self.chunk)? {
                    0 => self.decoder.finish(),
                    length => self.decoder.push(&self.chunk[..length]),
                },
            }
        }
        let length = buffer.len().min(self.text.len() - self.taken);
        buffer[..length].copy_from_slice(&self.text[self.taken..self.taken + length]);
        self.taken += length;
        Ok(length)
    }
}

/// The next part of the compressed data.
#[derive(Debug, Clone, Copy)]
enum Expect {
    Frame,
    Block { checksum: bool },
    Skip(u64),
}

/// Decoder that decompresses piece by piece. The caller passes bytes to [`push`](Decoder::push), then takes
/// [`next`](Decoder::next) until it is `Ok(None)`; after the last bytes it calls [`finish`](Decoder::finish) and takes the
/// remaining pieces. A file that is cut anywhere yields everything up to its last whole block.
///
/// The memory is bounded by the bytes pushed since the buffer was last empty, and by the window's limit. Each yielded piece is at
/// most one block, so the caller can give up at any point on a file that decompresses to far more than its own size.
pub struct Decoder {
    frames: FrameDecoder,
    buffer: Vec<u8>,
    /// The offset of the next part in the buffer; `byte` is its offset in the file.
    start: usize,
    byte: u64,
    expect: Expect,
    finished: bool,
    /// The final error, which is returned after the text that was decompressed before it.
    error: Option<ZstError>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Decoder { byte, expect, finished, error, .. } = self;
        let mut fields = f.debug_struct("Decoder");
        fields.field("byte", byte).field("expect", expect).field("finished", finished).field("error", error);
        fields.finish_non_exhaustive()
    }
}

impl Decoder {
    /// A decoder that accepts windows of up to `window_bytes` bytes.
    pub fn new(window_bytes: u64) -> Decoder {
        let mut frames = FrameDecoder::new();
        frames.set_max_window_size(window_bytes);
        Decoder {
            frames,
            buffer: Vec::new(),
            start: 0,
            byte: 0,
            expect: Expect::Frame,
            finished: false,
            error: None,
        }
    }

    /// Takes the next bytes of the file. After an error, and after [`finish`](Decoder::finish), they are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if !self.finished && self.error.is_none() {
            self.buffer.drain(..self.start);
            self.start = 0;
            self.buffer.extend_from_slice(bytes);
        }
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// The next piece of the text; `Ok(None)` when more bytes are needed, and at the end.
    ///
    /// # Errors
    /// [`ZstError`] if the file can't be decompressed any further; every later call returns the same error.
    #[expect(clippy::should_implement_trait, reason = "an iterator that can go on after None would mislead")]
    pub fn next(&mut self) -> Result<Option<Vec<u8>>, ZstError> {
        loop {
            if let Some(error) = &self.error {
                return Err(error.clone());
            }
            let step = match self.expect {
                Expect::Frame => self.frame(),
                Expect::Block { checksum } => self.block(checksum),
                Expect::Skip(length) => Ok(self.skip(length)),
            };
            match step {
                Ok(Step::Took(text)) if text.is_empty() => {}
                Ok(Step::Took(text)) => return Ok(Some(text)),
                Ok(Step::Starved) => {
                    let at_end = matches!(self.expect, Expect::Frame) && self.start == self.buffer.len();
                    if !self.finished || at_end {
                        return Ok(None);
                    }
                    self.error = Some(ZstError::Cut(self.byte + (self.buffer.len() - self.start) as u64));
                }
                Err(error) => self.error = Some(error),
            }
            if self.error.is_some() {
                let text = self.rest_of_window();
                if !text.is_empty() {
                    return Ok(Some(text));
                }
            }
        }
    }

    fn frame(&mut self) -> Result<Step, ZstError> {
        let start = &self.buffer[self.start..];
        if is_skippable(start) {
            let [_, _, _, _, a, b, c, d, ..] = *start else { return Ok(Step::Starved) };
            self.take(8);
            self.expect = Expect::Skip(u64::from(u32::from_le_bytes([a, b, c, d])));
            return Ok(Step::Took(Vec::new()));
        }
        if !start.starts_with(&MAGIC) {
            let cut = MAGIC.starts_with(start) || start.len() < 4 && is_skippable_start(start);
            return if cut { Ok(Step::Starved) } else { Err(self.damaged("no zstd frame begins here")) };
        }
        let Some(&descriptor) = start.get(4) else { return Ok(Step::Starved) };
        let length = header_length(descriptor);
        if start.len() < length {
            return Ok(Step::Starved);
        }
        let mut header = &start[..length];
        match self.frames.reset(&mut header) {
            Ok(()) => {}
            Err(FrameDecoderError::WindowSizeTooBig { requested: wanted, max: limit }) => {
                return Err(ZstError::Window { wanted, limit });
            }
            Err(error) => return Err(self.damaged(error)),
        }
        self.take(length);
        self.expect = Expect::Block { checksum: descriptor & 4 != 0 };
        Ok(Step::Took(Vec::new()))
    }

    fn block(&mut self, checksum: bool) -> Result<Step, ZstError> {
        let start = &self.buffer[self.start..];
        let [a, b, c, ..] = *start else { return Ok(Step::Starved) };
        let header = u32::from_le_bytes([a, b, c, 0]);
        let (last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        if size > BLOCK_BYTES {
            return Err(self.damaged(format_args!("a block of {size} bytes")));
        }
        let length = 3 + if kind == KIND_RUN { 1 } else { size } + if last && checksum { 4 } else { 0 };
        if start.len() < length {
            return Ok(Step::Starved);
        }
        let mut block = &start[..length];
        if let Err(error) = self.frames.decode_blocks(&mut block, BlockDecodingStrategy::UptoBlocks(1)) {
            return Err(self.damaged(error));
        }
        let text = self.frames.collect().unwrap_or_default();
        if last {
            let said = self.frames.get_checksum_from_data();
            if said.is_some() && said != self.frames.get_calculated_checksum() {
                self.error = Some(self.damaged("the checksum of what was decompressed is wrong"));
            }
            self.expect = Expect::Frame;
        }
        self.take(length);
        Ok(Step::Took(text))
    }

    fn skip(&mut self, length: u64) -> Step {
        let here = length.min((self.buffer.len() - self.start) as u64);
        self.take(here as usize);
        match length - here {
            0 => self.expect = Expect::Frame,
            left => {
                self.expect = Expect::Skip(left);
                return Step::Starved;
            }
        }
        Step::Took(Vec::new())
    }

    /// The decompressed text that was held back because later blocks might refer to it.
    fn rest_of_window(&mut self) -> Vec<u8> {
        let Expect::Block { checksum } = self.expect else { return Vec::new() };
        self.expect = Expect::Frame;
        // An empty last block ends the frame, so that the decoder releases its window.
        let last = [1, 0, 0, 0, 0, 0, 0];
        let mut last = if checksum { &last[..] } else { &last[..3] };
        match self.frames.decode_blocks(&mut last, BlockDecodingStrategy::UptoBlocks(1)) {
            Ok(_) => self.frames.collect().unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    fn take(&mut self, length: usize) {
        self.start += length;
        self.byte += length as u64;
    }

    fn damaged(&self, reason: impl std::fmt::Display) -> ZstError {
        ZstError::Damaged { byte: self.byte, reason: reason.to_string() }
    }
}

/// The result of one step of decompression.
enum Step {
    /// The step took bytes from the buffer, and yields this text.
    Took(Vec<u8>),
    /// The step needs more bytes.
    Starved,
}

/// The largest size of a block.
const BLOCK_BYTES: usize = 128 << 10;

/// The kind of a block that is one byte repeated.
const KIND_RUN: u32 = 1;

/// The length of a frame's header, including the magic number, by its descriptor, the byte after the magic number.
fn header_length(descriptor: u8) -> usize {
    let single_segment = descriptor & 0x20 != 0;
    let window = usize::from(!single_segment);
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = [usize::from(single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
    MAGIC.len() + 1 + window + dictionary + content_size
}

/// Whether the magic number of a skippable frame begins so.
fn is_skippable_start(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5F, rest @ ..] if [0x2A, 0x4D, 0x18].starts_with(rest))
}
