//! The plan of an export: the moments, the size and the form, and the errors in them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use grandstand_board::VisiblePart;
use grandstand_board::pixels::{Size, SizeError};
use grandstand_board::{BoardOptions, Hidden};
use grandstand_protocol::Micros;
use grandstand_replays::{Log, Playback, Speed};

/// The largest frame of a range, in pixels.
pub const FRAME_PIXELS_MAX: u64 = 2_560 * 1_440;
/// The maximum number of frames in a range, counted before equal frames are merged.
pub const FRAMES_MAX: u64 = 20_000;
/// The maximum number of bytes in a file.
pub const BYTES_MAX: u64 = 512 << 20;
/// The maximum number of frames per second. Viewers play anything faster slowly.
pub const FPS_MAX: u32 = 50;

/// The reason why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A size that is invalid or not supported.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// An invalid moment.
    #[error(
        "moment `{0}`: expected the number of a command (120), a time (1:05.5 or 65.5s), `start` or `end`"
    )]
    Moment(String),
    /// An unsupported speed.
    #[error("speed `{0}`: expected 0.25, 0.5, 1, 2, 4, 8, 16, 32 or 64")]
    Speed(String),
    /// A command that does not exist.
    #[error("there is no command {seq}: the last one is {last}")]
    NoCommand {
        /// The requested command.
        seq: u64,
        /// The last command.
        last: u64,
    },
    /// A time after the end.
    #[error("{} is after the end, which is at {}", clock(*.time), clock(*.end))]
    AfterEnd {
        /// The requested time.
        time: Micros,
        /// The time of the end.
        end: Micros,
    },
    /// A range that ends before it starts.
    #[error("the range ends ({}) before it begins ({})", clock(*.to), clock(*.from))]
    Backwards {
        /// The time of the start.
        from: Micros,
        /// The time of the end.
        to: Micros,
    },
    /// An unsupported number of frames per second.
    #[error("{0} frames a second: expected 1 to {FPS_MAX}")]
    Fps(u32),
    /// Frames too large for a range.
    #[error("{0} is too large for frames: at most {FRAME_PIXELS_MAX} pixels in all, as in 2560x1440")]
    LargeFrames(Size),
    /// A range with too many frames.
    #[error(
        "more than {FRAMES_MAX} frames: take a shorter range, fewer frames a second (--fps) or a higher speed (--speed)"
    )]
    ManyFrames,
    /// A file that became too large.
    #[error("the file would be larger than {} MB: take a smaller size or a shorter range", BYTES_MAX >> 20)]
    ManyBytes,
    /// A part of the match that is no longer in memory.
    #[error(
        "commands {from} to {to} are not here: go there once, so that they are fetched, and export again"
    )]
    Missing {
        /// The first missing command.
        from: u64,
        /// The last missing command.
        to: u64,
    },
    /// The file can't be written.
    #[error("{0}")]
    Write(#[from] std::io::Error),
}

/// A time in the usual notation: `1:05.5`.
fn clock(time: Micros) -> String {
    let tenths = time.0 / 100_000;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A moment of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The start of the match: its [set-up](Log::opening), the first picture with a whole board.
    Start,
    /// After a command.
    Seq(u64),
    /// A time since the start.
    Time(Micros),
    /// After the last command.
    End,
}

impl FromStr for Moment {
    type Err = ExportError;

