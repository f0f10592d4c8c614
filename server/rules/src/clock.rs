//! Clocks of turn games: how long each side may think, and whether it did in time. Nothing here knows what time it is:
//! `now` is an argument, counted from any fixed moment.
//!
//! ```
//! use std::time::Duration;
//! use grandstand_rules::clock::{Clock, TimeControl};
//! use grandstand_rules::turn::Side;
//!
//! let mut clock = Clock::new("5m+2s/30s".parse()?)?;
//! clock.start(Side::First, Duration::ZERO);
//! assert_eq!(clock.stop(Duration::from_secs(20)), Ok(Duration::from_secs(20)));
//! assert_eq!(clock.millis(Side::First, Duration::from_secs(60)), Some(282_000));
//! clock.start(Side::First, Duration::from_secs(60));
//! assert!(clock.stop(Duration::from_secs(90)).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::turn::Side;

/// The longest that any of a time control's times may be: 24 days, which commands can still show.
const MOST_MILLIS: u64 = 24 * 24 * 3_600_000;

/// How long each side may think. In a file it is a text:
/// `TIME`, `TIME+INCREMENT`, either with `/MOVE` behind it, `/MOVE` alone, or `none`; times are numbers
/// with one of the units `h`, `m`, `s` and `ms` (seconds where there is none): `5m`, `10m+5s`, `90s/10s`, `/500ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// What a side has for the whole game; `None` is as long as it likes.
    pub time_millis: Option<u64>,
    /// What it gets for every move made in time, after the move.
    pub increment_millis: u64,
    /// The most that one move may take.
    pub move_millis: Option<u64>,
}

impl Default for TimeControl {
    /// Five minutes a side.
    fn default() -> Self {
        Self { time_millis: Some(300_000), increment_millis: 0, move_millis: None }
    }
}

/// Why nobody can play by a time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeControlError {
    /// A clock that has run out before the first move.
    #[error("{0} is zero; expected at least 1 ms, or `none` for no limit")]
    Zero(&'static str),
    /// Longer than 24 days.
    #[error("{what} is {millis} ms; expected at most 24 days ({MOST_MILLIS} ms)")]
    TooLong {
        /// Which of the times.
        what: &'static str,
        /// What it was set to.
        millis: u64,
    },
    /// An increment of a time without end.
    #[error("an increment without a time for the game; expected `TIME+INCREMENT`")]
    IncrementOfNothing,
    /// The text is not a time control.
    #[error("`{0}` is not a time control; expected `none`, `5m`, `5m+3s`, `5m+3s/30s` or `/500ms`")]
    Unreadable(String),
}

const TIME: &str = "the time of a side";
const MOVE: &str = "the time for a move";

impl TimeControl {
    /// No limit at all.
    pub const NONE: TimeControl = TimeControl { time_millis: None, increment_millis: 0, move_millis: None };

    /// Whether a game can be played by it.
    ///
    /// # Errors
    /// The first of its times that is wrong: a zero (a side would have lost before its first move), more than 24 days, an
    /// increment without a time.
    pub fn validate(&self) -> Result<(), TimeControlError> {
        for (what, millis) in [(TIME, self.time_millis), (MOVE, self.move_millis)] {
            if millis == Some(0) {
                return Err(TimeControlError::Zero(what));
            }
        }
        let times = [
            (TIME, self.time_millis),
            ("the increment", Some(self.increment_millis)),
            (MOVE, self.move_millis),
        ];
        for (what, millis) in times {
            if let Some(millis) = millis.filter(|&millis| millis > MOST_MILLIS) {
                return Err(TimeControlError::TooLong { what, millis });
            }
        }
        if self.increment_millis > 0 && self.time_millis.is_none() {
            return Err(TimeControlError::IncrementOfNothing);
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let text = text.trim();
        if text == "none" {
            return Ok(Self::NONE);
        }
        let read = || {
            let (game, per_move) = match text.split_once('/') {
                Some((game, per_move)) => (game, Some(per_move)),
                None => (text, None),
            };
            let (time, increment) = match game.split_once('+') {
                Some((time, increment)) => (time, read_millis(increment)?),
                None => (game, 0),
            };
            let time_millis =
                if time.is_empty() && per_move.is_some() { None } else { Some(read_millis(time)?) };
            let move_millis = per_move.map_or(Some(None), |text| read_millis(text).map(Some))?;
            Some(Self { time_millis, increment_millis: increment, move_millis })
        };
        let control = read().ok_or_else(|| {
            let shown = text.chars().take(40).flat_map(char::escape_debug).collect();
            TimeControlError::Unreadable(shown)
        })?;
        control.validate()?;
        Ok(control)
    }
}

/// A number with at most three decimals and a unit, in milliseconds; parts of one are dropped.
fn read_millis(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "h" => 3_600_000,
        "m" => 60_000,
        "s" | "" => 1_000,
        "ms" => 1,
        _ => return None,
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let number = |digits: &str| -> Option<u64> {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    if part.len() > 3 {
        return None;
    }
    let part = number(part)? * unit / 10_u64.pow(part.len() as u32);
    number(whole)?.checked_mul(unit)?.checked_add(part)
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.write_str("none");
        }
        if let Some(millis) = self.time_millis {
            write_millis(f, millis)?;
        }
        if self.increment_millis > 0 {
            f.write_str("+")?;
            write_millis(f, self.increment_millis)?;
        }
        if let Some(millis) = self.move_millis {
            f.write_str("/")?;
            write_millis(f, millis)?;
        }
        Ok(())
    }
}

