//! Sketch of an animation before it is made: a few of its pictures, its length, and its size by a sample.

use std::fmt;
use std::time::Duration;

use grandstand_board::pixels::Size;

use crate::animation::Animation;
use crate::apng::Apng;
use crate::clip::Match;
use crate::gif::Gif;
use crate::gif_palette::ColorCounts;
use crate::job::{COUNTED, Frames, HOLD_MILLIS, Shared, time_of};
use crate::offscreen_ui::OffscreenUi;
use crate::plan::{ExportError, Look, Range, What};

/// The number of pictures, and of places in the range at which frames are compressed for the sample.
const PICTURES: u64 = 24;
/// The number of frames in a row that are compressed at each of these places, at most.
const RUN_MAX: u64 = 4;
/// The number of pixels of all compressed frames, at most: large frames have shorter samples.
const SAMPLE_PIXELS: u64 = 64 << 20;

/// One of the pictures.
#[derive(Debug, Clone)]
pub struct SketchPicture {
    /// The part of the animation's length at which it is shown, from 0 to 1.
    pub at: f32,
    /// The pixels, three bytes each, row by row, of the size that was asked for.
    pub rgb: Vec<u8>,
}

/// A sketch in progress. Call [`step`](Sketch::step) until [`is_done`](Sketch::is_done).
///
/// The pictures come first. Then the frames at some places are compressed as in the file, a few in a row at each place, and
/// [`bytes`](Sketch::bytes) is what all frames would take.
pub struct Sketch {
    what: What,
    small: Size,
    ui: OffscreenUi,
    task: Task,
    fps: u32,
    all: u64,
    sample: Sample,
    bytes: Option<u64>,
}

/// The compressed frames.
#[derive(Debug, Default)]
struct Sample {
    /// The bytes of the header and the first frame.
    first: u64,
    /// The bytes of the other frames that follow the one before them, and their number with those that need none.
    bytes: u64,
    frames: u64,
}

enum Task {
    /// The frame drawn last is counted up to this byte.
    Pictures(Frames, ColorCounts, usize),
    Sample {
        frames: Frames,
        movie: Animation,
        written: Shared,
        /// The number of the frame that is being compressed.
        number: u64,
    },
    Done,
}

impl fmt::Debug for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sketch").field("what", &self.what).field("all", &self.all).finish_non_exhaustive()
    }
}

impl Sketch {
    /// Starts a sketch of an animation, with pictures of the size `small`; `None` for what does not move.
    ///
    /// # Errors
    /// [`ExportError`] for what a [`Job`](crate::Job) of it would refuse before anything is drawn.
    pub fn new(
        of: Match<'_>,
        what: What,
        size: Size,
        look: Look,
        small: Size,
    ) -> Result<Option<Sketch>, ExportError> {
        let (What::Gif(range) | What::Apng(range)) = what else { return Ok(None) };
        let Range { fps, .. } = range;
        let mut frames = Frames::new(of, range, size)?;
        let all = frames.len();
        frames.draw_every(all / PICTURES, 0);
        let counted = frames.drawing().pixels.rgb.len();
        Ok(Some(Sketch {
            what,
            small,
            ui: OffscreenUi::new(size, look),
            task: Task::Pictures(frames, ColorCounts::default(), counted),
            fps,
            all,
            sample: Sample::default(),
            bytes: None,
        }))
    }

    /// Whether there is no more to come.
    pub fn is_done(&self) -> bool {
        matches!(self.task, Task::Done)
    }

    /// How long the animation runs before it starts again, with the time of its last picture.
    pub fn length(&self) -> Duration {
        time_of(self.all, self.fps) + Duration::from_millis(HOLD_MILLIS)
    }

    /// The size of the pictures.
    pub fn picture_size(&self) -> Size {
        self.small
    }

    /// The number of frames. Equal ones are one picture in the file.
    pub fn frames(&self) -> u64 {
        self.all
    }