    fn from_str(text: &str) -> Result<Moment, ExportError> {
        let error = || ExportError::Moment(shortened(text));
        let text = text.trim();
        match text {
            "start" => return Ok(Moment::Start),
            "end" => return Ok(Moment::End),
            _ if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                return text.parse().ok().map(Moment::Seq).ok_or_else(error);
            }
            _ => {}
        }
        let bare = text.strip_suffix('s').unwrap_or(text);
        let mut total: u64 = 0;
        let parts: Vec<&str> = bare.split(':').collect();
        if parts.len() > 3 || text.len() > 40 {
            return Err(error());
        }
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == parts.len();
            let value: Micros = part.parse().ok().ok_or_else(error)?;
            let whole = value.0.is_multiple_of(1_000_000) && !part.contains('.');
            let most = if index == 0 { u64::MAX } else { 59_999_999 };
            if value.0 > most || !(last || whole) {
                return Err(error());
            }
            total = total.checked_mul(60).and_then(|t| t.checked_add(value.0)).ok_or_else(error)?;
        }
        if total > Micros::MAX.0 { Err(error()) } else { Ok(Moment::Time(Micros(total))) }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Start => f.write_str("start"),
            Moment::End => f.write_str("end"),
            Moment::Seq(seq) => write!(f, "{seq}"),
            Moment::Time(time) => {
                let (secs, micros) = (time.0 / 1_000_000, time.0 % 1_000_000);
                write!(f, "{}:{:02}", secs / 60, secs % 60)?;
                if micros == 0 {
                    return Ok(());
                }
                f.write_str(format!(".{micros:06}").trim_end_matches('0'))
            }
        }
    }
}

impl Moment {
    /// The last command of the picture; of a moment past the end, the last one of all.
    pub fn seq(self, log: &Log) -> u64 {
        match self {
            Moment::Start => log.opening(),
            Moment::Seq(seq) => seq.min(log.last_seq()),
            Moment::Time(time) => log.seq_at(time),
            Moment::End => log.last_seq(),
        }
    }

    /// A paused playback at this moment.
    pub(super) fn find(self, log: &Log) -> Result<Playback, ExportError> {
        let mut playback = Playback::new(log);
        playback.pause();
        match self {
            Moment::Start => playback.seek_start(log),
            Moment::End => playback.seek_time(log, log.end_time()),
            Moment::Seq(seq) if seq > log.last_seq() => {
                return Err(ExportError::NoCommand { seq, last: log.last_seq() });
            }
            Moment::Seq(seq) => playback.seek_seq(log, seq),
            Moment::Time(time) if time > log.end_time() => {
                return Err(ExportError::AfterEnd { time, end: log.end_time() });
            }
            Moment::Time(time) => playback.seek_time(log, time),
        }
        playback.pause();
        Ok(playback)
    }
}

/// The speed with this factor, such as 0.5 or 2.
///
/// # Errors
/// [`ExportError::Speed`] when no speed has this factor.
pub fn speed(text: &str) -> Result<Speed, ExportError> {
    let bare = text.trim().trim_end_matches(['x', '×']);
    let number: Option<f32> = bare.parse().ok();
    let found = Speed::ALL.into_iter().find(|speed| Some(speed.factor()) == number);
    found.ok_or_else(|| ExportError::Speed(shortened(text)))
}

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A moment as pixels.
    Png,
    /// A moment as shapes.
    Svg,
    /// A range in 256 colours, which every program shows.
    Gif,
    /// A range in all colours. Programs that support only plain PNG show its first frame.
    Apng,
}

impl Format {
    /// The form for the extension of a file name: .png, .svg, .gif or .apng.
    pub fn of_name(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(Format::Png),
            "svg" => Some(Format::Svg),
            "gif" => Some(Format::Gif),
            "apng" => Some(Format::Apng),
            _ => None,
        }
    }

    /// Whether the form shows a range.
    pub fn moves(self) -> bool {
        matches!(self, Format::Gif | Format::Apng)
    }

    /// The extension of a file name.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Svg => "svg",
            Format::Gif => "gif",
            // Programs that choose by file name open this extension.
            Format::Apng => "png",
        }
    }
}

/// The appearance of a picture: everything it shows besides the match.
#[derive(Debug, Clone)]
pub struct Look {
    /// Whether the colours of the light theme are used.
    pub light: bool,
    /// The display options of the board.
    pub options: BoardOptions,
    /// The players whose drawings are hidden.
    pub hidden: Hidden,
    /// The visible part of the board. `None` is the whole board.
    pub part: Option<VisiblePart>,
}

