//! Playback: a clock over a log, with the viewer's position and its movement in time.

use std::fmt;
use std::time::Duration;

use grandstand_protocol::Micros;
use serde::{Deserialize, Serialize};

use crate::log::{Growth, Log};

/// The speed of playback, from a quarter to 64 times the match's own pace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Speed {
    Quarter,
    Half,
    #[default]
    X1,
    X2,
    X4,
    X8,
    X16,
    X32,
    X64,
}

impl Speed {
    /// Every speed, the slowest first.
    pub const ALL: [Speed; 9] = [
        Speed::Quarter,
        Speed::Half,
        Speed::X1,
        Speed::X2,
        Speed::X4,
        Speed::X8,
        Speed::X16,
        Speed::X32,
        Speed::X64,
    ];

    /// The next faster speed; the fastest stays.
    #[must_use]
    pub fn faster(self) -> Speed {
        Speed::ALL[(self as usize + 1).min(Speed::ALL.len() - 1)]
    }

    /// The next slower speed; the slowest stays.
    #[must_use]
    pub fn slower(self) -> Speed {
        Speed::ALL[(self as usize).saturating_sub(1)]
    }

    /// Quarters of a second of the match per second.
    pub fn quarters(self) -> u32 {
        1 << self as u32
    }

    /// Seconds of the match per second.
    pub fn factor(self) -> f32 {
        self.quarters() as f32 / 4.0
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::Quarter => f.pad("¼×"),
            Speed::Half => f.pad("½×"),
            speed => f.pad(&format!("{}×", speed.quarters() / 4)),
        }
    }
}

/// The viewer's position in a log, and its state: playing, paused, or following a live match.
///
/// It reads no clock: the caller passes the elapsed time to [`advance`](Playback::advance). The position is a time
/// of the match and the number of the last command shown; the scene is that of a [`Cursor`](crate::Cursor) moved to
/// that number.
///
/// ```
/// use std::time::Duration;
/// use grandstand_protocol::{Command, Game, Micros};
/// use grandstand_replays::{Limits, Playback, Replay, Speed};
///
/// let file = b"{\"grandstand\":1,\"game\":\"abalone\"}\n[1,\"c\",\"turns 1\"]\n[60,\"c\",\"turns 2\"]\n";
/// let replay = Replay::open(file, Limits::default())?;
/// let mut playback = Playback::new(replay.log());
/// playback.play(replay.log());
/// playback.set_speed(Speed::X2);
/// playback.set_idle_max(Some(Micros(2_000_000)));
/// playback.advance(replay.log(), Duration::from_millis(500));
/// assert_eq!((playback.seq(), playback.time()), (1, Micros(1_000_000)));
/// // Of the minute in which nothing happens two seconds are played, at double speed.
/// playback.advance(replay.log(), Duration::from_secs(1));
/// assert_eq!((playback.seq(), playback.time()), (2, Micros(61_000_000)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Playback {
    time: Micros,
    seq: u64,
    state: State,
    speed: Speed,
    idle_max: Option<Micros>,
    /// The remainder of the elapsed time that is less than a microsecond of the match, in quarters of a nanosecond.
    carry: u64,
}

/// The state of a [`Playback`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// The position stays.
    Paused,
    /// The position moves on at the chosen speed.
    Playing,
    /// The position is the end of a live match.
    Following,
}

impl Playback {
    /// A playback that follows a live match at its end, or is paused at the start of a recorded one.
    pub fn new(log: &Log) -> Playback {
        let mut playback = Playback {
            time: Micros(0),
            seq: 0,
            state: State::Paused,
            speed: Speed::X1,
            idle_max: None,
            carry: 0,
        };
        if log.growth() == Growth::Live {
            playback.go_live(log);
        }
        playback
    }

    /// The number of the last command shown; 0 before the first.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The time of the match.
    pub fn time(&self) -> Micros {
        self.time
    }

    /// The state.
    pub fn state(&self) -> State {
        self.state
    }

