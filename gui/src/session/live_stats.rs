//! Statistics of a live match, polled from the server: the number of spectators and the time of an answer.

use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::Summary;

use super::Session;
use crate::address::Target;
use crate::source::{self, Connection, Refused};

/// Interval of polling, in seconds.
const EVERY: f64 = 10.0;

/// Last request and its result.
#[derive(Debug, Default)]
pub(super) struct LiveStats {
    /// Time of the last answer, in seconds.
    trip: Option<f64>,
    /// Time of the last request, and the pending answer.
    asked: Option<f64>,
    answer: Option<Receiver<Result<String, Refused>>>,
}

impl Session {
    /// Delay of a live match's last command, from the server to the picture, in seconds.
    pub(crate) fn delay_secs(&self) -> Option<f64> {
        Some(self.delay.late_secs()? + self.live_stats.trip? / 2.0)
    }

    /// Polls the server, and takes its answer.
    pub(super) fn update_live_stats(&mut self) {
        let Target::Match { base, id, .. } = &self.view.target else { return };
        if !self.is_live() || !matches!(self.connection, Some((Connection::Connected, _))) {
            return;
        }
        let asked = *self.live_stats.asked.get_or_insert(self.view.now());
        match self.live_stats.answer.as_ref().map(Receiver::try_recv) {
            None if self.view.now() - asked >= EVERY => {
                self.live_stats.asked = Some(self.view.now());
                self.live_stats.answer = Some(source::get(base, &format!("api/matches/{id}")));
            }
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Err(TryRecvError::Disconnected)) => self.live_stats.answer = None,
            Some(Ok(answer)) => {
                self.live_stats.answer = None;
                if let Ok(text) = answer
                    && let Ok(summary) = serde_json::from_str::<Summary>(&text)
                {
                    self.live_stats.trip = Some(self.view.now() - asked);
                    self.view.about.spectators = Some(summary.spectators);
                }
            }
        }
    }
}
