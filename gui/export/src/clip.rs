//! A match as it is shown on a clock of its own: a picture that stands, or one that goes on from frame to frame.

use std::time::Duration;

use grandstand_board::step::{StepTiming, move_secs};
use grandstand_board::{BoardPainter, go_to, view};
use grandstand_protocol::{Micros, Scene, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Log, Playback, Replay, Speed};
use grandstand_story::story;
use serde_json::Value;

/// A match that pictures are made of. It may grow while they are made.
#[derive(Debug, Clone, Copy)]
pub struct Match<'a> {
    /// Its commands.
    pub log: &'a Log,
    /// What it is called.
    pub title: &'a str,
    /// Who plays.
    pub teams: &'a [TeamInfo],
    /// The settings in force, where they are known.
    pub rules: Option<&'a Value>,
}

impl<'a> Match<'a> {
    /// A recording.
    #[must_use]
    pub fn of(replay: &'a Replay) -> Match<'a> {
        let about = &replay.header().about;
        Match { log: replay.log(), title: &about.title, teams: &about.teams, rules: about.rules.as_ref() }
    }
}

/// Where the interface's clock stands at the first frame, in seconds: boards take 0 for never.
const BEGIN_SECS: f64 = 10.0;

/// After the last command of a range its pieces are on their way for so long at most, in seconds.
const ARRIVAL_SECS: f64 = 0.8;

/// Where in a match its clock has come to, on the way to the end of a range.
#[derive(Debug, Clone)]
pub(super) struct ClipClock {
    playback: Playback,
    end: Playback,
    /// How much of the clock has gone by, and how much had when the end was reached.
    clock: Duration,
    arrived: Option<Duration>,
}

impl ClipClock {
    /// From one place to another that is not before it; both stand.
    pub(super) fn new(
        log: &Log,
        mut from: Playback,
        end: Playback,
        speed: Speed,
        idle: Option<Micros>,
    ) -> ClipClock {
        from.set_speed(speed);
        from.set_idle_max(idle);
        if from.time() < end.time() || from.seq() < end.seq() {
            from.play(log);
        }
        let arrived = (from.state() == State::Paused).then_some(Duration::ZERO);
        ClipClock { playback: from, end, clock: Duration::ZERO, arrived }
    }

    /// Where it stands and stays.
    pub(super) fn standing(playback: Playback) -> ClipClock {
        ClipClock { end: playback.clone(), playback, clock: Duration::ZERO, arrived: Some(Duration::ZERO) }
    }

    /// Goes on until the clock shows this.
    pub(super) fn advance(&mut self, log: &Log, clock: Duration) {
        let passed = clock.saturating_sub(self.clock);
        self.clock = clock;
        if self.arrived.is_some() {
            return;
        }
        self.playback.advance(log, passed);
        let over = self.playback.seq() > self.end.seq() || self.playback.time() >= self.end.time();
        if over || self.playback.state() != State::Playing {
            let speed = self.playback.speed();
            self.playback = self.end.clone();
            self.playback.set_speed(speed);
            self.arrived = Some(clock);
        }
    }

    /// Whether nothing moves any more.
    pub(super) fn is_over(&self) -> bool {
        let arrival = Duration::from_secs_f64(ARRIVAL_SECS);
        self.arrived.is_some_and(|arrived| arrived == Duration::ZERO || self.clock >= arrived + arrival)
    }
}

/// A match on its clock.
#[derive(Debug)]
pub(super) struct Clip {
    clock: ClipClock,
    cursor: Cursor,
    board: Box<dyn BoardPainter>,
}

impl Clip {
    /// At the beginning of its clock, with nothing on its way.
    pub(super) fn at(log: &Log, clock: ClipClock) -> Clip {
        let cursor = Cursor::new(log);
        let board = view(cursor.scene()).board();
        let mut clip = Clip { clock, cursor, board };
        let seq = log.known(clip.clock.playback.seq());
        clip.go(log, seq, None);
        clip.board.settle();
        clip
    }

    /// Goes on until the clock shows this.
    pub(super) fn advance(&mut self, log: &Log, clock: Duration) {
        self.clock.advance(log, clock);
        let seq = log.known(self.clock.playback.seq());
        if seq != self.cursor.seq() {
            self.go(log, seq, Some(move_secs(self.clock.playback.speed())));
        }
    }

    /// The command that is shown last.
    pub(super) fn seq(&self) -> u64 {
        self.cursor.seq()
    }

    /// What is seen, in words.
    pub(super) fn words(&self, of: Match<'_>) -> String {
        let story = story(self.cursor.scene());
        let sides = story.sides(of.teams);
        let sides = sides.iter().map(|side| match story.scores().is_empty() {
            true => side.name.clone(),
            false => format!("{} {}", side.name, side.score),
        });
        let sides: Vec<String> = sides.collect();
        let parts = [
            self.cursor.scene().game().title().to_owned(),
            of.title.trim().to_owned(),
            sides.join(" : "),
            story.moment(),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    fn go(&mut self, log: &Log, seq: u64, secs: Option<f64>) {
        let timing = StepTiming { now: self.now(), secs, plays: secs.is_some() };
        go_to(log, seq, &mut self.cursor, &mut *self.board, timing);
    }

    /// The scene that is seen.
    pub(super) fn scene(&self) -> &Scene {
        self.cursor.scene()
    }

    /// Where in the match the clock has come to.
    pub(super) fn playback(&self) -> &Playback {
        &self.clock.playback
    }

    /// What paints the scene.
    pub(super) fn board(&self) -> &dyn BoardPainter {
        &*self.board
    }

    /// The interface's time, in seconds.
    pub(super) fn now(&self) -> f64 {
        BEGIN_SECS + self.clock.clock.as_secs_f64()
    }
}