fn write_millis(f: &mut fmt::Formatter<'_>, millis: u64) -> fmt::Result {
    let units = [(3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let whole = units.into_iter().find(|(unit, _)| millis > 0 && millis.is_multiple_of(*unit));
    let (unit, name) = whole.unwrap_or((1, "ms"));
    write!(f, "{}{name}", millis / unit)
}

/// The clocks of the two sides. At most one of them runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    /// Of the whole game; means nothing where the game has no limit. Negative once overstepped.
    left_micros: [i64; 2],
    running: Option<(Side, Duration)>,
}

/// A side took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub struct TimeOut {
    /// Whose clock it was.
    pub side: Side,
    /// What it took for this move.
    pub took: Duration,
    /// What it had to stay below.
    pub allowed: Duration,
    /// Whether that was the limit for one move and not the rest of the game's time.
    pub per_move: bool,
}

impl fmt::Display for TimeOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (took, allowed) = (self.took.as_secs_f64(), self.allowed.as_secs_f64());
        let why = if self.per_move { "which a move may take" } else { "which were left" };
        write!(f, "took {took:.3} s of the {allowed:.3} s {why}")
    }
}

impl Clock {
    /// Both clocks stopped, with all of their time.
    ///
    /// # Errors
    /// What [`TimeControl::validate`] finds.
    pub fn new(control: TimeControl) -> Result<Self, TimeControlError> {
        control.validate()?;
        let micros = control.time_millis.unwrap_or(0) as i64 * 1_000;
        Ok(Self { control, left_micros: [micros; 2], running: None })
    }

    /// What the clocks go by.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts the clock of the side whose turn it is; a clock that runs is stopped first, and its side gets no increment.
    pub fn start(&mut self, side: Side, now: Duration) {
        if let Some((running, since)) = self.running {
            let left = &mut self.left_micros[running.index()];
            *left = left.saturating_sub(micros(now.saturating_sub(since)));
        }
        self.running = Some((side, now));
    }

    /// Stops the clock that runs, at the end of its side's move, and says how long the move took. The increment is added.
    /// Where no clock runs, nothing happens and no time was taken.
    ///
    /// # Errors
    /// No time is left: this side has lost, whatever its move was. A move that takes exactly the time that was left is
    /// too late.
    pub fn stop(&mut self, now: Duration) -> Result<Duration, TimeOut> {
        let Some((side, since)) = self.running.take() else { return Ok(Duration::ZERO) };
        let took = now.saturating_sub(since);
        let limit = self.limit(side);
        let left = &mut self.left_micros[side.index()];
        *left = left.saturating_sub(micros(took));
        match limit {
            Some((allowed, per_move)) if took >= allowed => Err(TimeOut { side, took, allowed, per_move }),
            _ => {
                *left += self.control.increment_millis as i64 * 1_000;
                Ok(took)
            }
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// The moment at which the side whose clock runs has no time left; `None` when it may take for ever.
    pub fn deadline(&self) -> Option<Duration> {
        let (side, since) = self.running?;
        self.limit(side).map(|(allowed, _)| since.saturating_add(allowed))
    }

    /// What a clock shows, in milliseconds: what is left of the game's time or, where only moves are limited, of the
    /// time for this move; negative when overstepped. `None` when there is no limit.
    pub fn millis(&self, side: Side, now: Duration) -> Option<i64> {
        let taken = match self.running {
            Some((running, since)) if running == side => micros(now.saturating_sub(since)),
            _ => 0,
        };
        let left = match (self.control.time_millis, self.control.move_millis) {
            (Some(_), _) => self.left_micros[side.index()],
            (None, Some(millis)) => millis as i64 * 1_000,
            (None, None) => return None,
        };
        Some(left.saturating_sub(taken).div_euclid(1_000))
    }

    /// The clocks change sides with their players, as after a swap of colours.
    pub fn swap(&mut self) {
        self.left_micros.swap(0, 1);
        if let Some((side, _)) = &mut self.running {
            *side = side.opponent();
        }
    }

    /// What a side's next move must stay below, and whether that is the limit for one move.
    fn limit(&self, side: Side) -> Option<(Duration, bool)> {
        let game = self.control.time_millis.map(|_| {
            let left = self.left_micros[side.index()].max(0);
            (Duration::from_micros(left as u64), false)
        });
        let per_move = self.control.move_millis.map(|millis| (Duration::from_millis(millis), true));
        game.into_iter().chain(per_move).min()
    }
}

/// A time in microseconds; a very long one is some centuries.
fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 4)
}