/// An optional element on boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// The names of rows and columns.
    Coordinates,
    /// The name of every place, shown on the place.
    Labels,
    /// The numbers of moves.
    Numbers,
    /// The moves that players expect.
    Thoughts,
    /// The drawings of bots.
    Overlays,
}

impl Look {
    /// The dark theme with the defaults of the window.
    pub fn dark() -> Look {
        Look { light: false, options: BoardOptions::default(), hidden: Hidden::default(), part: None }
    }

    /// The light theme with the defaults of the window.
    pub fn light() -> Look {
        Look { light: true, ..Look::dark() }
    }

    /// The same appearance with one element shown or hidden.
    #[must_use]
    pub fn with(mut self, extra: Extra, shown: bool) -> Look {
        let options = &mut self.options;
        *match extra {
            Extra::Coordinates => &mut options.coordinates,
            Extra::Labels => &mut options.labels,
            Extra::Numbers => &mut options.numbers,
            Extra::Thoughts => &mut options.thoughts,
            Extra::Overlays => &mut options.overlays,
        } = shown;
        self
    }
}

/// A range, and how it is played.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// The start of the range.
    pub from: Moment,
    /// The end of the range.
    pub to: Moment,
    /// The number of frames per second.
    pub fps: u32,
    /// The speed at which the match is played.
    pub speed: Speed,
    /// The part of an idle period that is shown, at most, in time of the match. `None` shows all of it.
    pub idle: Option<Micros>,
}

impl Default for Range {
    fn default() -> Range {
        Range {
            from: Moment::Start,
            to: Moment::End,
            fps: 20,
            speed: Speed::X1,
            idle: Some(Micros(2_000_000)),
        }
    }
}

/// A complete export request.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The form, with the moment or range.
    pub what: What,
    /// The size of the picture.
    pub size: Size,
    /// The appearance of the picture.
    pub look: Look,
}

/// A moment or a range, and its form.
#[derive(Debug, Clone, Copy)]
pub enum What {
    /// A moment as pixels.
    Png(Moment),
    /// A moment as shapes.
    Svg(Moment),
    /// A range in 256 colours.
    Gif(Range),
    /// A range in all colours.
    Apng(Range),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_commands_or_times() {
        let moment = |text: &str| text.parse::<Moment>().ok();
        let secs = |secs: f64| Some(Moment::Time(Micros::from_secs_f64(secs).expect("a time")));
        assert_eq!(moment("120"), Some(Moment::Seq(120)));
        assert_eq!(moment("65.5"), secs(65.5));
        assert_eq!(moment("65s"), secs(65.0));
        assert_eq!(moment("1:05.5"), secs(65.5));
        assert_eq!(moment("1:00:05"), secs(3605.0));
        assert_eq!((moment("start"), moment("end")), (Some(Moment::Start), Some(Moment::End)));
        for wrong in
            ["", "x", "1:60", "1:2:3:4", "-1", "1.5:00", "99999999999999999999", "1:", "s", "1e3", "5:-1"]
        {
            assert_eq!(moment(wrong), None, "{wrong}");
        }
        for written in ["start", "end", "120", "1:05.5", "0:00.25"] {
            assert_eq!(moment(written).map(|moment| moment.to_string()).as_deref(), Some(written));
        }
    }

    #[test]
    fn sizes_have_limits() {
        let size = |text: &str| text.parse::<Size>().map(|size| (size.width, size.height)).ok();
        assert_eq!(size("640x480"), Some((640, 480)));
        assert_eq!(size("4096×64"), Some((4096, 64)));
        for wrong in ["", "640", "640x", "x480", "63x100", "5000x100", "0x0", "-5x7", "640x480x2"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn speeds_are_those_of_the_window() {
        assert_eq!(speed("0.25").ok(), Some(Speed::Quarter));
        assert_eq!(speed("16x").ok(), Some(Speed::X16));
        for wrong in ["", "3", "0", "-1", "NaN", "inf"] {
            assert!(speed(wrong).is_err(), "{wrong}");
        }
    }
}
