//! A range as animated PNG: all colours; and what knows only PNG shows its first frame.
//!
//! How many frames there are stands at the beginning of the file and is known at its end: it is written there last.

use std::io::{Read, Write};

use super::plan::{ExportError, Size};
use super::raster::Pixels;
use super::rect::{Rect, Screen};

/// Where the number of frames begins in the file, with the chunk that it is in: after the signature and the header.
const COUNT_AT: u64 = 8 + 25;
/// The longest time that a frame can be seen, in units.
const LONGEST: u64 = 65_535;

/// An animated PNG that is being written.
pub(super) struct Apng<W: Write> {
    sink: W,
    size: Size,
    /// So many units of time are a second.
    units: u16,
    frames: u32,
    /// The number of the next chunk that has one.
    sequence: u32,
    shown: Screen,
    /// The frame that is written when it is known for how long it is seen, and from which unit on.
    waiting: Option<(Rect, Vec<u8>, u64)>,
}

impl<W: Write> Apng<W> {
    /// Begins one whose times are so many parts of a second.
    pub(super) fn new(mut sink: W, size: Size, units: u16) -> Result<Apng<W>, ExportError> {
        sink.write_all(b"\x89PNG\r\n\x1a\n")?;
        let mut header = Vec::new();
        header.extend(size.width.to_be_bytes());
        header.extend(size.height.to_be_bytes());
        // Eight bits each of red, green and blue, by the only methods that there are, row after row.
        header.extend([8, 2, 0, 0, 0]);
        chunk(&mut sink, b"IHDR", &header)?;
        chunk(&mut sink, b"acTL", &counts(0))?;
        Ok(Apng {
            sink,
            size,
            units,
            frames: 0,
            sequence: 0,
            shown: Screen::new(size.width, 3),
            waiting: None,
        })
    }

    /// Takes a frame that is seen from that unit of time on, and is as the last one outside of `fresh`.
    pub(super) fn frame(&mut self, pixels: &Pixels, fresh: Rect, at: u64) -> Result<(), ExportError> {
        // How the pixel in the corner is, that makes the frame before longer.
        let corner = self.shown.bytes.get(..3).map(<[u8]>::to_vec);
        let seen = fresh.cut(&pixels.rgb, self.size.width, 3);
        let Some(change) = self.shown.take(fresh, seen) else { return Ok(()) };
        self.write_waiting(at, corner)?;
        self.waiting = Some((change.rect, change.now, at));
        Ok(())
    }

    /// Writes the last frame, which is seen until that unit of time. Returns what belongs where in the file in the end.
    pub(super) fn finish(mut self, until: u64) -> Result<(u64, Vec<u8>), ExportError> {
        let corner = self.shown.bytes.get(..3).map(<[u8]>::to_vec);
        self.write_waiting(until, corner)?;
        chunk(&mut self.sink, b"IEND", &[])?;
        let mut count = Vec::new();
        chunk(&mut count, b"acTL", &counts(self.frames))?;
        Ok((COUNT_AT, count))
    }

    fn write_waiting(&mut self, until: u64, corner: Option<Vec<u8>>) -> Result<(), ExportError> {
        let Some((rect, rgb, at)) = self.waiting.take() else { return Ok(()) };
        let mut left = until.saturating_sub(at).max(1);
        let pixel = Rect { left: 0, top: 0, width: 1, height: 1 };
        let corner = corner.unwrap_or_else(|| vec![0; 3]);
        self.write(rect, rgb, left.min(LONGEST))?;
        left = left.saturating_sub(LONGEST);
        while left > 0 {
            // One pixel as it is makes it longer.
            self.write(pixel, corner.clone(), left.min(LONGEST))?;
            left = left.saturating_sub(LONGEST);
        }
        Ok(())
    }

    fn write(&mut self, rect: Rect, rgb: Vec<u8>, units: u64) -> Result<(), ExportError> {
        let mut control = Vec::new();
        control.extend(self.next().to_be_bytes());
        for number in [rect.width, rect.height, rect.left, rect.top] {
            control.extend(number.to_be_bytes());
        }
        control.extend((units as u16).to_be_bytes());
        control.extend(self.units.to_be_bytes());
        // It stays, and it covers what was there.
        control.extend([0, 0]);
        chunk(&mut self.sink, b"fcTL", &control)?;
        let size = Size { width: rect.width, height: rect.height };
        let data = data_of(&Pixels { size, rgb })?;
        if self.frames == 0 {
            chunk(&mut self.sink, b"IDAT", &data)?;
        } else {
            let mut numbered = self.next().to_be_bytes().to_vec();
            numbered.extend(data);
            chunk(&mut self.sink, b"fdAT", &numbered)?;
        }
        self.frames += 1;
        Ok(())
    }

    fn next(&mut self) -> u32 {
        self.sequence += 1;
        self.sequence - 1
    }
}

/// How many frames there are, and that they are played for ever.
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

/// The compressed pixels, as they stand in a PNG of their own.
fn data_of(pixels: &Pixels) -> Result<Vec<u8>, ExportError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.size.width, pixels.size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let failed = |error: png::EncodingError| ExportError::Write(error.into());
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&pixels.rgb).map_err(failed)?;
    writer.finish().map_err(failed)?;
    let mut rest = file.get(8..).unwrap_or_default();
    let mut data = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u64::from(u32::from_be_bytes(*length));
        let (kind, after) = after.split_first_chunk::<4>().unwrap_or((b"    ", &[]));
        if kind == b"IDAT" {
            after.take(length).read_to_end(&mut data)?;
        }
        rest = after.get(length as usize + 4..).unwrap_or_default();
    }
    Ok(data)
}
