//! Comparison: two matches side by side, synchronized, with their differences.
//!
//! One of the two is the leader: keys and the timeline act on it, and the other follows. The longer one leads, so that
//! all of it can be reached.

mod differing_places;
mod score_plot;
mod strip;

use std::time::Duration;

use crate::address::links::{self, Link};
use crate::budget::Budget;
use eframe::egui::{Context, CornerRadius, Id, Painter, Rect, Response, Sense, Stroke, Ui, UiBuilder, vec2};
use grandstand_board::theme::Palette;
use grandstand_board::{self as board, BoardInput, BoardOptions};
use grandstand_protocol::{Place, Scene};
use grandstand_replays::diff::{Diff, Difference, Kind, Lock, Pairing};
use grandstand_replays::{Growth, Log};
use grandstand_story::{format, story};
use serde::{Deserialize, Serialize};

use self::differing_places::DifferingPlaces;
use crate::panels::wall::{Framing, Painted, SharedLayout, Text, paint_board, show_card_beside};
use crate::session::{NextFrame, Session, Stage};

pub(crate) use strip::{height as strip_height, show as show_strip, title};

/// Time for synchronization and for reading differences, in one frame.
const BUDGET: Duration = Duration::from_millis(4);
/// Steps, and turns, read between two looks at the clock.
const STEPS: usize = 64;
const TURNS: usize = 256;
/// Difference of two times from which they are two moments, in seconds.
const APART_SECS: f64 = 0.5;
/// Number of places marked on a board at most.
const MARKS: usize = 400;
/// Strength of the mark of a difference that is not new.
const OLD: f32 = 0.45;
/// Size of a place from which the mark of a new difference is dashed, in points, and number of new differences up to which it is.
const ROOMY: f32 = 18.0;
const FEW: usize = 8;
/// Heights of the plot of both matches, the largest first, the part of their size that it leaves to the boards at least, and the
/// height of captions, in points.
const PLOTS: [f32; 3] = [150.0, 116.0, 88.0];
const BOARDS: f32 = 0.74;
const CAPTIONS: f32 = 84.0;
/// Margins around both tiles, around each and within them, in points.
const EDGE: f32 = 6.0;
const GAP: f32 = 4.0;
const INSIDE: f32 = 6.0;

/// How the room is divided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Division {
    /// Number of pairs of lines in the strip.
    pub pairs: usize,
    /// Height of the plot, if it has room, in points.
    plot: Option<f32>,
}

/// The other match, and the differences.
#[derive(Debug)]
pub(crate) struct Compare {
    /// The match that follows.
    pub other: Session,
    /// Whether the leader is the second of the two.
    swapped: bool,
    pub lock: Lock,
    /// The viewer's usual locks, until the game is known and one of them is taken.
    usual: Option<UsualLocks>,
    kind: Kind,
    diff: Diff,
    pairing: Pairing,
    /// Whether the leader is final.
    settled: bool,
    /// Whether spoiler mode hides a part of the two; differences read before must be forgotten then.
    hides: bool,
    /// Whether more differences can be read now.
    reads: bool,
    /// The pair of commands that a jump led to; valid while the leader shows its part.
    jumped: Option<[u64; 2]>,
    /// The command of the second match that was requested with the first, until both have arrived.
    asked: Option<u64>,
    /// Places that differ at the commands `differing_at`.
    differing: DifferingPlaces,
    /// The commands for which `differing` was computed. They are behind the picture while its pieces are on their way.
    differing_at: [u64; 2],
    /// When the picture went on from `differing_at`, in seconds of egui's time.
    changed: Option<f64>,
}

/// Locks that the viewer has chosen last. Thinking times say little of a game with turns, so its matches are aligned by
/// turns, all others by time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct UsualLocks {
    with_turns: Option<Lock>,
    without_turns: Option<Lock>,
}

impl UsualLocks {
    /// The lock for matches of a scene's game.
    fn of(self, scene: &Scene) -> Lock {
        match story(scene).has_turns() {
            true => self.with_turns.unwrap_or(Lock::Turn),
            false => self.without_turns.unwrap_or(Lock::Time),
        }
    }

