//! History of a match on a server: what of it is dropped from memory, and which stretch is fetched next.
//!
//! The log of a match that is watched over a connection is kept within the bytes that it was opened with. What is missing in it is fetched in
//! stretches, one request after the other: what the viewer waits for first, then what comes next where the picture is,
//! then what was skipped before the present, so that nothing is lost. A file is read whole, and stays whole.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::{Message, Micros};
use grandstand_replays::playback::State;
use serde_json::value::RawValue;

use super::OpenMatch;
use crate::Refused;
use crate::address::Target;
use crate::get;

/// How many commands are asked for at a time.
const STRETCH: u64 = 2048;
/// So many commands after the picture are there before it comes to them.
const AHEAD: u64 = 4096;
/// So many commands before the picture, and before the present, are fetched whatever the memory.
const BEHIND: u64 = 16_384;
/// After so many guesses where a moment is, the middle of what it may be is tried.
const GUESSES: u32 = 3;
/// The longest pause after a request that failed, in seconds.
const PAUSE_MAX: f64 = 30.0;

/// A stretch of a match that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    from: u64,
    to: u64,
    /// Whether the picture before it is not known.
    scene: bool,
}

/// What is being fetched.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The time that the viewer wants to see, and how often it has been guessed where that is.
    time: Option<(Micros, u32)>,
    /// A line that somebody looked for.
    asked: Cell<Option<u64>>,
    /// The one before it: what came for it stays until somebody has looked at it.
    sought: Option<u64>,
    request: Option<Receiver<Result<String, Refused>>>,
    /// What was asked for last.
    latest: Option<Stretch>,
    /// What came and has not been taken in: messages, in order.
    arrived: VecDeque<Box<RawValue>>,
    failures: u32,
    /// No request before this, in seconds of the interface's time.
    not_before: f64,
}

impl OpenMatch {
    /// Says that a line is looked for: if it is not in memory it is fetched.
    pub fn ask_for(&self, seq: u64) {
        self.history.asked.set(Some(seq));
    }

    /// Whether the viewer waits for something that is being fetched.
    pub fn is_fetching(&self) -> bool {
        let wants = self.wanted.is_some_and(|seq| seq <= self.log.last_seq() && self.is_missing(seq));
        let (seq, last) = (self.playback.seq(), self.log.last_seq());
        let waits = self.playback.state() == State::Playing && seq < last && self.is_missing(seq + 1);
        wants || waits || self.history.time.is_some()
    }

    /// Goes to a time that the log does not know yet, when it has come.
    pub fn want_time(&mut self, time: Option<Micros>) {
        let missing = |time: &Micros| self.log.is_fetched() && self.log.place_at(*time).is_err();
        self.history.time = time.filter(missing).map(|time| (time, 0));
    }

    /// Goes to the moment that was waited for, once it is there; whether it does.
    pub fn go_to_time_that_came(&mut self) -> bool {
        let settled = |time| self.log.place_at(time).is_ok() || !self.log.is_fetched();
        let Some((time, _)) = self.history.time.filter(|(time, _)| settled(*time)) else { return false };
        self.history.time = None;
        self.playback.seek_time(&self.log, time);
        true
    }

    /// Of a match on a server drops what is far from everything that is looked at, if there is too much; whether it dropped
    /// something.
    pub fn trim(&mut self) -> bool {
        if !matches!(self.target, Target::Match { .. }) {
            return false;
        }
        let coming = self.history.latest.map(|stretch| stretch.from);
        let looked_at = [Some(self.playback.seq()), self.wanted, coming, self.history.sought];
        let near: Vec<u64> = [Some(self.log.last_seq())].into_iter().chain(looked_at).flatten().collect();
        self.log.trim(self.log_bytes, &near)
    }

    /// Whether the picture after a command has to be fetched, and can be.
    pub fn is_missing(&self, seq: u64) -> bool {
        self.log.is_fetched() && seq <= self.log.last_seq() && !self.log.knows(seq)
    }

    /// The next message of what was fetched, where there is one.
    pub(super) fn next_fetched(&mut self) -> Option<Message> {
        let text = self.history.arrived.pop_front()?;
        let message = Message::from_json(Some(self.log.game()), text.get()).ok();
        if message.is_none() {
            // Somebody else's server: nothing of it is of use.
            self.history.arrived.clear();
            self.log.set_fetched(false);
        }
        message
    }

