//! Clocks of the players.

use serde::{Deserialize, Serialize};

use crate::time::Micros;

/// A command that sets a team's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clock<T> {
    /// The clock's team.
    pub team: T,
    /// The remaining milliseconds; negative after the time is exceeded.
    pub millis: i32,
    /// Whether the clock is running.
    pub running: bool,
}

/// A clock as it was last set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockFace {
    /// The remaining milliseconds at that time; negative after the time is exceeded.
    pub millis: i32,
    /// Whether the clock is running.
    pub running: bool,
    /// The time at which the clock was set.
    pub t: Micros,
}

impl ClockFace {
    /// The remaining milliseconds at a later time.
    pub fn left(&self, t: Micros) -> i64 {
        let gone = if self.running { t.0.saturating_sub(self.t.0) / 1000 } else { 0 };
        i64::from(self.millis).saturating_sub_unsigned(gone)
    }
}
