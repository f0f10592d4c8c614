//! The clocks of the players.

use serde::{Deserialize, Serialize};

use crate::time::Micros;

/// What a team's clock shows from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clock<T> {
    /// Whose clock it is.
    pub team: T,
    /// Milliseconds that are left; negative when the time was overstepped.
    pub millis: i32,
    /// Whether it counts down.
    pub running: bool,
}

/// A clock as it was last set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockFace {
    /// Milliseconds that were left then; negative when the time was overstepped.
    pub millis: i32,
    /// Whether it counts down.
    pub running: bool,
    /// When it was set.
    pub t: Micros,
}

impl ClockFace {
    /// Milliseconds that are left at a later time.
    #[must_use]
    pub fn left(&self, t: Micros) -> i64 {
        let gone = if self.running { t.0.saturating_sub(self.t.0) / 1000 } else { 0 };
        i64::from(self.millis).saturating_sub_unsigned(gone)
    }
}
