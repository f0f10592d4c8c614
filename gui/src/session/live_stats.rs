//! Statistics of a live match, polled from the server: the number of spectators and the time of an answer.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use grandstand_protocol::MatchSummary;

use super::Session;
use crate::address::Target;
use crate::source::{self, Connection, Refused};

/// Interval of polling, in seconds.
const EVERY: f64 = 10.0;

/// Answer of the server to one request, with the time that it took.
type Answer = (Result<String, Refused>, Duration);

/// Last request and its result.
#[derive(Debug, Default)]
pub(super) struct LiveStats {
    /// Time of the last answer, from the request to its end.
    trip: Option<Duration>,
    /// Time of the last request in seconds of the interface, and the pending answer.
    asked: Option<f64>,
    answer: Option<Receiver<Answer>>,
}

impl LiveStats {
    /// Takes an answer that has arrived; returns the number of spectators.
    fn take(&mut self) -> Option<u64> {
        let answer = match self.answer.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => None,
            Ok(answer) => Some(answer),
        };
        self.answer = None;
        let (answer, took) = answer?;
        let summary: MatchSummary = serde_json::from_str(&answer.ok()?).ok()?;
        self.trip = Some(took);
        Some(summary.spectators)
    }
}

impl Session {
    /// Delay of a live match's last command, from the server to the picture, in seconds.
    pub(crate) fn delay_secs(&self) -> Option<f64> {
        Some(self.delay.late_secs()? + self.live_stats.trip?.as_secs_f64() / 2.0)
    }

    /// Polls the server, and takes its answer.
    pub(super) fn update_live_stats(&mut self) {
        let Target::Match { base, id, .. } = &self.view.target else { return };
        if !self.is_live() || !matches!(self.connection, Some((Connection::Connected, _))) {
            return;
        }
        let now = self.view.now();
        let asked = *self.live_stats.asked.get_or_insert(now);
        if self.live_stats.answer.is_none() && now - asked >= EVERY {
            self.live_stats.asked = Some(now);
            self.live_stats.answer = Some(source::get_timed(base, &format!("api/matches/{id}")));
        }
        if let Some(spectators) = self.live_stats.take() {
            self.view.about.spectators = Some(spectators);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn the_time_of_an_answer_is_that_of_its_request_not_of_the_frame_that_takes_it() {
        let (sender, answers) = channel();
        let mut stats = LiveStats { answer: Some(answers), ..LiveStats::default() };
        assert_eq!((stats.take(), stats.trip), (None, None));
        let summary = r#"{"id":"m","game":"abalone","title":"","teams":[],"state":"live","started":"","seq":1,"spectators":3,"result":null}"#;
        let took = Duration::from_millis(40);
        sender.send((Ok(summary.to_owned()), took)).expect("it is received");
        assert_eq!((stats.take(), stats.trip), (Some(3), Some(took)));
        // A failure leaves the last known time.
        let (sender, answers) = channel();
        stats.answer = Some(answers);
        sender.send((Err(Refused::silent("x")), Duration::from_secs(9))).expect("it is received");
        assert_eq!((stats.take(), stats.trip), (None, Some(took)));
        assert!(stats.answer.is_none());
    }
}