    /// Takes an answer, and asks for what is wanted most; whether an answer is waited for.
    pub fn fetch(&mut self) -> bool {
        if !self.history.arrived.is_empty() {
            return true;
        }
        match self.history.request.as_ref().map(Receiver::try_recv) {
            Some(Err(TryRecvError::Empty)) => return true,
            Some(Ok(answer)) => {
                self.take_answer(answer);
                return true;
            }
            Some(Err(TryRecvError::Disconnected)) => self.fetch_failed(None),
            None => {}
        }
        if self.now < self.history.not_before || !self.log.is_fetched() {
            return false;
        }
        let Some(stretch) = self.next_stretch() else { return false };
        if self.history.latest.replace(stretch) == Some(stretch) {
            // It has just come, and is still missing: the answer was another one.
            self.history.latest = None;
            self.fetch_failed(None);
            return false;
        }
        let Target::Match { base, id, .. } = &self.target else { return false };
        let Stretch { from, to, scene } = stretch;
        let scene = if scene { "&scene=1" } else { "" };
        let path = format!("api/matches/{id}/commands?from={from}&to={to}{scene}");
        self.history.request = Some(get(base, &path));
        true
    }

    fn take_answer(&mut self, answer: Result<String, Refused>) {
        let messages = answer.map(|text| serde_json::from_str::<VecDeque<Box<RawValue>>>(&text));
        match messages {
            // An answer with nothing in it comes from a server that has forgotten.
            Ok(Ok(messages)) if !messages.is_empty() => {
                self.history.arrived = messages;
                self.history.failures = 0;
                self.history.request = None;
            }
            Ok(_) => self.fetch_failed(Some(404)),
            Err(refused) => self.fetch_failed(refused.status),
        }
    }

    /// A request failed, with this HTTP status if there was an answer.
    fn fetch_failed(&mut self, status: Option<u16>) {
        (self.history.request, self.history.latest) = (None, None);
        self.history.failures += 1;
        let pause = f64::from(2_u32.saturating_pow(self.history.failures));
        self.history.not_before = self.now + pause.min(PAUSE_MAX);
        if matches!(status, Some(400..=428)) {
            // What is not there will not come: it is passed over, until the server is met anew.
            self.log.set_fetched(false);
        }
    }

    /// The stretch that is wanted most.
    fn next_stretch(&mut self) -> Option<Stretch> {
        let last = self.log.last_seq();
        if let Some((time, guesses)) = &mut self.history.time
            && let Err(guess) = self.log.place_at(*time)
        {
            *guesses += 1;
            let middle = *guesses > GUESSES;
            let gap = self.gap_of(guess)?;
            return self.around(if middle { gap.0 + (gap.1 - gap.0) / 2 } else { guess });
        }
        let asked = self.history.asked.take();
        self.history.sought = asked;
        let wanted = [self.wanted, asked].into_iter().flatten();
        if let Some(seq) =
            wanted.filter(|seq| *seq <= last && *seq > 0).find(|seq| self.log.line(*seq).is_none())
        {
            return self.around(seq);
        }
        let seq = self.playback.seq();
        let here = self.log.stretch(seq);
        if *here.end() < last && here.end() - seq.min(*here.end()) < AHEAD {
            return self.after(*here.end());
        }
        let has_room = self.log.bytes() < self.log_bytes / 2;
        let there = self.log.stretch(last);
        for (begin, from) in [(*here.start(), seq), (*there.start(), last)] {
            if begin > 0 && (has_room || from.saturating_sub(begin) < BEHIND) {
                return self.before(begin);
            }
        }
        None
    }

    /// The first and the last command of those that are missing around one of them.
    fn gap_of(&self, seq: u64) -> Option<(u64, u64)> {
        let before = self.log.known(seq - 1);
        let next = self.log.known_after(*self.log.stretch(before).end())?;
        Some((self.log.stretch(before).end() + 1, next))
    }

    /// What is asked for to have a command that is missing.
    fn around(&self, seq: u64) -> Option<Stretch> {
        let (first, last) = self.gap_of(seq)?;
        let from = if seq - first < STRETCH / 2 { first } else { seq - STRETCH / 4 };
        Some(Stretch { from, to: (from + STRETCH - 1).min(last), scene: from > first })
    }

    /// What comes after the picture `seq`, behind which commands are missing.
    fn after(&self, seq: u64) -> Option<Stretch> {
        let (first, last) = self.gap_of(seq + 1)?;
        Some(Stretch { from: first, to: (first + STRETCH - 1).min(last), scene: false })
    }

    /// What comes before the picture `seq`, before which commands are missing.
    fn before(&self, seq: u64) -> Option<Stretch> {
        let (first, last) = self.gap_of(seq)?;
        let from = (last + 1).saturating_sub(STRETCH).max(first);
        Some(Stretch { from, to: last, scene: from > first })
    }
}
