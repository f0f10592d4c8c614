//! A range as GIF, which every program shows. Its time unit is a hundredth of a second.

use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use grandstand_board::pixels::Size;
use weezl::{BitOrder, LzwStatus, encode};

use super::animation::FrameFormat;
use super::dirty_rect::DirtyRect;
use super::gif_palette::GifPalette;
use crate::plan::ExportError;

/// The number of bits of a colour number.
const BITS: u8 = 8;
/// The number of compressed bytes taken at a time.
const PIECE: usize = 1 << 12;

/// A GIF being written.
pub(super) struct Gif<W: Write> {
    encoder: Encoder<W>,
    palette: GifPalette,
    lzw: encode::Encoder,
    /// The compressed data of a frame. It starts with the number of bits, which comes first in the file.
    frame: Vec<u8>,
}

impl<W: Write> Gif<W> {
    pub(super) fn new(sink: W, size: Size, palette: GifPalette) -> Result<Gif<W>, ExportError> {
        let (width, height) = (size.width as u16, size.height as u16);
        let mut encoder = Encoder::new(sink, width, height, &palette.bytes()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let lzw = encode::Encoder::new(BitOrder::Lsb, BITS);
        Ok(Gif { encoder, palette, lzw, frame: vec![BITS] })
    }

    /// Compresses these colour numbers and takes the output produced so far. Returns whether the stream has ended.
    fn take(&mut self, mut numbers: &[u8]) -> Result<bool, ExportError> {
        let mut piece = [0; PIECE];
        loop {
            let done = self.lzw.encode_bytes(numbers, &mut piece);
            self.frame.extend_from_slice(&piece[..done.consumed_out]);
            numbers = &numbers[done.consumed_in..];
            let ended = matches!(done.status.map_err(io::Error::other)?, LzwStatus::Done);
            if ended || numbers.is_empty() && done.consumed_out < PIECE {
                return Ok(ended);
            }
        }
    }
}

impl<W: Write> FrameFormat for Gif<W> {
    fn as_before(&self) -> &'static [u8] {
        &[GifPalette::AS_BEFORE]
    }

    fn add(&mut self, rgb: &[u8], pixels: &mut Vec<u8>) {
        self.palette.add_numbers(rgb, pixels);
    }

    fn compress(&mut self, _: u32, pixels: &[u8]) -> Result<(), ExportError> {
        self.take(pixels)?;
        Ok(())
    }

    fn compressed(&mut self) -> Result<Vec<u8>, ExportError> {
        self.lzw.finish();
        while !self.take(&[])? {}
        self.lzw.reset();
        Ok(std::mem::replace(&mut self.frame, vec![BITS]))
    }

    fn write(&mut self, rect: DirtyRect, frame: Vec<u8>, units: u16) -> Result<(), ExportError> {
        let frame = Frame {
            delay: units,
            dispose: DisposalMethod::Keep,
            transparent: Some(GifPalette::AS_BEFORE),
            left: rect.left as u16,
            top: rect.top as u16,
            width: rect.width as u16,
            height: rect.height as u16,
            buffer: frame.into(),
            ..Frame::default()
        };
        self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(failed)
    }

    fn finish(self: Box<Self>) -> Result<Option<(u64, Vec<u8>)>, ExportError> {
        // The encoder writes the trailer when it is taken apart.
        self.encoder.into_inner().map_err(failed)?;
        Ok(None)
    }
}

fn failed(error: EncodingError) -> ExportError {
    ExportError::Write(match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    })
}
