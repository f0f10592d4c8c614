//! The job of making a picture in small steps, so that a page or a window stays responsive and can show the progress.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};
use std::rc::Rc;
use std::time::Duration;

use grandstand_board::pixels::Size;
use grandstand_board::pixels::rasterizer::Drawing;

use super::animation::Animation;
use super::apng::Apng;
use super::clip::{Clip, ClipClock, Match};
use super::gif::Gif;
use super::gif_palette::ColorCounts;
use super::offscreen_ui::OffscreenUi;
use super::plan::{BYTES_MAX, ExportError, FPS_MAX, FRAME_PIXELS_MAX, FRAMES_MAX, Moment, Plan, Range, What};
use super::{present, svg};

/// The number of frames whose colours make the palette of a GIF. They are spread evenly over the range.
const SAMPLES: u64 = 16;
/// The number of bytes of a frame whose colours are counted in one step.
pub(super) const COUNTED: usize = 3 << 14;
/// The additional time for which the last frame is shown before the range starts again, in milliseconds.
pub(super) const HOLD_MILLIS: u64 = 1_500;

/// The progress of a [`Job`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of finished steps. The kind of step depends on the job.
    pub done: u64,
    /// The number of all steps.
    pub all: u64,
}

impl Progress {
    /// The finished part, from 0 to 1.
    pub fn part(self) -> f32 {
        if self.all == 0 { 1.0 } else { (self.done as f32 / self.all as f32).min(1.0) }
    }
}

/// A picture being written to a file. Call [`step`](Job::step) until [`is_done`](Job::is_done), then [`finish`](Job::finish).
///
/// A step takes some milliseconds. A job needs only the memory of a few frames, however long the range is.
///
/// ```
/// use grandstand_export::{Job, Look, Match, Moment, Plan, What};
/// use grandstand_replays::{Limits, Replay};
///
/// let file = b"{\"grandstand\":1,\"game\":\"abalone\"}\n[0.5,\"c\",\"set E0 b1\"]\n";
/// let replay = Replay::open(file, Limits::default())?;
/// let plan = Plan { what: What::Svg(Moment::End), size: "320x240".parse()?, look: Look::light() };
/// let mut job = Job::new(Match::of(&replay), plan, std::io::Cursor::new(Vec::new()))?;
/// while !job.is_done() {
///     job.step(Match::of(&replay))?;
/// }
/// assert!(job.finish()?.into_inner().starts_with(b"<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Job<W> {
    plan: Plan,
    sink: W,
    /// The bytes that the encoders have written and that were not passed on to the sink yet.
    written: Shared,
    bytes: u64,
    ui: OffscreenUi,
    task: Task,
    progress: Progress,
}

impl<W> fmt::Debug for Job<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("plan", &self.plan)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

enum Task {
    Svg(Clip),
    /// With the number of rows written.
    Png(Box<Drawing>, u32, png::StreamWriter<'static, Shared>),
    /// The colours of a range are being counted. The number is the number of bytes of the frame drawn last that were counted.
    ColorCounts(Frames, ColorCounts, usize),
    Encode(Frames, Animation),
    Done,
}

/// The frames of a range, one after the other.
pub(super) struct Frames {
    clock: ClipClock,
    clip: Clip,
    range: Range,
    /// The number of the next frame, and the number of all frames.
    next: u64,
    all: u64,
    /// The interval of drawing: one of `every` frames is drawn, and so many after it.
    every: u64,
    run: u64,
    /// The frame drawn last, or being drawn.
    drawing: Drawing,
    /// The number of the frame being drawn.
    drawn: Option<u64>,
}

impl<W: Write + Seek> Job<W> {
    /// Starts the job.
    ///
    /// # Errors
    /// [`ExportError`] when the plan exceeds a limit, or requests something that the match does not have.
    pub fn new(of: Match<'_>, plan: Plan, sink: W) -> Result<Job<W>, ExportError> {
        let written = Shared::default();
        let mut ui = OffscreenUi::new(plan.size, plan.look.clone());
        let mut all = 1;
        let task = match plan.what {
            What::Svg(moment) => Task::Svg(stand(of, moment)?),
            What::Png(moment) => {
                let clip = stand(of, moment)?;
                let mut drawing = Drawing::blank(plan.size);
                drawing.begin(ui.picture(of, &clip));
                all = u64::from(plan.size.height);
                let mut encoder = png::Encoder::new(written.clone(), plan.size.width, plan.size.height);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_compression(png::Compression::Balanced);
                let writer =
                    encoder.write_header().and_then(png::Writer::into_stream_writer).map_err(failed)?;
                Task::Png(Box::new(drawing), 0, writer)
            }
            What::Gif(range) => {
                let mut frames = Frames::new(of, range, plan.size)?;
                frames.draw_every(frames.all / SAMPLES, 0);
                all = frames.all * 2;
                let counted = frames.drawing.pixels.rgb.len();
                Task::ColorCounts(frames, ColorCounts::default(), counted)
            }
            What::Apng(range) => {
                let frames = Frames::new(of, range, plan.size)?;
                all = frames.all;
                let apng = Apng::new(written.clone(), plan.size, range.fps as u16)?;
                Task::Encode(frames, Animation::new(plan.size, Box::new(apng)))
            }
        };
        Ok(Job { plan, sink, written, bytes: 0, ui, task, progress: Progress { done: 0, all } })
    }

