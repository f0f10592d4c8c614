//! Two matches side by side, on one clock, and where they differ.
//!
//! One of the two leads: it is the match that the keys and the timeline act on, and the other goes with it. The longer one
//! leads, so that everything can be reached.

mod differing_places;
mod strip;

use std::time::Duration;

use crate::budget::Budget;
use eframe::egui::{CornerRadius, Id, Rect, Stroke, Ui, UiBuilder};
use grandstand_board::theme::Palette;
use grandstand_board::{self as board, Options};
use grandstand_replays::diff::{Diff, Difference, Kind, Lock, Pairing};
use grandstand_replays::{Growth, Log};

use self::differing_places::DifferingPlaces;
use crate::panels::wall::{Text, paint_board};
use crate::session::{NextFrame, Session, Stage};

pub(crate) use strip::{height as strip_height, show as show_strip, title};

/// How long one frame may look for what belongs together, and for differences.
const BUDGET: Duration = Duration::from_millis(4);
/// How many steps are read between two looks at the clock, and how many turns.
const STEPS: usize = 64;
const TURNS: usize = 256;
/// On a board so many places are marked, at most.
const MARKS: usize = 400;

/// The other match, and what is known of the differences.
#[derive(Debug)]
pub(crate) struct Compare {
    /// The match that goes with the one that leads.
    pub other: Session,
    /// Whether the one that leads is the second of the two.
    swapped: bool,
    pub lock: Lock,
    kind: Kind,
    diff: Diff,
    pairing: Pairing,
    /// Whether it is settled who leads.
    settled: bool,
    /// Whether something of the two is hidden: what was read before must be forgotten then.
    hides: bool,
    /// Whether there is more to be read for differences now.
    reads: bool,
    /// The pictures that a jump led to: they belong together as long as the first of them is shown.
    jumped: Option<[u64; 2]>,
    /// The picture of the second that was asked for with the first one's, until both are there.
    asked: Option<u64>,
    /// The places that differ in the pictures after these commands.
    differing: DifferingPlaces,
    /// The commands for which that was found.
    differing_at: [u64; 2],
}

/// What the viewer asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CompareRequest {
    Lock(Lock),
    Kind(Kind),
    First(Kind),
    Next,
    Previous,
    End,
}

impl Compare {
    /// A comparison with `other` of the match that is the session. `asked` is the command that `other` is to show beside
    /// the one that the session begins with.
    pub(crate) fn new(mut other: Session, lock: Lock, asked: Option<u64>) -> Compare {
        other.is_compared = true;
        Compare {
            other,
            swapped: false,
            lock,
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
        }
    }