    /// The names of the two choices, what they are for, and the choices.
    pub(crate) fn by_kind(&mut self) -> [(&'static str, &'static str, &mut Lock); 2] {
        let (turns, others) =
            ("What both boards share in games with turns.", "What both boards share in all other games.");
        [
            ("Align turns by", turns, self.with_turns.get_or_insert(Lock::Turn)),
            ("Align others by", others, self.without_turns.get_or_insert(Lock::Time)),
        ]
    }

    /// Remembers a choice for matches of a scene's game.
    pub(crate) fn choose(&mut self, scene: &Scene, lock: Lock) {
        *match story(scene).has_turns() {
            true => &mut self.with_turns,
            false => &mut self.without_turns,
        } = Some(lock);
    }
}

/// A request of the viewer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CompareRequest {
    Lock(Lock),
    Kind(Kind),
    First(Kind),
    Next,
    Previous,
    /// To a moment of the axis that the lock aligns: a time in seconds, a turn or a command.
    To(f64),
    End,
}

impl Compare {
    /// A comparison of the session with `other`. `asked` is the command of `other` that belongs to the session's first
    /// picture. Without a `lock` it is the usual one of the game.
    pub(crate) fn new(
        mut other: Session,
        lock: Option<Lock>,
        usual: UsualLocks,
        asked: Option<u64>,
    ) -> Compare {
        other.is_compared = true;
        let (usual, lock) = (lock.is_none().then_some(usual), lock.unwrap_or_default());
        Compare {
            other,
            swapped: false,
            lock,
            usual,
            kind: Kind::Boards,
            diff: Diff::new(lock),
            pairing: Pairing::default(),
            settled: false,
            hides: false,
            reads: true,
            jumped: None,
            asked,
            differing: DifferingPlaces::default(),
            differing_at: [u64::MAX; 2],
            changed: None,
        }
    }

