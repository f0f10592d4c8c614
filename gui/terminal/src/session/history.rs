//! What a live match had before somebody came, or while the connection was slow, fetched over HTTP from its server.

use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::Message;
use grandstand_source::address::Target;
use grandstand_source::{Refused, Update, get};
use serde_json::value::RawValue;

use super::{LOG_BYTES, Session};

/// How many commands are asked for at once.
const STRETCH: u64 = 4_000;
/// The longest pause after requests that failed, in seconds.
const PAUSE_MAX: f64 = 60.0;

/// What is being fetched.
#[derive(Debug, Default)]
pub(super) struct History {
    request: Option<Receiver<Result<String, Refused>>>,
    /// The first command that was asked for last: when it is still missing afterwards, it will not come.
    asked: Option<u64>,
    failures: i32,
    /// No request before this, in seconds of the interface's time.
    not_before: f64,
    /// The server has no more, or there is no room for it.
    over: bool,
}

impl Session {
    /// Takes an answer, and asks for the first stretch that is missing; whether an answer is waited for.
    pub(super) fn fetch(&mut self) -> bool {
        match self.history.request.as_ref().map(Receiver::try_recv) {
            Some(Err(TryRecvError::Empty)) => return true,
            Some(Ok(Ok(text))) => self.take_stretch(&text),
            Some(Ok(Err(refused))) => self.fetch_failed(refused.status),
            Some(Err(TryRecvError::Disconnected)) => self.fetch_failed(None),
            None => {}
        }
        let Target::Match { base, id, .. } = &self.target else { return false };
        if self.history.over || self.now < self.history.not_before {
            return false;
        }
        let Some(from) = self.log.gaps().first().map(|gap| *gap.start()) else { return false };
        // Beyond that the log drops what is far from the viewer, which would be fetched again and again.
        if self.log.bytes() > LOG_BYTES / 2 || self.history.asked == Some(from) {
            self.history.over = true;
            return false;
        }
        let path = format!("api/matches/{id}/commands?from={from}&to={}", from + STRETCH - 1);
        self.history.asked = Some(from);
        self.history.request = Some(get(base, &path));
        true
    }

    /// Takes in the messages of an answer.
    fn take_stretch(&mut self, text: &str) {
        (self.history.request, self.history.failures) = (None, 0);
        let messages: Vec<Box<RawValue>> = serde_json::from_str(text).unwrap_or_default();
        for message in messages {
            match Message::from_json(Some(self.log.game()), message.get()) {
                Ok(Message::Commands { seq, t, commands }) => {
                    self.apply(Update::Commands { seq, t, commands })
                }
                // Pictures are not asked for, and nothing else belongs there.
                _ => continue,
            }
        }
    }

    /// A request failed, with this HTTP status if there was an answer.
    fn fetch_failed(&mut self, status: Option<u16>) {
        (self.history.request, self.history.asked) = (None, None);
        self.history.failures += 1;
        self.history.not_before = self.now + 2_f64.powi(self.history.failures).min(PAUSE_MAX);
        self.history.over = matches!(status, Some(400..=428));
    }
}
