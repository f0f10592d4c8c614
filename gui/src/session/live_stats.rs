//! How late the picture of a live match is, and how many watch it.
//!
//! A command carries its time in the match, by the clock of the server, which began at a moment that a spectator does not
//! know. But no command comes before it happened: the one that came fastest was under way for as long as a message takes,
//! half of the time in which the server answers a question, and what comes later than that one did is late by the
//! difference.

use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::{Micros, Summary};

use super::Session;
use crate::address::Target;
use crate::source::{self, Connection, Refused};

/// How often the server is asked how many watch, in seconds.
const EVERY: f64 = 10.0;

/// What is known of the connection to a live match.
#[derive(Debug, Default)]
pub(super) struct LiveStats {
    /// The least of the times of arrival, each less the time of its command in the match, in seconds.
    fastest: Option<f64>,
    /// By how much the last one was later than the fastest, in seconds.
    late: Option<f64>,
    /// How long the server took to answer, in seconds.
    trip: Option<f64>,
    /// When it was asked last, and the answer.
    asked: Option<f64>,
    answer: Option<Receiver<Result<String, Refused>>>,
}

impl LiveStats {
    /// Something arrived at `now` that happened at `t`.
    pub(super) fn command_arrived(&mut self, now: f64, t: Micros) {
        let apart = now - t.as_secs_f64();
        let fastest = self.fastest.map_or(apart, |fastest| fastest.min(apart));
        (self.fastest, self.late) = (Some(fastest), Some(apart - fastest));
    }
}

impl Session {
    /// How long the last command of a live match was under way, in seconds: from the server to this picture.
    pub(crate) fn delay_secs(&self) -> Option<f64> {
        Some(self.live_stats.late? + self.live_stats.trip? / 2.0)
    }

    /// Asks the server now and then how many watch, and takes its answer.
    pub(super) fn update_live_stats(&mut self) {
        let Target::Match { base, id, .. } = &self.view.target else { return };
        if !self.is_live() || !matches!(self.view.connection, Some((Connection::Connected, _))) {
            return;
        }
        let asked = *self.live_stats.asked.get_or_insert(self.view.now);
        match self.live_stats.answer.as_ref().map(Receiver::try_recv) {
            None if self.view.now - asked >= EVERY => {
                self.live_stats.asked = Some(self.view.now);
                self.live_stats.answer = Some(source::get(base, &format!("api/matches/{id}")));
            }
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Err(TryRecvError::Disconnected)) => self.live_stats.answer = None,
            Some(Ok(answer)) => {
                self.live_stats.answer = None;
                if let Ok(text) = answer
                    && let Ok(summary) = serde_json::from_str::<Summary>(&text)
                {
                    self.live_stats.trip = Some(self.view.now - asked);
                    self.view.about.spectators = Some(summary.spectators);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_later_than_the_fastest_is_late() {
        let mut live_stats = LiveStats::default();
        for (now, t, late) in [(100.0, 0, 0.0), (100.1, 5, 0.0), (101.6, 6, 0.5), (102.1, 7, 0.0)] {
            live_stats.command_arrived(now, Micros(t * 1_000_000));
            let found = live_stats.late.unwrap_or(f64::NAN);
            assert!((found - late).abs() < 1e-9, "{found} at {now}");
        }
    }
}
