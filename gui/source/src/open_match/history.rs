//! History of a match on a server: dropping commands from memory, and fetching missing ones.
//!
//! The log of a match that is watched over a connection is kept within a memory limit. Missing commands are fetched in
//! stretches, one request at a time: first those that the viewer waits for, then those after the current scene,
//! then those skipped before the present, so that nothing is lost. A file is read whole, and stays whole.

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

/// The number of commands in one request.
const STRETCH: u64 = 2048;
/// The number of commands after the current scene that are fetched ahead.
const AHEAD: u64 = 4096;
/// The number of commands before the current scene, and before the present, that are fetched whatever the memory.
const BEHIND: u64 = 16_384;
/// The number of guesses of a moment's command, after which the middle of its range is tried.
const GUESSES: u32 = 3;
/// The longest pause after a failed request, in seconds.
const PAUSE_MAX: f64 = 30.0;

/// A range of commands to request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    from: u64,
    to: u64,
    /// Whether the scene before the range is not known.
    scene: bool,
}

/// The state of fetching.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The time that the viewer wants to see, and the number of guesses of its command so far.
    time: Option<(Micros, u32)>,
    /// A command that the interface has asked for.
    asked: Cell<Option<u64>>,
    /// The previous such command: what was fetched for it stays until it was used.
    sought: Option<u64>,
    request: Option<Receiver<Result<String, Refused>>>,
    /// The last requested range.
    latest: Option<Stretch>,
    /// The received messages that were not applied yet, in order.
    arrived: VecDeque<Box<RawValue>>,
    failures: u32,
    /// The earliest time of the next request, in seconds of the interface's time.
    not_before: f64,
}

impl OpenMatch {
    /// Asks for a command: if it is not in memory, it is fetched.
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

    /// Sets the time to go to as soon as it is known; `None` cancels.
    pub fn want_time(&mut self, time: Option<Micros>) {
        let missing = |time: &Micros| self.log.is_fetched() && self.log.place_at(*time).is_err();
        self.history.time = time.filter(missing).map(|time| (time, 0));
    }

    /// Goes to the wanted time once it is known; returns whether it did.
    pub fn go_to_time_that_came(&mut self) -> bool {
        let settled = |time| self.log.place_at(time).is_ok() || !self.log.is_fetched();
        let Some((time, _)) = self.history.time.filter(|(time, _)| settled(*time)) else { return false };
        self.history.time = None;
        self.playback.seek_time(&self.log, time);
        true
    }

    /// Drops commands of a match on a server that are far from every viewed position, if the limit is exceeded; returns whether anything
    /// was dropped.
    pub fn trim(&mut self) -> bool {
        if !matches!(self.target, Target::Match { .. }) {
            return false;
        }
        let coming = self.history.latest.map(|stretch| stretch.from);
        let looked_at = [Some(self.playback.seq()), self.wanted, coming, self.history.sought];
        let near: Vec<u64> = [Some(self.log.last_seq())].into_iter().chain(looked_at).flatten().collect();
        self.log.trim(self.log_bytes, &near)
    }

    /// Whether the scene after a command must be fetched, and can be.
    pub fn is_missing(&self, seq: u64) -> bool {
        self.log.is_fetched() && seq <= self.log.last_seq() && !self.log.knows(seq)
    }

    /// The next fetched message, if there is one.
    pub(super) fn next_fetched(&mut self) -> Option<Message> {
        let text = self.history.arrived.pop_front()?;
        let message = Message::from_json(Some(self.log.game()), text.get()).ok();
        if message.is_none() {
            // An answer of a different kind of server is useless as a whole.
            self.history.arrived.clear();
            self.log.set_fetched(false);
        }
        message
    }

    /// Receives an answer, and requests the range that is needed most; returns whether an answer is pending.
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
            // The range was received and is still missing: the answer was for a different one.
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
            // An empty answer means that the server no longer has the commands.
            Ok(Ok(messages)) if !messages.is_empty() => {
                self.history.arrived = messages;
                self.history.failures = 0;
                self.history.request = None;
            }
            Ok(_) => self.fetch_failed(Some(404)),
            Err(refused) => self.fetch_failed(refused.status),
        }
    }

    /// Handles a failed request, with the HTTP status of the answer if there was one.
    fn fetch_failed(&mut self, status: Option<u16>) {
        (self.history.request, self.history.latest) = (None, None);
        self.history.failures += 1;
        let pause = f64::from(2_u32.saturating_pow(self.history.failures));
        self.history.not_before = self.now + pause.min(PAUSE_MAX);
        if matches!(status, Some(400..=428)) {
            // The commands are not available, and are skipped until the server is met again.
            self.log.set_fetched(false);
        }
    }

    /// The range that is needed most.
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

    /// The first and the last of the missing commands around a missing one.
    fn gap_of(&self, seq: u64) -> Option<(u64, u64)> {
        let before = self.log.known(seq - 1);
        let next = self.log.known_after(*self.log.stretch(before).end())?;
        Some((self.log.stretch(before).end() + 1, next))
    }

    /// The range to request for a missing command.
    fn around(&self, seq: u64) -> Option<Stretch> {
        let (first, last) = self.gap_of(seq)?;
        let from = if seq - first < STRETCH / 2 { first } else { seq - STRETCH / 4 };
        Some(Stretch { from, to: (from + STRETCH - 1).min(last), scene: from > first })
    }

    /// The range after scene `seq`, whose next command is missing.
    fn after(&self, seq: u64) -> Option<Stretch> {
        let (first, last) = self.gap_of(seq + 1)?;
        Some(Stretch { from: first, to: (first + STRETCH - 1).min(last), scene: false })
    }

    /// The range before scene `seq`, whose own command is missing.
    fn before(&self, seq: u64) -> Option<Stretch> {
        let (first, last) = self.gap_of(seq)?;
        let from = (last + 1).saturating_sub(STRETCH).max(first);
        Some(Stretch { from, to: last, scene: from > first })
    }
}