    /// The two, in the order in which they stand.
    pub(crate) fn pair<'a>(&'a self, leader: &'a Session) -> [&'a Session; 2] {
        standing(self.swapped, leader, &self.other)
    }

    /// What the viewer may know of both.
    fn logs<'a>(&'a self, leader: &'a Session) -> [&'a Log; 2] {
        self.pair(leader).map(|session| session.log())
    }

    /// Of what kind the differences are that are stepped by: where all boards are the same, lines.
    fn kind(&self) -> Kind {
        let boards = self.diff.first(Kind::Boards).is_some() || self.diff.first(Kind::Lines).is_none();
        if boards { self.kind } else { Kind::Lines }
    }

    /// Why the two can't be compared, when they can't.
    pub(crate) fn mismatch(&self, leader: &Session) -> Option<String> {
        let [a, b] = self.pair(leader).map(|session| (&session.stage, session.scene()));
        match (a, b) {
            ((Stage::Open, a), (Stage::Open, b)) if a.game() != b.game() => {
                let [a, b] = [a, b].map(|scene| scene.game().title());
                Some(format!("These are matches of two games, {a} and {b}: there is nothing to compare."))
            }
            _ => None,
        }
    }

    /// Lets the other match go with the one that leads, and looks for differences.
    pub(crate) fn update(&mut self, leader: &mut Session, now: f64) -> NextFrame {
        let mut next = self.other.update(now);
        let open = |session: &Session| matches!(session.stage, Stage::Open);
        if !open(leader) || !open(&self.other) || self.mismatch(leader).is_some() {
            return next;
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
        // Until it is found, the other waits where it is.
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
            // Only now, when both show the moment, does it not matter who leads.
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
        self.look_at_places(leader);
        next
    }

    /// The command of the other match that belongs to what the leader shows; `None` when there was no time to find it.
    fn partner(&mut self, leader: &Session, side: usize, time: Budget) -> Option<u64> {
        // Where the other goes with it, it has been seen.
        let logs = standing(self.swapped, leader.whole_log(), self.other.whole_log());
        let moment = (leader.seq(), leader.playback.time());
        loop {
            let seq = self.pairing.other(self.lock, logs, side, moment, TURNS);
            if seq.is_some() || !time.is_left() {
                return seq;
            }
        }
    }

    /// As soon as both pictures are there that were asked for together, they belong together.
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

    /// As soon as both are whole, the longer one leads.
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

    fn look_at_places(&mut self, leader: &Session) {
        let [a, b] = self.pair(leader);
        let shown = [a.seq(), b.seq()];
        if self.differing_at != shown {
            self.differing = DifferingPlaces::of(a.scene(), b.scene());
            self.differing_at = shown;
        }
    }

    /// Does what the viewer asked for; what to say of it.
    pub(crate) fn grant(&mut self, leader: &mut Session, wish: CompareRequest) -> Option<&'static str> {
        let [a, b] = self.pair(leader);
        let shown = [a.seq(), b.seq()];
        let found = match wish {
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
            CompareRequest::Next => self.diff.next(self.kind(), shown),
            CompareRequest::Previous => self.diff.previous(self.kind(), shown),
            CompareRequest::End => return None,
        };
        let Some(found) = found else {
            return Some(match wish {
                CompareRequest::Previous => "They do not differ before this",
                _ if self.hides => "No other difference was seen",
                _ => "They do not differ after this",
            });
        };
        let side = usize::from(self.swapped);
        leader.seek_seq(found.after[side]);
        self.jumped = Some(found.after);
        None
    }

    /// The difference that is shown.
    fn shown(&self, leader: &Session) -> Option<Difference> {
        let shown = self.pair(leader).map(|session| session.seq());
        let at =
            |kind| self.diff.previous(kind, shown.map(|seq| seq + 1)).filter(|found| found.after == shown);
        at(Kind::Lines).or_else(|| at(Kind::Boards))
    }

    /// So many pairs of lines: from where they begin to differ in the difference that is shown, or those that the
    /// pictures show last.
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
            // What led to it, where there is room.
            let before = |n: u64| {
                [0, 1].map(|side: usize| {
                    let begin = lines[side].unwrap_or(found.after[side] + 1);
                    begin.checked_sub(n).filter(|seq| *seq > 0)
                })
            };
            return (1..=count - step.len() as u64).rev().map(before).chain(step).collect();
        }
        let last = if self.lock == Lock::Command { [shown[0].max(shown[1]); 2] } else { shown };
        let before = |side: usize, n: u64| {
            let seq = last[side].checked_sub(n).filter(|seq| *seq > 0);
            seq.filter(|seq| *seq <= shown[side])
        };
        (0..count).rev().map(|n| [before(0, n), before(1, n)]).collect()
    }

    /// Shows both boards in all the space that is left, one above the other where that is high.
    pub(crate) fn show(&self, ui: &mut Ui, leader: &Session, options: Options) {
        let palette = Palette::of(ui.ctx());
        let area = ui.max_rect().shrink(6.0);
        let shape = board::view(leader.scene()).shape();
        let halves = |tall: bool| {
            if tall {
                let (a, b) = area.split_top_bottom_at_fraction(0.5);
                [a, b]
            } else {
                let (a, b) = area.split_left_right_at_fraction(0.5);
                [a, b]
            }
        };
        let room = |half: Rect| half.height().min(half.width() / shape);
        let tall = room(halves(true)[0]) > room(halves(false)[0]);
        let pair = self.pair(leader);
        for (index, (session, half)) in pair.into_iter().zip(halves(tall)).enumerate() {
            let half = half.shrink(4.0);
            ui.painter().rect_filled(half, CornerRadius::same(8), palette.panel.gamma_multiply(0.6));
            ui.scope_builder(UiBuilder::new().id_salt(Id::unique(("compare", index))).max_rect(half), |ui| {
                let sides = grandstand_story::games::sides(session.scene(), &session.about.teams);
                let picture = session.picture(&sides);
                let peers = pair.map(|session| &**session);
                let painted =
                    paint_board(ui, half.shrink(6.0), (session, picture), &peers, Text::Near, options);
                let Some(painted) = painted.filter(|_| self.mismatch(leader).is_none()) else { return };
                let painter = ui.painter().with_clip_rect(half);
                for place in self.differing.places.iter().take(MARKS) {
                    let found = session.board().area_of(painted.board, &picture, painted.options, *place);
                    if let Some(rect) = found {
                        // Broken, as nothing else on a board is; no team has it for its colour.
                        let board = session.board();
                        let shape = board.shape_of(painted.board, &picture, painted.options, *place);
                        shape.frame(&painter, rect, 1.5, Stroke::new(4.0, palette.ground));
                        shape.dashed_frame(&painter, rect, 1.5, Stroke::new(2.0, palette.text));
                    }
                }
            });
        }
    }
}

/// What belongs to the two, in the order in which they stand.
fn standing<T>(swapped: bool, leader: T, other: T) -> [T; 2] {
    if swapped { [other, leader] } else { [leader, other] }
}
