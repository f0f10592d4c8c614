//! Clocks of turn games: the time of each side, and the detection of timeouts. No clock is read here:
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

/// The maximum of each time in a time control: 24 days, which commands can still represent.
const MOST_MILLIS: u64 = 24 * 24 * 3_600_000;

/// The time that each side has. In a file it is a text:
/// `TIME`, `TIME+INCREMENT`, either of them followed by `/MOVE`, `/MOVE` alone, or `none`; times are numbers
/// with one of the units `h`, `m`, `s` and `ms` (seconds without a unit): `5m`, `10m+5s`, `90s/10s`, `/500ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The time of a side for the whole game; `None` for no limit.
    pub time_millis: Option<u64>,
    /// The time added after every move made in time.
    pub increment_millis: u64,
    /// The maximal time for one move; `None` for no limit.
    pub move_millis: Option<u64>,
}

impl Default for TimeControl {
    /// Five minutes a side.
    fn default() -> Self {
        Self { time_millis: Some(300_000), increment_millis: 0, move_millis: None }
    }
}

/// The reason why a time control is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeControlError {
    /// A time is zero: the clock would have run out before the first move.
    #[error("{0} is zero; expected at least 1 ms, or `none` for no limit")]
    Zero(&'static str),
    /// A time is longer than 24 days.
    #[error("{what} is {millis} ms; expected at most 24 days ({MOST_MILLIS} ms)")]
    TooLong {
        /// The name of the time.
        what: &'static str,
        /// Its value.
        millis: u64,
    },
    /// There is an increment, but no time for the game.
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

    /// Checks that a game can be played with this time control.
    ///
    /// # Errors
    /// The first invalid time: a zero (a side would have lost before its first move), more than 24 days, or an
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

/// Parses a number with at most three decimals and a unit into milliseconds; fractions of a millisecond are dropped.
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
    /// The remaining time of the whole game, meaningless if the game has no limit. Negative after a timeout.
    left_micros: [i64; 2],
    running: Option<(Side, Duration)>,
}

/// A timeout: a side took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub struct TimeOut {
    /// The side whose clock ran out.
    pub side: Side,
    /// The time that this move took.
    pub took: Duration,
    /// The limit, which the move reached or exceeded.
    pub allowed: Duration,
    /// Whether the limit was that for one move, and not the rest of the game's time.
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
    /// Two stopped clocks with full time.
    ///
    /// # Errors
    /// The errors of [`TimeControl::validate`].
    pub fn new(control: TimeControl) -> Result<Self, TimeControlError> {
        control.validate()?;
        let micros = control.time_millis.unwrap_or(0) as i64 * 1_000;
        Ok(Self { control, left_micros: [micros; 2], running: None })
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts the clock of the side to move; a running clock is stopped first, and its side gets no increment.
    pub fn start(&mut self, side: Side, now: Duration) {
        if let Some((running, since)) = self.running {
            let left = &mut self.left_micros[running.index()];
            *left = left.saturating_sub(micros(now.saturating_sub(since)));
        }
        self.running = Some((side, now));
    }

    /// Stops the running clock at the end of its side's move and returns the time that the move took. The increment is added.
    /// If no clock runs, nothing happens and the time is zero.
    ///
    /// # Errors
    /// [`TimeOut`] if no time is left: the side has lost, independently of its move. A move that takes exactly the
    /// remaining time is too late.
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

    /// The side whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// The moment at which the running clock has no time left; `None` without a running clock or a limit.
    pub fn deadline(&self) -> Option<Duration> {
        let (side, since) = self.running?;
        self.limit(side).map(|(allowed, _)| since.saturating_add(allowed))
    }

    /// The display of a clock in milliseconds: the remaining time of the game or, if only moves are limited, of
    /// this move; negative after a timeout. `None` if there is no limit.
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

    /// Exchanges the clocks of the sides, as after a swap of colours, so that each player keeps the clock.
    pub fn swap(&mut self) {
        self.left_micros.swap(0, 1);
        if let Some((side, _)) = &mut self.running {
            *side = side.opponent();
        }
    }

    /// The limit of a side's next move, and whether that is the limit for one move.
    fn limit(&self, side: Side) -> Option<(Duration, bool)> {
        let game = self.control.time_millis.map(|_| {
            let left = self.left_micros[side.index()].max(0);
            (Duration::from_micros(left as u64), false)
        });
        let per_move = self.control.move_millis.map(|millis| (Duration::from_millis(millis), true));
        game.into_iter().chain(per_move).min()
    }
}

/// A duration in microseconds, with a maximum of some 73,000 years.
fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 4)
}
