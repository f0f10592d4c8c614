//! Statistics of a live match that a server is asked for now and then: how many watch it, and how long an answer takes.

use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::Summary;

use super::Session;
use crate::address::Target;
use crate::source::{self, Connection, Refused};

/// How often the server is asked how many watch, in seconds.
const EVERY: f64 = 10.0;

/// What the server was asked, and its answers.
#[derive(Debug, Default)]
pub(super) struct LiveStats {
    /// How long the server took to answer, in seconds.
    trip: Option<f64>,
    /// When it was asked last, and the answer.
    asked: Option<f64>,
    answer: Option<Receiver<Result<String, Refused>>>,
}

impl Session {
    /// How long the last command of a live match was under way, in seconds: from the server to this picture.
    pub(crate) fn delay_secs(&self) -> Option<f64> {
        Some(self.delay.late_secs()? + self.live_stats.trip? / 2.0)
    }

    /// Asks the server now and then how many watch, and takes its answer.
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
