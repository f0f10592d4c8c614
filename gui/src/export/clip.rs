//! A match as it is shown on a clock of its own: a picture that stands, or one that goes on from frame to frame.

use std::time::Duration;

use eframe::egui::{
    CentralPanel, Color32, Context, Frame, RawInput, Rect, Theme, ThemePreference, ViewportId, pos2, vec2,
};
use grandstand_protocol::{Micros, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Log, Playback, Replay, Speed};
use grandstand_story::games::sides;
use grandstand_story::story;
use serde_json::Value;

use super::plan::{Look, Size};
use super::shape_collector;
use super::shapes::ShapeList;
use super::text_outlines::TextOutlines;
use crate::board::{self, Board, MatchContext};
use crate::layout::ScreenLayout;
use crate::panels::scoreboard::{self, ScoreboardState};
use crate::session::{self, StepTiming};
use crate::theme::{self, Palette};
use crate::zoom::VisiblePart;

/// A match that pictures are made of. It may grow while they are made.
#[derive(Debug, Clone, Copy)]
pub struct Match<'a> {
    pub(crate) log: &'a Log,
    pub(crate) title: &'a str,
    pub(crate) teams: &'a [TeamInfo],
    pub(crate) rules: Option<&'a Value>,
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
    reel: ClipClock,
    cursor: Cursor,
    board: Box<dyn Board>,
}

impl Clip {
    /// At the beginning of the reel, with nothing on its way.
    pub(super) fn at(log: &Log, reel: ClipClock) -> Clip {
        let cursor = Cursor::new(log);
        let board = board::view(cursor.scene()).board();
        let mut film = Clip { reel, cursor, board };
        let seq = log.known(film.reel.playback.seq());
        film.go(log, seq, None);
        film.board.settle();
        film
    }

    /// Goes on until the clock shows this.
    pub(super) fn advance(&mut self, log: &Log, clock: Duration) {
        self.reel.advance(log, clock);
        let seq = log.known(self.reel.playback.seq());
        if seq != self.cursor.seq() {
            self.go(log, seq, Some(session::move_secs(self.reel.playback.speed())));
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
        let parts = [story.name().to_owned(), of.title.trim().to_owned(), sides.join(" : "), story.moment()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    fn go(&mut self, log: &Log, seq: u64, secs: Option<f64>) {
        let pace = StepTiming { now: self.now(), secs, plays: secs.is_some() };
        session::go_to(log, seq, &mut self.cursor, &mut *self.board, pace);
    }

    fn now(&self) -> f64 {
        BEGIN_SECS + self.reel.clock.as_secs_f64()
    }
}

/// The interface without a window, in which films are shown.
pub(super) struct OffscreenUi {
    ctx: Context,
    letters: TextOutlines,
    size: Size,
    look: Look,
}

impl OffscreenUi {
    pub(super) fn new(size: Size, look: Look) -> OffscreenUi {
        let ctx = Context::default();
        theme::install(&ctx);
        ctx.set_theme(if look.light { ThemePreference::Light } else { ThemePreference::Dark });
        OffscreenUi { ctx, letters: TextOutlines::new(), size, look }
    }

    /// What the window shows of a match: the line with the score and the board.
    pub(super) fn picture(&mut self, of: Match<'_>, film: &Clip) -> ShapeList {
        let (width, height) = (self.size.width, self.size.height);
        let pixels = vec2(width as f32, height as f32);
        // As the window does it: a large one is looked at from further away.
        let scale = theme::zoom_for(pixels);
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), pixels / scale)),
            time: Some(film.now()),
            max_texture_side: Some(4096),
            system_theme: Some(if self.look.light { Theme::Light } else { Theme::Dark }),
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
        let look = &self.look;
        let mut ground = Color32::BLACK;
        let output = self.ctx.run_ui(input, |ui| {
            let palette = Palette::of(ui.ctx());
            ground = palette.ground;
            let layout = ScreenLayout::of(ui.ctx());
            CentralPanel::default().frame(Frame::new()).show(ui, |ui| {
                let rect = ui.max_rect();
                let scene = film.cursor.scene();
                let sides = sides(scene, of.teams);
                let secs = film.reel.playback.time().as_secs_f64();
                let complete = of.log.growth() == Growth::Complete && film.seq() == of.log.last_seq();
                let result = of.log.end().and_then(|end| end.result.as_ref());
                let about = MatchContext { rules: of.rules, secs };
                let standing =
                    ScoreboardState { scene, about, over: complete.then_some(result), told: false };
                let line = Rect::from_min_size(
                    rect.min + vec2(10.0, 4.0),
                    vec2(rect.width() - 20.0, layout.score_height()),
                );
                scoreboard::show(ui, line, &standing, &sides);
                let board = Rect::from_min_max(pos2(rect.left(), line.bottom()), rect.max);
                let plays = film.reel.playback.state() != State::Paused;
                let picture = board::Picture {
                    scene,
                    sides: &sides,
                    now: film.now(),
                    secs,
                    pace: if plays { film.reel.playback.speed().factor() } else { 0.0 },
                    hidden: &look.hidden,
                    pixels: scale,
                    may_move: None,
                    pending: None,
                };
                let area = board.shrink2(vec2(10.0, 4.0));
                let whole = |part: VisiblePart| part.place(area, board::view(scene).shape());
                if look.part.is_some() {
                    ui.shrink_clip_rect(area);
                }
                film.board.show(ui, look.part.map_or(area, whole), &picture, look.options);
            });
        });
        let picture = shape_collector::take(&output.shapes, self.size, scale, ground, &mut self.letters);
        output.drop_without_applying_deltas();
        picture
    }
}
