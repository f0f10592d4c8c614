//! Plan of an export: of which moments, how large, in which form; and what is wrong with that.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use grandstand_board::VisiblePart;
use grandstand_board::pixels::{Size, SizeError};
use grandstand_board::{Hidden, Options};
use grandstand_protocol::Micros;
use grandstand_replays::{Log, Playback, Speed};

/// The largest frame of a range, in pixels.
pub const FRAME_PIXELS_MAX: u64 = 2_560 * 1_440;
/// The most frames of a range, counted before equal ones become one.
pub const FRAMES_MAX: u64 = 20_000;
/// The most bytes of a file.
pub const BYTES_MAX: u64 = 512 << 20;
/// The most frames in a second: viewers play what is faster slowly.
pub const FPS_MAX: u32 = 50;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A size that is none, or one that is not made.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A moment that is none.
    #[error(
        "moment `{0}`: expected the number of a command (120), a time (1:05.5 or 65.5s), `start` or `end`"
    )]
    Moment(String),
    /// A speed that is not played at.
    #[error("speed `{0}`: expected 0.25, 0.5, 1, 2, 4, 8, 16, 32 or 64")]
    Speed(String),
    /// A command that there is not.
    #[error("there is no command {seq}: the last one is {last}")]
    NoCommand {
        /// The command that was asked for.
        seq: u64,
        /// The last one.
        last: u64,
    },
    /// A time after the end.
    #[error("{} is after the end, which is at {}", clock(*.time), clock(*.end))]
    AfterEnd {
        /// The time that was asked for.
        time: Micros,
        /// The end.
        end: Micros,
    },
    /// A range that ends before it begins.
    #[error("the range ends ({}) before it begins ({})", clock(*.to), clock(*.from))]
    Backwards {
        /// The time of the beginning.
        from: Micros,
        /// The time of the end.
        to: Micros,
    },
    /// So many frames a second are not made.
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
    /// A part of the match that is not in memory any more.
    #[error(
        "commands {from} to {to} are not here: go there once, so that they are fetched, and export again"
    )]
    Missing {
        /// The first command that is missing.
        from: u64,
        /// The last one.
        to: u64,
    },
    /// The file can't be written.
    #[error("{0}")]
    Write(#[from] std::io::Error),
}

/// A time as people write it: `1:05.5`.
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
    /// Before its first command.
    Start,
    /// After a command.
    Seq(u64),
    /// A time since it began.
    Time(Micros),
    /// After its last command.
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
    /// Puts the playback there, where it stands.
    pub(super) fn find(self, log: &Log) -> Result<Playback, ExportError> {
        let mut playback = Playback::new(log);
        playback.pause();
        match self {
            Moment::Start => playback.seek_seq(log, 0),
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

/// A speed by its number: 0.5, 2.
///
/// # Errors
/// [`ExportError::Speed`] for one at which nothing is played.
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
    /// A range in 256 colours, which everything shows.
    Gif,
    /// A range in all colours; what knows only PNG shows its first frame.
    Apng,
}

impl Format {
    /// The form that a file's name asks for: .png, .svg, .gif or .apng.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(Format::Png),
            "svg" => Some(Format::Svg),
            "gif" => Some(Format::Gif),
            "apng" => Some(Format::Apng),
            _ => None,
        }
    }

    /// Whether it shows a range.
    #[must_use]
    pub fn moves(self) -> bool {
        matches!(self, Format::Gif | Format::Apng)
    }

    /// The end of a file's name.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Svg => "svg",
            Format::Gif => "gif",
            // What opens files by their names knows this one.
            Format::Apng => "png",
        }
    }
}

/// What a picture shows besides the match.
#[derive(Debug, Clone)]
pub struct Look {
    /// In the colours of the light theme.
    pub light: bool,
    /// What is seen on the board.
    pub options: Options,
    /// Whose drawings are not shown.
    pub hidden: Hidden,
    /// The part of the board that is shown; `None` for all of it.
    pub part: Option<VisiblePart>,
}

/// Something that is shown on boards or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// The names of rows and columns.
    Coordinates,
    /// The name of every place, on it.
    Labels,
    /// The numbers of moves.
    Numbers,
    /// The moves that players expect.
    Thoughts,
    /// What bots draw.
    Overlays,
}

impl Look {
    /// As the window is until the viewer says otherwise, in the dark.
    #[must_use]
    pub fn dark() -> Look {
        Look { light: false, options: Options::default(), hidden: Hidden::default(), part: None }
    }

    /// As the window is until the viewer says otherwise, in the light.
    #[must_use]
    pub fn light() -> Look {
        Look { light: true, ..Look::dark() }
    }

    /// The same with something shown or not.
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

/// A range and how it goes by.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Where it begins.
    pub from: Moment,
    /// Where it ends.
    pub to: Moment,
    /// Frames in a second.
    pub fps: u32,
    /// How fast the match is played.
    pub speed: Speed,
    /// Of a time in which nothing happens so much is shown, in time of the match; `None` for all of it.
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

/// Everything that is asked for.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The form.
    pub what: What,
    /// How large.
    pub size: Size,
    /// In which colours.
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
