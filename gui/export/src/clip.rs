//! A match shown on its own clock: a still picture, or one that advances from frame to frame.

use std::time::Duration;

use grandstand_board::step::{StepTiming, move_secs};
use grandstand_board::{BoardPainter, go_to, view};
use grandstand_protocol::{Micros, Scene, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Log, Playback, Replay, Speed};
use grandstand_story::{identity, occasion, story};
use serde_json::Value;

/// A match to make pictures of. It may grow while they are made.
#[derive(Debug, Clone, Copy)]
pub struct Match<'a> {
    /// The commands of the match.
    pub log: &'a Log,
    /// The title of the match.
    pub title: &'a str,
    /// The event that it belongs to, and the round; may be empty.
    pub occasion: [&'a str; 2],
    /// The players of the match.
    pub teams: &'a [TeamInfo],
    /// The settings in force, if they are known.
    pub rules: Option<&'a Value>,
}

impl<'a> Match<'a> {
    /// The match of a recording.
    pub fn of(replay: &'a Replay) -> Match<'a> {
        let about = &replay.header().about;
        let occasion = [&about.event, &about.round].map(|text| text.as_deref().unwrap_or_default());
        let (title, teams, rules) = (&about.title, &about.teams, about.rules.as_ref());
        Match { log: replay.log(), title, occasion, teams, rules }
    }
}

impl Match<'_> {
    /// The game, its variant, the event and the round.
    pub(super) fn identity(&self, scene: &Scene) -> String {
        let [event, round] = self.occasion;
        let parts = [Some(identity(scene, self.rules)), occasion(event, round)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// The time of the interface's clock at the first frame, in seconds. It is not 0 because boards take 0 for "never".
const BEGIN_SECS: f64 = 10.0;

/// The time after the last command of a range for the pieces to arrive, at most, in seconds.
const ARRIVAL_SECS: f64 = 0.8;

/// The position of the clock in a match, on the way to the end of a range.
#[derive(Debug, Clone)]
pub(super) struct ClipClock {
    playback: Playback,
    end: Playback,
    /// The time that has passed on the clock, and the time on the clock when the end was reached.
    clock: Duration,
    arrived: Option<Duration>,
}

impl ClipClock {
    /// A clock from `from` to `end`. `end` must not be before `from`, and both must be paused.
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

    /// A clock that stays at one position.
    pub(super) fn standing(playback: Playback) -> ClipClock {
        ClipClock { end: playback.clone(), playback, clock: Duration::ZERO, arrived: Some(Duration::ZERO) }
    }

    /// Advances until the clock shows this time.
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
    /// A clip at the beginning of its clock, with no move in progress.
    pub(super) fn at(log: &Log, clock: ClipClock) -> Clip {
        let cursor = Cursor::new(log);
        let board = view(cursor.scene()).new_painter();
        let mut clip = Clip { clock, cursor, board };
        let seq = log.known(clip.clock.playback.seq());
        clip.go(log, seq, None);
        clip.board.settle();
        clip
    }

    /// Advances until the clock shows this time.
    pub(super) fn advance(&mut self, log: &Log, clock: Duration) {
        self.clock.advance(log, clock);
        let seq = log.known(self.clock.playback.seq());
        if seq != self.cursor.seq() {
            self.go(log, seq, Some(move_secs(self.clock.playback.speed())));
        }
    }

    /// The number of the last command shown.
    pub(super) fn seq(&self) -> u64 {
        self.cursor.seq()
    }

    /// A description of the shown position in words.
    pub(super) fn words(&self, of: Match<'_>) -> String {
        let story = story(self.cursor.scene());
        let sides = story.sides(of.teams);
        let sides = sides.iter().map(|side| match story.scores().is_empty() {
            true => side.name.clone(),
            false => format!("{} {}", side.name, side.score),
        });
        let sides: Vec<String> = sides.collect();
        let parts = [
            of.identity(self.cursor.scene()),
            of.title.trim().to_owned(),
            sides.join(" : "),
            story.progress_text(),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    fn go(&mut self, log: &Log, seq: u64, secs: Option<f64>) {
        let timing = StepTiming { now: self.now(), secs, plays: secs.is_some() };
        go_to(log, seq, &mut self.cursor, &mut *self.board, timing);
    }

    /// The shown scene.
    pub(super) fn scene(&self) -> &Scene {
        self.cursor.scene()
    }

    /// The position of the clock in the match.
    pub(super) fn playback(&self) -> &Playback {
        &self.clock.playback
    }

    /// The painter of the scene.
    pub(super) fn board(&self) -> &dyn BoardPainter {
        &*self.board
    }

    /// The time of the interface, in seconds.
    pub(super) fn now(&self) -> f64 {
        BEGIN_SECS + self.clock.clock.as_secs_f64()
    }
}
