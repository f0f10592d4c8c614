//! A range as animated PNG, in all colours. Programs that support only plain PNG show its first frame.
//!
//! The number of frames stands at the beginning of the file, but is only known at the end. It is written there last.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use grandstand_board::pixels::Size;

use super::animation::FrameFormat;
use super::dirty_rect::DirtyRect;
use crate::plan::ExportError;

/// The position of the frame count in the file, together with its chunk: after the signature and the header.
const COUNT_AT: u64 = 8 + 25;

/// An animated PNG being written.
pub(super) struct Apng<W: Write> {
    sink: W,
    /// The number of time units in a second.
    units: u16,
    frames: u32,
    /// The number of the next chunk that has a sequence number.
    sequence: u32,
    /// The compressor of the current frame.
    frame: ZlibEncoder<Vec<u8>>,
}

impl<W: Write> Apng<W> {
    /// Starts a file with `units` time units per second.
    pub(super) fn new(mut sink: W, size: Size, units: u16) -> Result<Apng<W>, ExportError> {
        sink.write_all(b"\x89PNG\r\n\x1a\n")?;
        let mut header = Vec::new();
        header.extend(size.width.to_be_bytes());
        header.extend(size.height.to_be_bytes());
        // Eight bits each of red, green, blue and opacity, the only defined methods, and no interlacing.
        header.extend([8, 6, 0, 0, 0]);
        chunk(&mut sink, b"IHDR", &header)?;
        chunk(&mut sink, b"acTL", &counts(0))?;
        Ok(Apng { sink, units, frames: 0, sequence: 0, frame: compressor() })
    }

    fn next(&mut self) -> u32 {
        self.sequence += 1;
        self.sequence - 1
    }
}

impl<W: Write> FrameFormat for Apng<W> {
    fn as_before(&self) -> &'static [u8] {
        &[0; 4]
    }

    fn add(&mut self, rgb: &[u8], pixels: &mut Vec<u8>) {
        pixels.extend(rgb.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]));
    }

    fn compress(&mut self, width: u32, pixels: &[u8]) -> Result<(), ExportError> {
        for row in pixels.chunks_exact(width as usize * 4) {
            // No filter: in flat colours, differences between pixels gain nothing.
            self.frame.write_all(&[0])?;
            self.frame.write_all(row)?;
        }
        Ok(())
    }

    fn compressed(&mut self) -> Result<Vec<u8>, ExportError> {
        Ok(std::mem::replace(&mut self.frame, compressor()).finish()?)
    }

    fn write(&mut self, rect: DirtyRect, frame: Vec<u8>, units: u16) -> Result<(), ExportError> {
        let mut control = Vec::new();
        control.extend(self.next().to_be_bytes());
        for number in [rect.width, rect.height, rect.left, rect.top] {
            control.extend(number.to_be_bytes());
        }
        control.extend(units.to_be_bytes());
        control.extend(self.units.to_be_bytes());
        // The frame stays, and is blended over the frame before.
        control.extend([0, 1]);
        chunk(&mut self.sink, b"fcTL", &control)?;
        if self.frames == 0 {
            chunk(&mut self.sink, b"IDAT", &frame)?;
        } else {
            let mut numbered = self.next().to_be_bytes().to_vec();
            numbered.extend(frame);
            chunk(&mut self.sink, b"fdAT", &numbered)?;
        }
        self.frames += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Option<(u64, Vec<u8>)>, ExportError> {
        chunk(&mut self.sink, b"IEND", &[])?;
        let mut count = Vec::new();
        chunk(&mut count, b"acTL", &counts(self.frames))?;
        Ok(Some((COUNT_AT, count)))
    }
}

fn compressor() -> ZlibEncoder<Vec<u8>> {
    ZlibEncoder::new(Vec::new(), Compression::default())
}

/// The number of frames, and endless repetition.
fn counts(frames: u32) -> Vec<u8> {
    [frames.to_be_bytes(), 0_u32.to_be_bytes()].concat()
}

fn chunk(sink: &mut impl Write, kind: &[u8; 4], data: &[u8]) -> Result<(), ExportError> {
    let mut check = crc32fast::Hasher::new();
    check.update(kind);
    check.update(data);
    sink.write_all(&(data.len() as u32).to_be_bytes())?;
    sink.write_all(kind)?;
    sink.write_all(data)?;
    sink.write_all(&check.finalize().to_be_bytes())?;
    Ok(())
}