    /// Whether everything is written.
    pub fn is_done(&self) -> bool {
        matches!(self.task, Task::Done)
    }

    /// The progress of the job.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Does one step. `of` is the match that the job was started with. The match may have grown.
    ///
    /// # Errors
    /// [`ExportError`] when writing to the sink fails, the file becomes too large, or the commands of the match are no longer in
    /// memory. The job is over then.
    pub fn step(&mut self, of: Match<'_>) -> Result<(), ExportError> {
        let task = std::mem::replace(&mut self.task, Task::Done);
        let mut end = None;
        self.task = match task {
            Task::Done => Task::Done,
            Task::Svg(clip) => {
                let picture = self.ui.picture(of, &clip);
                self.written.write_all(svg::write(&picture, &clip.words(of)).as_bytes())?;
                self.progress.done = 1;
                Task::Done
            }
            Task::Png(mut drawing, written, mut writer) => {
                drawing.step();
                let line = self.plan.size.width as usize * 3;
                let rows = &drawing.pixels.rgb[written as usize * line..drawing.rows() as usize * line];
                writer.write_all(rows)?;
                self.progress.done = u64::from(drawing.rows());
                if drawing.is_done() {
                    writer.finish().map_err(failed)?;
                    Task::Done
                } else {
                    let rows = drawing.rows();
                    Task::Png(drawing, rows, writer)
                }
            }
            Task::ColorCounts(mut frames, mut census, mut counted) => {
                let all = frames.drawing.pixels.rgb.len();
                if counted < all {
                    let end = all.min(counted + COUNTED);
                    census.add(&frames.drawing.pixels.rgb[counted..end]);
                    counted = end;
                } else if frames.step(of, &mut self.ui)?.is_some() {
                    counted = 0;
                }
                self.progress.done = frames.next;
                if counted == all && frames.is_done() {
                    let gif = Gif::new(self.written.clone(), self.plan.size, census.palette())?;
                    Task::Encode(frames.again(of), Animation::new(self.plan.size, Box::new(gif)))
                } else {
                    Task::ColorCounts(frames, census, counted)
                }
            }
            Task::Encode(mut frames, mut movie) => {
                let units = |frame| match self.plan.what {
                    What::Gif(range) => hundredths(frame, range.fps),
                    _ => frame,
                };
                if movie.is_busy() {
                    movie.step(&frames.drawing.pixels)?;
                } else if let Some(number) = frames.step(of, &mut self.ui)? {
                    movie.begin(frames.drawing.fresh.into(), units(number));
                }
                self.progress.done = self.progress.all - frames.all + frames.next;
                if frames.is_done() && !movie.is_busy() {
                    let hold = HOLD_MILLIS * u64::from(frames.range.fps) / 1_000;
                    end = movie.finish(units(frames.all + hold))?;
                    Task::Done
                } else {
                    Task::Encode(frames, movie)
                }
            }
        };
        self.pass_on()?;
        if let Some((at, bytes)) = end {
            self.sink.seek(SeekFrom::Start(at))?;
            self.sink.write_all(&bytes)?;
            self.sink.seek(SeekFrom::End(0))?;
        }
        Ok(())
    }