    /// The two matches in the order in which they are shown.
    pub(crate) fn pair<'a>(&'a self, leader: &'a Session) -> [&'a Session; 2] {
        standing(self.swapped, leader, &self.other)
    }

    /// What the two are called, in that order.
    pub(crate) fn names(&self, leader: &Session) -> [String; 2] {
        strip::titles_or_names(self, leader)
    }

    /// A link to both as they are shown.
    ///
    /// # Errors
    /// As for [`links::link`].
    pub(crate) fn link(&self, leader: &Session) -> Result<Link, &'static str> {
        let pair = self.pair(leader);
        let marks = pair[0].bookmarks().member();
        links::comparison(pair.map(|one| (&one.target, one.seq())), self.lock, &marks)
    }

    /// The parts of both logs that the viewer may know.
    fn logs<'a>(&'a self, leader: &'a Session) -> [&'a Log; 2] {
        self.pair(leader).map(|session| session.log())
    }

    /// Kind of the differences to step by; lines, if all boards are equal.
    fn kind(&self) -> Kind {
        let boards = self.diff.first(Kind::Boards).is_some() || self.diff.first(Kind::Lines).is_none();
        if boards { self.kind } else { Kind::Lines }
    }

    /// Why the two can't be compared; `None` if they can.
    pub(crate) fn mismatch(&self, leader: &Session) -> Option<String> {
        let [a, b] = self.pair(leader).map(|session| (&session.stage, session.scene()));
        match (a, b) {
            ((Stage::Open, a), (Stage::Open, b)) if a.game() != b.game() => {
                let [a, b] = [a, b].map(|scene| scene.game().title());
                Some(format!("These are matches of two games, {a} and {b}: there is nothing to compare."))
            }
            ((Stage::Failed(_), _), _) => {
                Some("The first can't be opened: there is nothing to compare.".to_owned())
            }
            (_, (Stage::Failed(_), _)) => {
                Some("The second can't be opened: there is nothing to compare.".to_owned())
            }
            _ => None,
        }
    }

    /// Makes the other match follow the leader, and reads differences.
    pub(crate) fn update(&mut self, leader: &mut Session, now: f64) -> NextFrame {
        let mut next = self.other.update(now);
        let open = |session: &Session| matches!(session.stage, Stage::Open);
        if !open(leader) || !open(&self.other) || self.mismatch(leader).is_some() {
            return next;
        }
        if let Some(usual) = self.usual.take() {
            self.lock = usual.of(leader.scene());
            self.diff = Diff::new(self.lock);
        }
        let side = usize::from(self.swapped);
        let shown = leader.seq();
        self.take_asked(leader);
        self.jumped = self.jumped.filter(|jumped| jumped[side] == shown);
        let time = Budget::new(BUDGET);
        let seq = match self.jumped {
            Some(jumped) => Some(jumped[1 - side]),
            None => self.partner(leader, side, time),
        };
        // Until it is found, the other match stays where it is.
        match seq {
            Some(seq) => self.other.go_with(seq, leader.is_running()),
            None => next = NextFrame::Now,
        }
        let hides = leader.hides_future() || self.other.hides_future();
        if hides && !self.hides {
            self.diff = Diff::new(self.lock);
        }
        self.hides = hides;
        if seq.is_some() {
            // Only now, when both show the moment, may the leader change unnoticed.
            self.settle(leader);
        }
        loop {
            let logs = standing(self.swapped, leader.log(), self.other.log());
            self.reads = self.diff.read(logs, STEPS);
            if !self.reads {
                break;
            }
            if !time.is_left() {
                next = NextFrame::Now;
                break;
            }
        }
        next.sooner(self.look_at_places(leader, now))
    }

    /// The command of the other match that belongs to the leader's; `None` if time ran out.
    fn partner(&mut self, leader: &Session, side: usize, time: Budget) -> Option<u64> {
        // The whole logs: what the other match follows to counts as seen.
        let logs = standing(self.swapped, leader.whole_log(), self.other.whole_log());
        let moment = (leader.seq(), leader.playback.time());
        loop {
            let seq = self.pairing.other(self.lock, logs, side, moment, TURNS);
            if seq.is_some() || !time.is_left() {
                return seq;
            }
        }
    }

    /// Ties the two requested pictures together, once both have arrived.
    fn take_asked(&mut self, first: &Session) {
        let Some(seq) = self.asked.filter(|_| !first.awaits_moment()) else { return };
        let log = self.other.whole_log();
        let arrived = seq <= log.last_seq();
        if arrived && !first.is_running() {
            self.jumped = Some([first.seq(), seq]);
        }
        if arrived || first.is_running() || log.growth() == Growth::Complete {
            self.asked = None;
        }
    }

    /// Makes the longer match the leader, once both are complete.
    fn settle(&mut self, leader: &mut Session) {
        let whole = |session: &Session| session.whole_log().growth() == Growth::Complete;
        if self.settled || !whole(leader) || !whole(&self.other) {
            return;
        }
        self.settled = true;
        let length = |session: &Session| match self.lock {
            Lock::Command => session.whole_log().last_seq(),
            Lock::Time => session.whole_log().end_time().0,
            Lock::Turn => {
                let marks = session.whole_log().marks(0, u64::MAX);
                marks.filter(|mark| mark.kind == grandstand_protocol::MarkKind::Turn).count() as u64
            }
        };
        if length(&self.other) > length(leader) {
            let runs = leader.is_running();
            let speed = leader.playback.speed();
            std::mem::swap(leader, &mut self.other);
            self.swapped = !self.swapped;
            leader.set_speed(speed);
            if leader.is_running() != runs {
                leader.play_or_pause();
            }
        }
    }

    /// Finds the places that differ, once the pieces of both pictures have arrived there. Boards on which something always
    /// moves are waited for as long as a move takes.
    fn look_at_places(&mut self, leader: &Session, now: f64) -> NextFrame {
        let [a, b] = self.pair(leader);
        let shown = [a.seq(), b.seq()];
        if self.differing_at == shown {
            self.changed = None;
            return NextFrame::Idle;
        }
        let longest = a.move_secs().max(b.move_secs());
        let moves = [a, b].iter().any(|session| session.board().is_moving(&session.picture(&[])));
        let since = self.changed.unwrap_or(now);
        if moves && now - since < longest {
            self.changed = Some(since);
            return NextFrame::Now;
        }
        let mut differing = DifferingPlaces::of(a.scene(), b.scene());
        differing.find_fresh([a, b].map(|session| (session.log(), session.seq())));
        self.differing = differing;
        (self.differing_at, self.changed) = (shown, None);
        NextFrame::Idle
    }

    /// Executes a request; returns a message.
    pub(crate) fn handle(&mut self, leader: &mut Session, request: CompareRequest) -> Option<&'static str> {
        let [a, b] = self.pair(leader);
        let shown = [a.seq(), b.seq()];
        let found = match request {
            CompareRequest::Lock(lock) => {
                if lock != self.lock {
                    self.lock = lock;
                    self.diff = Diff::new(lock);
                    (self.settled, self.jumped) = (false, None);
                }
                return None;
            }
            CompareRequest::Kind(kind) => {
                self.kind = kind;
                return None;
            }
            CompareRequest::First(kind) => {
                self.kind = kind;
                self.diff.first(kind)
            }
            CompareRequest::To(at) => {
                match self.lock {
                    Lock::Time => leader.seek_secs(at),
                    Lock::Turn => {
                        if let Some(seq) = leader.chapters.seq_of(at.round() as u64) {
                            leader.seek_seq(seq);
                        }
                    }
                    Lock::Command => leader.seek_seq(at.round() as u64),
                }
                return None;
            }
            CompareRequest::Next => self.diff.next(self.kind(), shown),
            CompareRequest::Previous => self.diff.previous(self.kind(), shown),
            CompareRequest::End => return None,
        };
        let Some(found) = found else {
            return Some(match request {
                CompareRequest::Previous => "No difference begins before this",
                _ if self.hides => "No other difference was seen",
                _ => "No difference begins after this",
            });
        };
        let side = usize::from(self.swapped);
        leader.seek_seq(found.after[side]);
        self.jumped = Some(found.after);
        None
    }

    /// The difference at the shown moment.
    fn shown(&self, leader: &Session) -> Option<Difference> {
        let shown = self.pair(leader).map(|session| session.seq());
        let at =
            |kind| self.diff.previous(kind, shown.map(|seq| seq + 1)).filter(|found| found.after == shown);
        at(Kind::Lines).or_else(|| at(Kind::Boards))
    }

    /// Whether the moments shown are two that the lock does not align, as an address may name them.
    pub(crate) fn is_apart(&self, leader: &Session) -> bool {
        let mut pair = self.pair(leader).map(|session| (score_plot::here(self.lock, session), session));
        let shown = pair.map(|(_, session)| session.seq());
        pair.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let [(first, behind), (second, _)] = pair;
        // One that is over waits for the other.
        let waits = behind.seq() >= behind.log().last_seq();
        let least = if self.lock == Lock::Time { APART_SECS } else { 0.5 };
        self.jumped == Some(shown) && !waits && second - first > least
    }

    /// The turn, or the time, since which the boards have differed.
    fn since(&self, leader: &Session) -> Option<String> {
        let shown = self.pair(leader).map(|session| session.seq() + 1);
        let found = self.diff.previous(Kind::Boards, shown)?;
        let seq = found.after[usize::from(self.swapped)];
        let turn = leader.turn_words_at(seq).map(|turn| format::uncapitalised(&turn));
        Some(turn.unwrap_or_else(|| format::clock(leader.log().time_of(seq).as_secs_f64())))
    }

    /// Up to `count` pairs of lines: from the start of the shown difference, or else the last ones of both pictures.
    fn lines(&self, leader: &Session, count: usize) -> Vec<[Option<u64>; 2]> {
        let shown = self.pair(leader).map(|session| session.seq());
        let logs = self.logs(leader);
        let count = count as u64;
        let first = self.shown(leader).map(|found| (found, found.lines(logs)));
        if let Some((found, lines)) = first.filter(|(_, lines)| *lines != [None; 2]) {
            let next = |n: u64| {
                let at = |side: usize| lines[side].map(|seq| seq + n).filter(|seq| *seq <= found.after[side]);
                [at(0), at(1)]
            };
            let step: Vec<_> = (0..count).map(next).take_while(|pair| *pair != [None; 2]).collect();
            // The lines before it, where there is room.
            let before = |n: u64| {
                [0, 1].map(|side: usize| {
                    let begin = lines[side].unwrap_or(found.after[side] + 1);
                    begin.checked_sub(n).filter(|seq| *seq > 0)
                })
            };
            return (1..=count - step.len() as u64).rev().map(before).chain(step).collect();
        }
        // By command, lines of one number stand side by side where both show one moment.
        let last = match self.lock {
            Lock::Command if !self.is_apart(leader) => [shown[0].max(shown[1]); 2],
            _ => shown,
        };
        let before = |side: usize, n: u64| {
            let seq = last[side].checked_sub(n).filter(|seq| *seq > 0);
            seq.filter(|seq| *seq <= shown[side])
        };
        (0..count).rev().map(|n| [before(0, n), before(1, n)]).collect()
    }

    /// Divides this area, above the timeline, among the boards, the plot and the lines: lines give way to the plot, unless the viewer
    /// goes through them.
    pub(crate) fn division(&self, ctx: &Context, leader: &Session, area: Rect) -> Division {
        let shape = board::view(leader.scene()).shape();
        let most = strip::most_pairs(ctx);
        let whole = |pairs: usize| area.with_max_y(area.bottom() - strip::height(ctx, pairs)).shrink(EDGE);
        let board = |area: Rect| {
            let half = halves(area, is_tall(area, shape))[0];
            (half.height() - CAPTIONS).min(half.width() / shape)
        };
        let least = BOARDS * board(whole(most)).max(CAPTIONS);
        let with_plot = |pairs: usize| {
            let fits = |plot: &f32| board(above(whole(pairs), *plot)) >= least;
            Some(Division { pairs, plot: Some(PLOTS.into_iter().find(fits)?) })
        };
        let fewest = if self.kind() == Kind::Lines { most } else { 0 };
        let is_wanted = self.mismatch(leader).is_none() && score_plot::has_scores(self.pair(leader));
        let found = (fewest..=most).rev().filter(|_| is_wanted).find_map(with_plot);
        found.unwrap_or(Division { pairs: most, plot: None })
    }

    /// Shows both boards in the remaining space, side by side or one above the other, whichever makes them larger, and below them the
    /// scores of both where these have room. Returns where a click on those goes.
    pub(crate) fn show(
        &self,
        ui: &mut Ui,
        leader: &Session,
        options: BoardOptions,
        Division { plot, .. }: Division,
    ) -> Option<CompareRequest> {
        let palette = Palette::of(ui.ctx());
        let whole = ui.max_rect().shrink(EDGE);
        let is_alike = self.mismatch(leader).is_none();
        let pair = self.pair(leader);
        let area = plot.map_or(whole, |plot| above(whole, plot));
        let halves = halves(area, is_tall(area, board::view(leader.scene()).shape()));
        let matches = pair.iter().map(|session| &***session);
        let common = SharedLayout::of(ui, matches, halves[0].shrink(GAP + INSIDE), Text::Pair);
        // Where one has its result in the place of its moment, the moment of both stands beside the sign of the game.
        let is_over = |session: &Session| session.is_at_end() || story(session.scene()).verdict().is_some();
        let moments = pair.map(|session| story(session.scene()).progress_text());
        let has_moments =
            is_alike && pair.into_iter().any(is_over) && moments.iter().all(|moment| !moment.is_empty());
        let mut boards = [None, None];
        for (index, (session, half)) in pair.into_iter().zip(halves).enumerate() {
            let half = half.shrink(GAP);
            ui.painter().rect_filled(half, CornerRadius::same(8), palette.panel.gamma_multiply(0.6));
            ui.scope_builder(UiBuilder::new().id_salt(Id::unique(("compare", index))).max_rect(half), |ui| {
                let sides = grandstand_story::games::sides(session.scene(), &session.about.teams);
                let marked: &[Place] = if is_alike { &self.differing.places } else { &[] };
                let picture = BoardInput { marked, ..session.picture(&sides) };
                let moment = has_moments.then(|| [moments[index].clone(), moments[index].clone()]);
                let framing =
                    Framing { common: Some(common), called: moment, ..Framing::new(Text::Pair, options) };
                let painted = paint_board(ui, half.shrink(INSIDE), (session, picture), &framing);
                let Some(painted) = painted else { return };
                if is_alike {
                    let painter = ui.painter().with_clip_rect(half);
                    self.mark(&painter, palette, index, (session, &picture), &painted);
                }
                let id = ui.scope_id().with("place");
                let response = ui.interact(painted.board, id, Sense::hover());
                boards[index] = Some(Shown { painted, response });
            });
        }
        self.tell_place(ui, pair, &boards);
        let plot = plot.map(|_| whole.with_min_y(area.bottom() + GAP).shrink2(vec2(GAP, 0.0)))?;
        score_plot::show(ui, plot, self, leader)
    }

    /// Marks the places of a board that differ, strongly where they have since the last move. The marks lie below all pieces: a thin ring
    /// for what has differed for longer, and a dashed one, which no board uses otherwise, in a colour of no team. Where these would be
    /// crowded, new differences have a thin ring too, of full strength.
    fn mark(
        &self,
        painter: &Painter,
        palette: &Palette,
        index: usize,
        (session, picture): (&Session, &BoardInput<'_>),
        painted: &Painted,
    ) {
        let board = session.board();
        let Some(below) = board.below_pieces() else { return };
        // Pieces that are on their way cross the marks of the places that they leave and reach.
        let at = self.differing_at[index].min(session.seq());
        let passed = differing_places::named(session.log(), at, session.seq());
        let places = self.differing.places.iter().take(MARKS).filter(|place| !passed.contains(place));
        let mut marks = Vec::new();
        for place in places {
            let is_fresh = self.differing.fresh.contains(place);
            let size =
                board.area_of(painted.board, picture, painted.options, *place).map(|area| area.height());
            let is_roomy = size.is_some_and(|size| size >= ROOMY) && self.differing.fresh.len() <= FEW;
            for (shape, area) in board.mark_areas(painted.board, picture, painted.options, *place) {
                if is_fresh && is_roomy {
                    let bed = Stroke::new(3.5, palette.ground.gamma_multiply(0.8));
                    marks.extend(shape.frame_shapes(area, 1.0, bed));
                    marks.extend(shape.dashed_frame_shapes(area, 1.0, Stroke::new(2.0, palette.text)));
                } else {
                    let pen = if is_fresh { (1.5, 0.9) } else { (1.0, OLD) };
                    let pen = Stroke::new(pen.0, palette.text.gamma_multiply(pen.1));
                    marks.extend(shape.frame_shapes(area, 1.0, pen));
                }
            }
        }
        painter.set(below, marks);
    }

    /// Outlines the place that is pointed at on both boards, and tells beside the pointer what stands there on either.
    fn tell_place(&self, ui: &Ui, pair: [&Session; 2], boards: &[Option<Shown>; 2]) {
        let palette = Palette::of(ui.ctx());
        let pictures = pair.map(|session| session.picture(&[]));
        let pointed = [0, 1].into_iter().find_map(|side| {
            let Shown { painted, response } = boards[side].as_ref()?;
            let at = response.hover_pos()?;
            let board = pair[side].board();
            let place = board.place_at(painted.board, &pictures[side], painted.options, at)?;
            Some((side, place, response))
        });
        let Some((side, place, response)) = pointed else { return };
        let mut areas = [None; 2];
        for (index, shown) in boards.iter().enumerate() {
            let Some(Shown { painted, .. }) = shown else { continue };
            let (board, picture) = (pair[index].board(), &pictures[index]);
            areas[index] = board.area_of(painted.board, picture, painted.options, place);
            let Some(area) = areas[index] else { continue };
            let shape = board.shape_of(painted.board, picture, painted.options, place);
            let painter = ui.painter().with_clip_rect(painted.board);
            painter.extend(shape.frame_shapes(area, 1.0, Stroke::new(1.5, palette.accent)));
        }
        let told = pair.map(|session| story(session.scene()).describe(place));
        if let (Some(area), Some(words)) = (areas[side], on_both(told, side)) {
            show_card_beside(response, area, &words);
        }
    }
}

