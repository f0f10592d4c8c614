//! A file of many frames, written in small steps. For each frame, only the part that differs from the frame before is written.

use grandstand_board::pixels::Size;
use grandstand_board::pixels::rasterizer::Pixels;

use super::dirty_rect::{DirtyRect, changed};
use crate::plan::ExportError;

/// The approximate number of pixels of one step. The steps are small so that a page does not freeze.
const PIXELS: u32 = 1 << 14;

/// A file format with many frames.
pub(super) trait FrameFormat {
    /// The pixel that means "as in the frame before". All pixels of the format have the same number of bytes.
    fn as_before(&self) -> &'static [u8];

    /// Adds pixels, three bytes each, in the representation of the format.
    fn add(&mut self, rgb: &[u8], pixels: &mut Vec<u8>);

    /// Compresses some whole rows of a frame with the given width.
    fn compress(&mut self, width: u32, pixels: &[u8]) -> Result<(), ExportError>;

    /// Returns everything that was compressed since the last call: a frame.
    fn compressed(&mut self) -> Result<Vec<u8>, ExportError>;

    /// Writes a compressed frame that is shown for the given number of time units.
    fn write(&mut self, rect: DirtyRect, frame: Vec<u8>, units: u16) -> Result<(), ExportError>;

    /// Writes the end. Returns bytes and their position in the file when the format has to write something into an
    /// earlier part of the file.
    fn finish(self: Box<Self>) -> Result<Option<(u64, Vec<u8>)>, ExportError>;
}

/// A file being written.
pub(super) struct Animation {
    form: Box<dyn FrameFormat>,
    size: Size,
    /// The pixels of the last frame. While the first frame is being compressed, this holds the part of it that was compressed.
    shown: Vec<u8>,
    work: Work,
    /// The compressed frame that is written once its duration is known: its rectangle, its bytes and the time unit at which it starts.
    waiting: Option<(DirtyRect, Vec<u8>, u64)>,
}

/// The work on a frame. The frame is shown from a given time unit on.
enum Work {
    None,
    /// The part of the frame that may have changed is being compared. `pixels` holds the rows compared so far.
    Look {
        at: u64,
        part: DirtyRect,
        pixels: Vec<u8>,
        changed: Option<DirtyRect>,
    },
    /// The changed part is being compressed. `rows` is the number of rows compressed so far.
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

    /// Starts a frame that is shown from the time unit `at` on. Outside `part` it equals the frame before.
    pub(super) fn begin(&mut self, part: DirtyRect, at: u64) {
        self.work = Work::Look { at, part, pixels: Vec::new(), changed: None };
    }

    /// Whether the frame started last is still being processed.
    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.work, Work::None)
    }

    /// Does one step of the work on the frame started last. `frame` holds the pixels of that frame.
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

    /// Writes the last frame, which is shown until the time unit `until`, and the end of the file. Returns bytes and their position
    /// in the file when the format has to write something into an earlier part of the file.
    pub(super) fn finish(mut self, until: u64) -> Result<Option<(u64, Vec<u8>)>, ExportError> {
        self.write_waiting(until)?;
        self.form.finish()
    }

    fn depth(&self) -> usize {
        self.form.as_before().len()
    }

    /// Whether the first frame is not complete yet.
    fn is_first(&self) -> bool {
        self.shown.len() < self.size.width as usize * self.size.height as usize * self.depth()
    }

    /// Adds some rows of a frame to the compared rows. Returns the part of them that changed.
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

    /// Stores some rows as shown, and replaces the pixels of `now` that did not change by the "as before" pixel.
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

    /// Writes the last frame, which is shown until the time unit `until`.
    pub(super) fn write_waiting(&mut self, until: u64) -> Result<(), ExportError> {
        let Some((mut rect, mut frame, at)) = self.waiting.take() else { return Ok(()) };
        let mut left = until.saturating_sub(at).max(1);
        loop {
            let units = u16::try_from(left).unwrap_or(u16::MAX);
            self.form.write(rect, frame, units)?;
            left -= u64::from(units);
            if left == 0 {
                return Ok(());
            }
            // Frames that change nothing extend the duration.
            rect = DirtyRect { left: 0, top: 0, width: 1, height: 1 };
            self.form.compress(1, self.form.as_before())?;
            frame = self.form.compressed()?;
        }
    }
}

/// The rows of a part that are processed in one step, after the given number of rows.
fn band(part: DirtyRect, rows: u32) -> DirtyRect {
    let height = (PIXELS / part.width.max(1)).max(1).min(part.height - rows);
    DirtyRect { top: part.top + rows, height, ..part }
}