    /// The estimated number of bytes of the file, once the sketch is done.
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// Does one step of some milliseconds at most. Returns a picture when it is drawn, in the order of the range.
    ///
    /// # Errors
    /// [`ExportError`] when commands of the match are no longer in memory. The sketch is over then.
    pub fn step(&mut self, of: Match<'_>) -> Result<Option<SketchPicture>, ExportError> {
        let mut picture = None;
        self.task = match std::mem::replace(&mut self.task, Task::Done) {
            Task::Done => Task::Done,
            Task::Pictures(mut frames, mut colors, mut counted) => {
                let all = frames.drawing().pixels.rgb.len();
                if counted < all {
                    let end = all.min(counted + COUNTED);
                    colors.add(&frames.drawing().pixels.rgb[counted..end]);
                    counted = end;
                } else if let Some(number) = frames.step(of, &mut self.ui)? {
                    counted = 0;
                    let pixels = &frames.drawing().pixels;
                    let rgb = shrunk(&pixels.rgb, pixels.size, self.small);
                    picture = Some(SketchPicture { at: number as f32 / self.all as f32, rgb });
                }
                if counted == all && frames.is_done() {
                    self.begin_sample(of, frames, colors)?
                } else {
                    Task::Pictures(frames, colors, counted)
                }
            }
            Task::Sample { mut frames, mut movie, written, mut number } => {
                if movie.is_busy() {
                    movie.step(&frames.drawing().pixels)?;
                    if !movie.is_busy() {
                        // How long it is shown does not change how many bytes it has.
                        movie.write_waiting(number + 1)?;
                        let bytes = written.take().len() as u64;
                        if number == 0 {
                            self.sample.first += bytes;
                        } else if is_in_a_row(&frames, number) {
                            self.sample.bytes += bytes;
                        }
                    }
                } else {
                    let before = frames.passed();
                    if let Some(drawn) = frames.step(of, &mut self.ui)? {
                        number = drawn;
                        movie.begin(frames.drawing().fresh.into(), number);
                    }
                    let passed = frames.passed();
                    if passed != before && frames.draws(before) && is_in_a_row(&frames, before) {
                        self.sample.frames += 1;
                    }
                }
                if frames.is_done() && !movie.is_busy() {
                    let Sample { first, bytes, frames } = self.sample;
                    let others = bytes as f64 / frames.max(1) as f64 * self.all.saturating_sub(1) as f64;
                    self.bytes = Some(first + others.round() as u64);
                    Task::Done
                } else {
                    Task::Sample { frames, movie, written, number }
                }
            }
        };
        Ok(picture)
    }

    fn begin_sample(
        &mut self,
        of: Match<'_>,
        frames: Frames,
        colors: ColorCounts,
    ) -> Result<Task, ExportError> {
        let size = frames.drawing().pixels.size;
        let mut frames = frames.again(of);
        let pixels = u64::from(size.width) * u64::from(size.height);
        let run = (SAMPLE_PIXELS / pixels / PICTURES).clamp(1, RUN_MAX);
        frames.draw_every(self.all / PICTURES, run);
        let written = Shared::default();
        let movie = match self.what {
            What::Gif(_) => {
                Animation::new(size, Box::new(Gif::new(written.clone(), size, colors.palette())?))
            }
            _ => Animation::new(size, Box::new(Apng::new(written.clone(), size, self.fps as u16)?)),
        };
        self.sample.first = written.take().len() as u64;
        Ok(Task::Sample { frames, movie, written, number: 0 })
    }
}

/// Whether a frame follows one that was drawn too.
fn is_in_a_row(frames: &Frames, number: u64) -> bool {
    number.checked_sub(1).is_some_and(|before| frames.draws(before))
}

/// A picture made smaller: each pixel is the mean of those that it covers.
fn shrunk(rgb: &[u8], size: Size, small: Size) -> Vec<u8> {
    let edge = |n: u32, of: u32, all: u32| (u64::from(n) * u64::from(all) / u64::from(of)) as usize;
    let line = size.width as usize * 3;
    let mut out = Vec::with_capacity(small.width as usize * small.height as usize * 3);
    for y in 0..small.height {
        let top = edge(y, small.height, size.height);
        let rows = top..edge(y + 1, small.height, size.height).max(top + 1);
        for x in 0..small.width {
            let left = edge(x, small.width, size.width);
            let columns = left..edge(x + 1, small.width, size.width).max(left + 1);
            let mut sums = [0_u32; 3];
            for row in rows.clone() {
                let pixels = &rgb[row * line + columns.start * 3..row * line + columns.end * 3];
                for pixel in pixels.as_chunks::<3>().0 {
                    (0..3).for_each(|channel| sums[channel] += u32::from(pixel[channel]));
                }
            }
            let count = (rows.len() * columns.len()) as u32;
            out.extend(sums.map(|sum| ((sum + count / 2) / count) as u8));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_picture_has_the_means() {
        let rgb: Vec<u8> = (0..4 * 2).flat_map(|n| [n * 10, 7, 255 - n]).collect();
        let size = |width, height| Size { width, height };
        assert_eq!(shrunk(&rgb, size(4, 2), size(4, 2)), rgb);
        // The means of 0, 10, 40, 50 and of 20, 30, 60, 70.
        assert_eq!(shrunk(&rgb, size(4, 2), size(2, 1)), [25, 7, 253, 45, 7, 251]);
        assert_eq!(shrunk(&rgb, size(4, 2), size(1, 1)).len(), 3);
    }
}