/// The area above a plot of this height.
fn above(whole: Rect, plot: f32) -> Rect {
    whole.with_max_y(whole.bottom() - plot - GAP)
}

/// The places of two boards in an area, one above the other or side by side.
fn halves(area: Rect, is_tall: bool) -> [Rect; 2] {
    match is_tall {
        true => area.split_top_bottom_at_fraction(0.5).into(),
        false => area.split_left_right_at_fraction(0.5).into(),
    }
}

/// Whether two boards of this shape are larger one above the other.
fn is_tall(area: Rect, shape: f32) -> bool {
    let room = |is_tall: bool| {
        let half = halves(area, is_tall)[0];
        half.height().min(half.width() / shape)
    };
    room(true) > room(false)
}

/// A board that was painted, with its response to the pointer.
struct Shown {
    painted: Painted,
    response: Response,
}

/// What stands at a place of the board `side`, and what stands there on the other one, without what both have alike.
fn on_both(told: [Option<String>; 2], side: usize) -> Option<String> {
    let [a, b] = told;
    let (here, there) = if side == 0 { (a, b) } else { (b, a) };
    let here = here?;
    let Some(there) = there.filter(|there| *there != here) else { return Some(here) };
    // Both begin with the name of the place.
    let contents = |words: &str| words.split_once(": ").map_or(words, |(_, contents)| contents).to_owned();
    let (ours, theirs) = (contents(&here), contents(&there));
    let is_other = |line: &&str| !ours.lines().any(|same| same == *line);
    let others: Vec<&str> = theirs.lines().filter(is_other).collect();
    let other = match others[..] {
        [] => "empty".to_owned(),
        [line] => {
            let parts: Vec<&str> = line.split(", ").collect();
            let first = ours.lines().next().unwrap_or_default().split(", ");
            let same = first.zip(&parts).take_while(|(a, b)| a == *b).count();
            parts[same.min(parts.len() - 1)..].join(", ")
        }
        _ => others.join("; "),
    };
    Some(match here.contains('\n') {
        true => format!("{here}\nOn the other: {other}"),
        false => format!("{here} – on the other: {other}"),
    })
}

/// A pair of values in the order in which the matches are shown.
fn standing<T>(swapped: bool, leader: T, other: T) -> [T; 2] {
    if swapped { [other, leader] } else { [leader, other] }
}

#[cfg(test)]
mod tests {
    use super::on_both;

    #[test]
    fn of_the_other_board_is_told_what_differs() {
        for (here, there, told) in [
            ("E4: black", "E4: white", "E4: black – on the other: white"),
            (
                "Siberia: blue, 10 armies",
                "Siberia: blue, 12 armies",
                "Siberia: blue, 10 armies – on the other: 12 armies",
            ),
            ("h3: empty", "h3: empty", "h3: empty"),
            ("9,0: medic 6\nlow ground", "9,0: low ground", "9,0: medic 6\nlow ground\nOn the other: empty"),
            ("9,0: low ground", "9,0: medic 6\nlow ground", "9,0: low ground – on the other: medic 6"),
        ] {
            let pair = [Some(here.to_owned()), Some(there.to_owned())];
            assert_eq!(on_both(pair, 0).as_deref(), Some(told));
        }
        assert_eq!(on_both([Some("a".to_owned()), None], 1), None);
    }
}