    /// The speed.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Sets the speed.
    pub fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
    }

    /// The longest pause between commands that is played, in time of the match; `None` for no limit.
    pub fn idle_max(&self) -> Option<Micros> {
        self.idle_max
    }

    /// Sets the longest pause between commands that is played, in time of the match; the rest of a pause is skipped.
    pub fn set_idle_max(&mut self, idle_max: Option<Micros>) {
        self.idle_max = idle_max;
    }

    /// Whether the position is at the end of the log.
    pub fn at_end(&self, log: &Log) -> bool {
        self.state == State::Following || self.seq >= log.last_seq() && self.time >= log.end_time()
    }

    /// The distance to the end of the log, in commands and in time.
    pub fn behind(&self, log: &Log) -> (u64, Micros) {
        (log.last_seq().saturating_sub(self.seq), log.duration().since(self.time))
    }

    /// Starts playing: from the start if a recorded match is at its end. At the end of a live match, follows it.
    pub fn play(&mut self, log: &Log) {
        if self.at_end(log) {
            match log.growth() {
                Growth::Live => return self.go_live(log),
                Growth::Loading => {}
                Growth::Complete => self.seek_seq(log, 0),
            }
        }
        self.state = State::Playing;
    }

    /// Pauses at the current position.
    pub fn pause(&mut self) {
        self.state = State::Paused;
    }

    /// Pauses if it plays or follows, else plays.
    pub fn toggle(&mut self, log: &Log) {
        if self.state == State::Paused { self.play(log) } else { self.pause() }
    }

    /// Goes to the end of a live match and follows it; in any other match, goes to the end and pauses.
    pub fn go_live(&mut self, log: &Log) {
        self.state = if log.growth() == Growth::Live { State::Following } else { State::Paused };
        self.seq = log.last_seq();
        self.time = log.end_time();
        self.carry = 0;
    }

    /// Goes to a time of the match. A playback that followed a live match plays on from there.
    pub fn seek_time(&mut self, log: &Log, time: Micros) {
        self.place(log.seq_at(time), time.min(log.end_time()));
    }

    /// Goes to the moment after command `seq`; for a missing one, after the last known one before it.
    pub fn seek_seq(&mut self, log: &Log, seq: u64) {
        let seq = log.known(seq);
        self.place(seq, log.time_of(seq));
    }

    /// Goes to the start of the match: its [set-up](Log::opening), the first scene with a whole board.
    pub fn seek_start(&mut self, log: &Log) {
        self.seek_seq(log, log.opening());
    }

    /// Goes forward by one command, and pauses. Returns whether there was one.
    pub fn step(&mut self, log: &Log) -> bool {
        self.step_to(log, log.known_after(self.seq))
    }

    /// Goes back by one command, and pauses. Returns whether there was one.
    pub fn step_back(&mut self, log: &Log) -> bool {
        self.step_to(log, self.seq.checked_sub(1))
    }

    /// Goes forward to the end of the turn, and pauses; after the last turn, to the end. Returns whether it moved.
    pub fn step_turn(&mut self, log: &Log) -> bool {
        let end = Some(log.last_seq()).filter(|&last| last > self.seq);
        self.step_to(log, log.next_turn(self.seq).or(end))
    }

    /// Goes back to the end of the previous turn, and pauses; before the first one, to the [set-up](Log::opening).
    /// Returns whether it moved.
    pub fn step_turn_back(&mut self, log: &Log) -> bool {
        let opening = log.opening();
        let turn = log.previous_turn(self.seq).filter(|end| *end >= opening);
        self.step_to(log, turn.or_else(|| Some(opening).filter(|opening| self.seq > *opening)))
    }

    /// Moves on by the time elapsed since the last call. Returns whether the last command shown has changed.
    ///
    /// At the end, a recorded match is paused, and a live one is followed from there on. While a file is still being read,
    /// playback waits for it, and also for missing commands that are [fetched](Log::is_fetched).
    pub fn advance(&mut self, log: &Log, dt: Duration) -> bool {
        let before = self.seq;
        match self.state {
            State::Paused => {}
            // After a followed match has ended, its end stays in view.
            State::Following => self.go_live(log),
            State::Playing => {
                let quarters = dt.as_nanos().saturating_mul(u128::from(self.speed.quarters()));
                let total = quarters.saturating_add(u128::from(self.carry));
                self.carry = (total % 4000) as u64;
                self.play_for(log, u64::try_from(total / 4000).unwrap_or(u64::MAX));
            }
        }
        self.seq != before
    }

    /// Moves on by `micros` microseconds of the match, not counting skipped pauses.
    fn play_for(&mut self, log: &Log, mut micros: u64) {
        let known = *log.stretch(self.seq).end();
        let waits = log.is_fetched() && known < log.last_seq();
        let (last, end) = if waits { (known, log.time_of(known)) } else { (log.last_seq(), log.end_time()) };
        if let Some(idle_max) = self.idle_max {
            // From the time of one command to that of the next.
            while self.time < end {
                let before = log.time_of(self.seq);
                let next = log.known_after(self.seq).map_or(end, |seq| log.time_of(seq)).max(self.time);
                let play_until = next.0.min(before.0.saturating_add(idle_max.0)).max(self.time.0);
                let wait = play_until - self.time.0;
                if wait > micros {
                    break;
                }
                micros -= wait;
                (self.time, self.seq) = (next, log.seq_at(next).clamp(self.seq, last));
            }
        }
        self.time = Micros(self.time.0.saturating_add(micros)).min(end.max(self.time));
        self.seq = log.seq_at(self.time).clamp(self.seq, last);
        if self.time >= end && !waits {
            match log.growth() {
                Growth::Live => self.go_live(log),
                Growth::Loading => {}
                Growth::Complete => self.pause(),
            }
        }
    }

    fn step_to(&mut self, log: &Log, seq: Option<u64>) -> bool {
        self.pause();
        if let Some(seq) = seq {
            self.seek_seq(log, seq);
        }
        seq.is_some()
    }

    fn place(&mut self, seq: u64, time: Micros) {
        (self.seq, self.time, self.carry) = (seq, time, 0);
        if self.state == State::Following {
            self.state = State::Playing;
        }
    }
}
