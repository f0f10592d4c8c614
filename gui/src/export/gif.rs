//! A range as GIF: what every program shows.

use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Repeat};

use super::palette::Palette;
use super::plan::ExportError;
use super::raster::Pixels;
use super::rect::{Rect, Screen};

/// The longest time that a frame can be seen, in hundredths of a second.
const LONGEST: u64 = 65_535;

/// A GIF that is being written.
pub(super) struct Gif<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    /// The frame that is seen last, by the numbers of its colours.
    shown: Screen,
    /// The frame that is written when it is known for how long it is seen: from which hundredth of a second on.
    waiting: Option<(Rect, Vec<u8>, u64)>,
}

impl<W: Write> Gif<W> {
    pub(super) fn new(sink: W, size: (u16, u16), palette: Palette) -> Result<Gif<W>, ExportError> {
        let mut encoder = Encoder::new(sink, size.0, size.1, &palette.bytes()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Gif { encoder, palette, shown: Screen::new(size.0.into(), 1), waiting: None })
    }

    /// Takes a frame that is seen from that hundredth of a second on, and is as the last one outside of `fresh`.
    pub(super) fn frame(&mut self, pixels: &Pixels, fresh: Rect, at: u64) -> Result<(), ExportError> {
        let numbers = self.palette.numbers(&fresh.cut(&pixels.rgb, pixels.size.width, 3));
        let Some(mut change) = self.shown.take(fresh, numbers) else { return Ok(()) };
        for (number, before) in change.now.iter_mut().zip(change.before) {
            if *number == before {
                *number = Palette::AS_BEFORE;
            }
        }
        self.write_waiting(at)?;
        self.waiting = Some((change.rect, change.now, at));
        Ok(())
    }

    /// Writes the last frame, which is seen until that hundredth of a second.
    pub(super) fn finish(mut self, until: u64) -> Result<(), ExportError> {
        self.write_waiting(until)?;
        // The trailer is written when it is taken apart.
        self.encoder.into_inner().map_err(failed)?;
        Ok(())
    }

    fn write_waiting(&mut self, until: u64) -> Result<(), ExportError> {
        let Some((rect, numbers, at)) = self.waiting.take() else { return Ok(()) };
        let mut left = until.saturating_sub(at).max(1);
        self.write(rect, numbers, left.min(LONGEST))?;
        left = left.saturating_sub(LONGEST);
        // Frames that change nothing make it longer.
        while left > 0 {
            let pixel = Rect { left: 0, top: 0, width: 1, height: 1 };
            self.write(pixel, vec![Palette::AS_BEFORE], left.min(LONGEST))?;
            left = left.saturating_sub(LONGEST);
        }
        Ok(())
    }

    fn write(&mut self, rect: Rect, numbers: Vec<u8>, delay: u64) -> Result<(), ExportError> {
        let frame = gif::Frame {
            delay: delay as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(Palette::AS_BEFORE),
            left: rect.left as u16,
            top: rect.top as u16,
            width: rect.width as u16,
            height: rect.height as u16,
            buffer: numbers.into(),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed)
    }
}

fn failed(error: EncodingError) -> ExportError {
    ExportError::Write(match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    })
}