    /// Returns the sink.
    ///
    /// # Errors
    /// When the rest can't be written.
    pub fn finish(mut self) -> Result<W, ExportError> {
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn pass_on(&mut self) -> Result<(), ExportError> {
        let bytes = self.written.take();
        self.bytes += bytes.len() as u64;
        if self.bytes > BYTES_MAX {
            self.task = Task::Done;
            return Err(ExportError::ManyBytes);
        }
        self.sink.write_all(&bytes)?;
        Ok(())
    }
}

fn failed(error: png::EncodingError) -> ExportError {
    ExportError::Write(error.into())
}

/// The hundredth of a second at which a frame starts. It is rounded from the frame's own time, so rounding errors do not add up.
fn hundredths(frame: u64, fps: u32) -> u64 {
    (frame * 100 + u64::from(fps) / 2) / u64::from(fps)
}

/// A clip that stays at the moment.
pub(super) fn stand(of: Match<'_>, moment: Moment) -> Result<Clip, ExportError> {
    let playback = moment.find(of.log)?;
    present(of.log, playback.seq()..=playback.seq())?;
    Ok(Clip::at(of.log, ClipClock::standing(playback)))
}

impl Frames {
    pub(super) fn new(of: Match<'_>, range: Range, size: Size) -> Result<Frames, ExportError> {
        if !(1..=FPS_MAX).contains(&range.fps) {
            return Err(ExportError::Fps(range.fps));
        }
        if u64::from(size.width) * u64::from(size.height) > FRAME_PIXELS_MAX {
            return Err(ExportError::LargeFrames(size));
        }
        let (mut from, to) = (range.from.find(of.log)?, range.to.find(of.log)?);
        let is_whole = matches!(range.from, Moment::Start | Moment::Time(_));
        if is_whole && to.time() == from.time() && to.seq() < from.seq() {
            // A time is the position after everything that happens at that time, and the start the one after the set-up. The end
            // of the range is one of those commands.
            from = to.clone();
        }
        if to.time() < from.time() || to.seq() < from.seq() {
            return Err(ExportError::Backwards { from: from.time(), to: to.time() });
        }
        present(of.log, from.seq()..=to.seq())?;
        let clock = ClipClock::new(of.log, from, to, range.speed, range.idle);
        let mut all = 1;
        let mut ahead = clock.clone();
        while !ahead.is_over() {
            if all >= FRAMES_MAX {
                return Err(ExportError::ManyFrames);
            }
            ahead.advance(of.log, time_of(all, range.fps));
            all += 1;
        }
        let clip = Clip::at(of.log, clock.clone());
        let drawing = Drawing::blank(size);
        Ok(Frames { clock, clip, range, next: 0, all, every: 1, run: 0, drawing, drawn: None })
    }

    /// Draws one of `every` frames, the `run` frames after each of these, and the last one.
    pub(super) fn draw_every(&mut self, every: u64, run: u64) {
        (self.every, self.run) = (every.max(1), run);
    }

    /// Whether a frame is drawn.
    pub(super) fn draws(&self, number: u64) -> bool {
        number % self.every <= self.run || number + 1 >= self.all
    }

    /// The number of all frames.
    pub(super) fn len(&self) -> u64 {
        self.all
    }

    /// The number of frames that were drawn or passed over.
    pub(super) fn passed(&self) -> u64 {
        self.next
    }

    /// The frame drawn last, or being drawn.
    pub(super) fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// The same frames again, all of them.
    pub(super) fn again(self, of: Match<'_>) -> Frames {
        let clip = Clip::at(of.log, self.clock.clone());
        let drawing = Drawing::blank(self.drawing.pixels.size);
        Frames { clip, next: 0, every: 1, run: 0, drawing, drawn: None, ..self }
    }

    pub(super) fn is_done(&self) -> bool {
        self.next >= self.all && self.drawn.is_none()
    }

    /// Does one step. Returns the number of a frame once it is drawn, unless it equals the one before.
    pub(super) fn step(&mut self, of: Match<'_>, ui: &mut OffscreenUi) -> Result<Option<u64>, ExportError> {
        if self.drawn.is_some() {
            self.drawing.step();
        } else if self.next < self.all {
            let number = self.next;
            self.next += 1;
            // The first frame is the moment at which the range starts, even if more happens at the same time.
            if number > 0 {
                self.clip.advance(of.log, time_of(number, self.range.fps));
            }
            // A live match may have dropped commands from memory.
            present(of.log, self.clip.seq()..=self.clip.seq())?;
            if !self.draws(number) {
                return Ok(None);
            }
            if self.drawing.begin(ui.picture(of, &self.clip)) {
                self.drawn = Some(number);
            }
        }
        Ok(if self.drawing.is_done() { self.drawn.take() } else { None })
    }
}

/// The time at which a frame starts.
pub(super) fn time_of(frame: u64, fps: u32) -> Duration {
    Duration::from_nanos(frame * 1_000_000_000 / u64::from(fps))
}

/// The buffer that encoders write to and that the job takes the bytes from.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    /// Takes what was written since the last call.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.borrow_mut())
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
