//! Comparison: two matches side by side, synchronized, with their differences.
//!
//! One of the two is the leader: keys and the timeline act on it, and the other follows. The longer one leads, so that
//! all of it can be reached.

mod boards;
mod differing_places;
mod score_plot;
mod score_values;
mod strip;

use std::cell::Cell;
use std::time::Duration;

use crate::address::links::{self, Link};
use crate::budget::Budget;
use grandstand_protocol::Scene;
use grandstand_replays::diff::{Diff, Difference, Kind, Lock, Pairing};
use grandstand_replays::{Growth, Log};
use grandstand_story::{format, story};
use serde::{Deserialize, Serialize};

use self::differing_places::DifferingPlaces;
use crate::session::{NextFrame, Session, Stage};

pub(crate) use strip::{height as strip_height, show as show_strip, title};

/// Time for synchronization and for reading differences, in one frame.
const BUDGET: Duration = Duration::from_millis(4);
/// Steps, and turns, read between two looks at the clock.
const STEPS: usize = 64;
const TURNS: usize = 256;
/// Difference of two times from which they are two moments, in seconds.
const APART_SECS: f64 = 0.5;

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
    /// Whether the marks of new differences were dashed in the last frame: large ones are where they are few.
    dashes: Cell<bool>,
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
            dashes: Cell::new(false),
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

    /// What tells them apart in little room, in that order.
    fn short_names(&self, leader: &Session) -> [String; 2] {
        strip::short_names(self, leader)
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
                CompareRequest::Previous => "No earlier difference",
                _ if self.hides => "No other difference was seen",
                _ => "No later difference",
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
}

/// A pair of values in the order in which the matches are shown.
fn standing<T>(swapped: bool, leader: T, other: T) -> [T; 2] {
    if swapped { [other, leader] } else { [leader, other] }
}

/// What tells the boards apart by their places.
fn places(is_tall: bool) -> [&'static str; 2] {
    if is_tall { ["upper", "lower"] } else { ["left", "right"] }
}
