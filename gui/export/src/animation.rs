//! A file of many frames, written a little at a time: of each frame what is not as it was before.

use grandstand_board::pixels::Size;
use grandstand_board::pixels::rasterizer::Pixels;

use super::dirty_rect::{DirtyRect, changed};
use crate::plan::ExportError;

/// About so many pixels are taken at a time: a page must not stop for long.
const PIXELS: u32 = 1 << 14;

/// A format of files with many frames.
pub(super) trait FrameFormat {
    /// The pixel through which what was there before is seen. All pixels have as many bytes.
    fn as_before(&self) -> &'static [u8];

    /// Adds pixels, three bytes each, as the format has them.
    fn add(&mut self, rgb: &[u8], pixels: &mut Vec<u8>);

    /// Compresses some whole rows of a frame that is so wide.
    fn compress(&mut self, width: u32, pixels: &[u8]) -> Result<(), ExportError>;

    /// All that was compressed since this was last asked: a frame.
    fn compressed(&mut self) -> Result<Vec<u8>, ExportError>;

    /// Writes a compressed frame that is seen for so many units of time.
    fn write(&mut self, rect: DirtyRect, frame: Vec<u8>, units: u16) -> Result<(), ExportError>;

    /// Writes the end. Returns what belongs where in the file, where that is known only now.
    fn finish(self: Box<Self>) -> Result<Option<(u64, Vec<u8>)>, ExportError>;
}

/// A file that is being written.
pub(super) struct Animation {
    form: Box<dyn FrameFormat>,
    size: Size,
    /// The frame that is seen last: as much of the first one as has been compressed, and then all of it.
    shown: Vec<u8>,
    work: Work,
    /// The frame that is written when it is known for how long it is seen: where, compressed, from which unit of time on.
    waiting: Option<(DirtyRect, Vec<u8>, u64)>,
}

/// What is being done with a frame that is seen from a unit of time on.
enum Work {
    None,
    /// As many rows of the part that may have changed have been looked at as there are pixels.
    Look {
        at: u64,
        part: DirtyRect,
        pixels: Vec<u8>,
        changed: Option<DirtyRect>,
    },
    /// So many rows of what has changed are compressed.
    Compress {
        at: u64,
        part: DirtyRect,
        pixels: Vec<u8>,
        changed: DirtyRect,
        rows: u32,
    },
}

impl Animation {
    pub(super) fn new(size: Size, form: Box<dyn FrameFormat>) -> Animation {
        Animation { form, size, shown: Vec::new(), work: Work::None, waiting: None }
    }

    /// Begins with a frame that is seen from that unit of time on, and is as the last one outside of `part`.
    pub(super) fn begin(&mut self, part: DirtyRect, at: u64) {
        self.work = Work::Look { at, part, pixels: Vec::new(), changed: None };
    }

    /// Whether the frame that was begun last is not taken yet.
    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.work, Work::None)
    }

    /// Does a little more with the frame that was begun last, whose pixels these are.
    pub(super) fn step(&mut self, frame: &Pixels) -> Result<(), ExportError> {
        self.work = match std::mem::replace(&mut self.work, Work::None) {
            Work::None => Work::None,
            Work::Look { at, part, mut pixels, changed } => {
                let rows = (pixels.len() / (part.width as usize * self.depth())) as u32;
                let band = band(part, rows);
                let seen = self.look(frame, band, &mut pixels);
                let changed = match (changed, seen) {
                    (Some(before), Some(seen)) => Some(before.around(seen)),
                    (before, seen) => before.or(seen),
                };
                match changed {
                    _ if rows + band.height < part.height => Work::Look { at, part, pixels, changed },
                    None => Work::None,
                    Some(changed) => {
                        self.write_waiting(at)?;
                        Work::Compress { at, part, pixels, changed, rows: 0 }
                    }
                }
            }
            Work::Compress { at, part, pixels, changed, rows } => {
                let band = band(changed, rows);
                let inner = DirtyRect { left: band.left - part.left, top: band.top - part.top, ..band };
                let mut now = inner.cut(&pixels, part.width, self.depth());
                self.show(band, &mut now);
                self.form.compress(changed.width, &now)?;
                let rows = rows + band.height;
                if rows < changed.height {
                    Work::Compress { at, part, pixels, changed, rows }
                } else {
                    self.waiting = Some((changed, self.form.compressed()?, at));
                    Work::None
                }
            }
        };
        Ok(())
    }

    /// Writes the last frame, which is seen until that unit of time, and the end. Returns what belongs where in the file,
    /// where that is known only now.
    pub(super) fn finish(mut self, until: u64) -> Result<Option<(u64, Vec<u8>)>, ExportError> {
        self.write_waiting(until)?;
        self.form.finish()
    }

    fn depth(&self) -> usize {
        self.form.as_before().len()
    }

    /// Whether nothing is seen yet, or not all of the first frame.
    fn is_first(&self) -> bool {
        self.shown.len() < self.size.width as usize * self.size.height as usize * self.depth()
    }

    /// Adds some rows of a frame to those that were looked at, and says what in them is not as it was.
    fn look(&mut self, frame: &Pixels, band: DirtyRect, pixels: &mut Vec<u8>) -> Option<DirtyRect> {
        let from = pixels.len();
        self.form.add(&band.cut(&frame.rgb, self.size.width, 3), pixels);
        if self.is_first() {
            return Some(band);
        }
        let before = band.cut(&self.shown, self.size.width, self.depth());
        let inner = changed(&before, &pixels[from..], band.width, self.depth())?;
        Some(DirtyRect { left: band.left + inner.left, top: band.top + inner.top, ..inner })
    }

    /// Lets some rows be seen, and leaves of them only what was not seen before.
    fn show(&mut self, band: DirtyRect, now: &mut [u8]) {
        if self.is_first() {
            self.shown.extend_from_slice(now);
            return;
        }
        let (depth, same) = (self.depth(), self.form.as_before());
        let line = band.width as usize * depth;
        for (y, row) in (band.top as usize..).zip(now.chunks_exact_mut(line)) {
            let at = (y * self.size.width as usize + band.left as usize) * depth;
            let before = self.shown[at..at + line].chunks_exact_mut(depth);
            for (pixel, before) in row.chunks_exact_mut(depth).zip(before) {
                if pixel == before {
                    pixel.copy_from_slice(same);
                } else {
                    before.copy_from_slice(pixel);
                }
            }
        }
    }

    fn write_waiting(&mut self, until: u64) -> Result<(), ExportError> {
        let Some((mut rect, mut frame, at)) = self.waiting.take() else { return Ok(()) };
        let mut left = until.saturating_sub(at).max(1);
        loop {
            let units = u16::try_from(left).unwrap_or(u16::MAX);
            self.form.write(rect, frame, units)?;
            left -= u64::from(units);
            if left == 0 {
                return Ok(());
            }
            // Frames that change nothing make it longer.
            rect = DirtyRect { left: 0, top: 0, width: 1, height: 1 };
            self.form.compress(1, self.form.as_before())?;
            frame = self.form.compressed()?;
        }
    }
}

/// The rows of a part that are taken together, after so many others.
fn band(part: DirtyRect, rows: u32) -> DirtyRect {
    let height = (PIXELS / part.width.max(1)).max(1).min(part.height - rows);
    DirtyRect { top: part.top + rows, height, ..part }
}
