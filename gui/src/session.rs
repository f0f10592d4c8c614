//! A match that is being watched: its log, where in it the viewer is, and what is on the move.
//!
//! Live and recorded matches are the same thing here, a [`Log`] that may grow. The viewer either follows its end or is
//! somewhere in it: a [`Playback`] says where.

use std::sync::mpsc::TryRecvError;
use std::time::Duration;
use web_time::Instant;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, MatchResult, Micros, Scene, Seat, Summary, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, End, Growth, Log, MarkKind, Playback, Speed};
use serde_json::Value;

use crate::annals::{Annals, Tick, TickKind};
use crate::board::{self, Board, Circumstances, Picture, Step};
use crate::errors::Trouble;
use crate::hand::{Hand, Place};
use crate::sides::{Side, sides};
use crate::source::{Connection, Feed, Target, Update, Wake};

/// How long a move takes to show at normal speed, in seconds.
pub(crate) const MOVE_SECS: f64 = 0.24;
/// After this much of the match without a command, what came together is known to be whole, in seconds.
const SETTLED_SECS: f64 = 0.1;
/// The end of an event is no more commands after its beginning than this.
const LOOK_BACK: u64 = 600;
/// Of a time in which nothing happens, so much is played when the rest is skipped.
const IDLE_MAX: Micros = Micros(800_000);
/// How long one frame may spend on what a source delivers.
const TAKE_BUDGET: Duration = Duration::from_millis(6);

/// What is known of a match besides its commands.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub title: String,
    pub teams: Vec<TeamInfo>,
    /// The settings in force, where the recording has them.
    pub rules: Option<Value>,
    pub spectators: Option<u64>,
    pub state: Option<MatchState>,
}

/// How far opening has come.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Nothing has arrived yet.
    Opening,
    /// There is something to see.
    Open,
    /// Nothing will come, and why.
    Failed(Trouble),
}

/// When the next frame is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NextFrame {
    /// At once: something moves.
    Now,
    /// After so many seconds.
    After(f64),
    /// When something happens.
    Idle,
}

impl NextFrame {
    fn sooner(self, other: NextFrame) -> NextFrame {
        let secs = |next| match next {
            NextFrame::Now => 0.0,
            NextFrame::After(secs) => secs,
            NextFrame::Idle => f64::INFINITY,
        };
        if secs(self) <= secs(other) { self } else { other }
    }
}

/// A match that is being watched.
#[derive(Debug)]
pub(crate) struct Session {
    pub target: Target,
    pub about: About,
    pub stage: Stage,
    /// How the connection fares, for a live match, and when the next attempt comes, in seconds of the interface's time.
    pub connection: Option<(Connection, f64)>,
    /// How much of a file has been read, from 0 to 1.
    pub loaded: f32,
    /// What is wrong with the file.
    pub damage: Option<String>,
    pub playback: Playback,
    pub annals: Annals,
    feed: Option<Feed>,
    log: Log,
    cursor: Cursor,
    /// The command to show as soon as it has arrived.
    wanted: Option<u64>,
    /// A match that is over already is played from its start when it has arrived.
    play_when_whole: bool,
    /// The last command that there was when a match was opened.
    history: u64,
    jumps: u64,
    board: Box<dyn Board>,
    pub hand: Hand,
    /// When the last command of a live match arrived, in seconds of the interface's time.
    last_arrival: f64,
    now: f64,
}

impl Session {
    /// A match that has just been asked for.
    pub(crate) fn new(target: Target, feed: Feed) -> Session {
        Session::of(target, Some(feed))
    }

    fn of(target: Target, feed: Option<Feed>) -> Session {
        let log = Log::live(Game::Abalone);
        let wanted = match &target {
            Target::Match { seq, .. } | Target::Recording { seq, .. } => *seq,
            Target::Server(_) | Target::File(_) => None,
        };
        Session {
            target,
            about: About::default(),
            stage: Stage::Opening,
            connection: None,
            loaded: 0.0,
            damage: None,
            playback: Playback::new(&log),
            annals: Annals::new(log.game()),
            feed,
            board: board::view(&Scene::new(log.game())).board(),
            cursor: Cursor::new(&log),
            log,
            wanted,
            hand: Hand::default(),
            play_when_whole: false,
            history: 0,
            jumps: 0,
            last_arrival: 0.0,
            now: 0.0,
        }
    }

    /// Something that can't be opened, and why.
    pub(crate) fn failed(target: Target, trouble: Trouble) -> Session {
        Session { stage: Stage::Failed(trouble), ..Session::of(target, None) }
    }

    /// Shows the picture after a command as soon as it is there.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn want(&mut self, seq: u64) {
        self.wanted = Some(seq);
    }

    /// The commands known so far.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The picture that is shown.
    pub(crate) fn scene(&self) -> &Scene {
        self.cursor.scene()
    }

    /// The number of the command that the picture shows last.
    pub(crate) fn seq(&self) -> u64 {
        self.cursor.seq()
    }

    /// Whether more commands will come from a server.
    pub(crate) fn is_live(&self) -> bool {
        self.log.growth() == Growth::Live && matches!(self.stage, Stage::Open)
    }

    /// Whether the picture is the present of a live match.
    pub(crate) fn is_following(&self) -> bool {
        self.is_live() && self.playback.state() == State::Following
    }

    /// Whether the picture goes on by itself.
    pub(crate) fn is_running(&self) -> bool {
        self.playback.state() != State::Paused
    }

    /// Whether the moment that was asked for is there, and has only not arrived yet.
    pub(crate) fn awaits_moment(&self) -> bool {
        let arrives = |wanted| wanted <= self.history || self.log.growth() == Growth::Loading;
        self.wanted.is_some_and(arrives)
    }

    /// Whether what was there before somebody came to watch a live match goes on beyond this command.
    pub(crate) fn is_history(&self, seq: u64) -> bool {
        self.is_following() && seq < self.history
    }

    /// How often the picture was put somewhere else, instead of going on.
    pub(crate) fn jumps(&self) -> u64 {
        self.jumps
    }

    /// The time of the picture, in seconds since the match began.
    pub(crate) fn secs(&self) -> f64 {
        if self.is_following() { self.end_secs() } else { self.playback.time().as_secs_f64() }
    }

    /// How far the picture is behind a live match, in seconds.
    pub(crate) fn behind_secs(&self) -> f64 {
        (self.end_secs() - self.secs()).max(0.0)
    }

    /// The time of the end as far as it is known: of a live match, now.
    pub(crate) fn end_secs(&self) -> f64 {
        let known = self.log.end_time().as_secs_f64();
        let connected = matches!(self.connection, Some((Connection::Connected, _)));
        if self.is_live() && connected && self.last_arrival > 0.0 {
            known + (self.now - self.last_arrival).max(0.0)
        } else {
            known
        }
    }

    /// How the match ended, where that is known.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.log.end().and_then(|end| end.result.as_ref())
    }

    /// Whether the picture is the last one of a match that is over.
    pub(crate) fn is_at_end(&self) -> bool {
        self.log.growth() == Growth::Complete && self.seq() == self.log.last_seq()
    }

    /// What is known of the match besides its scene.
    pub(crate) fn circumstances(&self) -> Circumstances<'_> {
        Circumstances { rules: self.about.rules.as_ref(), secs: self.secs() }
    }

    /// How many points win, where the game has that.
    pub(crate) fn goal(&self) -> Option<i32> {
        board::view(self.scene()).goal(self.about.rules.as_ref())
    }

    /// What paints the picture.
    pub(crate) fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// What is painted; `sides` are the teams.
    pub(crate) fn picture<'a>(&'a self, sides: &'a [Side]) -> Picture<'a> {
        Picture {
            scene: self.scene(),
            sides,
            now: self.now,
            secs: self.secs(),
            pace: if self.is_running() { self.playback.speed().factor() } else { 0.0 },
            may_move: self.may_move(),
            pending: self.hand.pending.as_deref(),
        }
    }

    /// The side for which the viewer may move on the board now: one that is the viewer's, when it is its turn and the
    /// picture is the present.
    pub(crate) fn may_move(&self) -> Option<usize> {
        let here = self.is_following() && self.hand.pending.is_none() && !self.hand.is_waiting();
        self.hand.side.filter(|_| here && self.is_my_turn() == Some(true))
    }

    /// Whether it is the viewer's turn in the picture; `None` when the game does not say whose it is.
    pub(crate) fn is_my_turn(&self) -> Option<bool> {
        board::view(self.scene()).mover().map(|mover| self.hand.side == Some(mover))
    }

    /// How many moves the picture shows.
    pub(crate) fn ply(&self) -> u32 {
        board::view(self.scene()).ply()
    }

    /// Where the match is, if people may play there.
    fn place(&self) -> Option<Place> {
        match &self.target {
            Target::Match { base, id, .. } => Some(Place { base: base.clone(), id: id.to_string() }),
            _ => None,
        }
    }

    /// Asks for the seat of a team.
    pub(crate) fn sit(&mut self, team: &str, wake: Wake) {
        if let Some(place) = self.place() {
            self.hand.take_seat(&place, team, wake);
        }
    }

    /// Gives the viewer's seat up.
    pub(crate) fn leave_seat(&mut self, wake: Wake) {
        if let Some(place) = self.place() {
            self.hand.leave(&place, wake);
        }
    }

    /// Makes a move, or gives up by `resign`.
    pub(crate) fn play_move(&mut self, text: &str, wake: Wake) {
        if let Some(place) = self.place() {
            let ply = self.ply();
            self.hand.play(&place, ply, text, wake);
        }
    }

    fn set_seats(&mut self, seats: Vec<Seat>) {
        let place = self.place();
        self.hand.set_seats(place.as_ref(), seats);
    }

    /// Takes what became of what the viewer asked for.
    fn update_hand(&mut self) {
        let (place, ply) = (self.place(), self.ply());
        if self.hand.update(place.as_ref(), ply, self.now) {
            self.go_live();
        }
        let sides = sides(self.scene(), &self.about.teams);
        let seat = self.hand.seat().map(|seat| &*seat.team);
        self.hand.side = seat.and_then(|team| sides.iter().position(|side| side.key == team));
    }

    /// Takes what has arrived, moves the clock on, and says when the next frame is needed. `now` is the interface's time
    /// in seconds.
    pub(crate) fn update(&mut self, now: f64) -> NextFrame {
        let passed = if self.now > 0.0 { (now - self.now).clamp(0.0, 0.25) } else { 0.0 };
        self.now = now;
        let more = self.take();
        self.update_hand();
        let settled = self.log.growth() == Growth::Complete
            || self.end_secs() - self.log.duration().as_secs_f64() > SETTLED_SECS;
        let more = self.annals.update(&self.log, settled) || more;
        if let Some(wanted) = self.wanted
            && (wanted <= self.log.last_seq() || self.log.growth() == Growth::Complete)
        {
            self.wanted = None;
            self.playback.pause();
            self.playback.seek_seq(&self.log, wanted);
            self.show(false);
        }
        let mut next = if more { NextFrame::Now } else { NextFrame::Idle };
        if self.is_running() && matches!(self.stage, Stage::Open) {
            self.playback.advance(&self.log, Duration::from_secs_f64(passed));
            self.show(true);
        }
        if self.is_running() && board::view(self.scene()).is_ticking() {
            next = next.sooner(NextFrame::After(0.05));
        }
        if self.playback.state() == State::Playing {
            next = next.sooner(NextFrame::After(1.0 / 30.0));
        } else if self.is_live() {
            // The end moves on, whether the picture does or not.
            next = next.sooner(NextFrame::After(0.5));
        }
        if self.board.is_moving(&self.picture(&[])) {
            next = NextFrame::Now;
        }
        if self.hand.pending.is_some() {
            next = next.sooner(NextFrame::After(0.2));
        }
        if matches!(self.connection, Some((Connection::Waiting { .. }, _))) {
            next = next.sooner(NextFrame::After(0.2));
        }
        next
    }

    /// Takes what the source has delivered, for as long as a frame allows; `true` when there is more.
    fn take(&mut self) -> bool {
        let began = Instant::now();
        loop {
            let Some(feed) = &self.feed else { return false };
            match feed.updates.try_recv() {
                Ok(update) => self.apply(update),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => {
                    self.feed = None;
                    if matches!(self.stage, Stage::Opening) {
                        let trouble = Trouble::new(
                            "Nothing came",
                            "The source ended before it told anything.",
                            "Open it once more.",
                        );
                        self.stage = Stage::Failed(trouble);
                    }
                    return false;
                }
            }
            if began.elapsed() > TAKE_BUDGET {
                return true;
            }
        }
    }

    fn apply(&mut self, update: Update) {
        match update {
            Update::Connection(connection) => {
                let due = match &connection {
                    Connection::Waiting { pause, .. } => self.now + pause.as_secs_f64(),
                    _ => self.now,
                };
                self.connection = Some((connection, due));
            }
            Update::Hello(summary) => self.greet(*summary),
            Update::Scene { seq, t, scene } => {
                self.log.rebase(seq, t, *scene);
                self.last_arrival = self.now;
            }
            Update::Commands { seq, t, commands } => {
                for (seq, command) in (seq..).zip(&commands) {
                    // A number that is known already is one that was sent twice; one that is detached is sent again.
                    let _ = self.log.insert(seq, t, command);
                }
                self.last_arrival = self.now;
            }
            Update::Seats(seats) => self.set_seats(seats),
            Update::End { t, result } => {
                self.hand.end();
                self.log.close(Some(End { t, result }));
                self.connection = None;
                if std::mem::take(&mut self.play_when_whole) {
                    self.playback.seek_seq(&self.log, 0);
                    self.playback.play(&self.log);
                }
            }
            Update::Recording { replay, loaded } => {
                let first = matches!(self.stage, Stage::Opening);
                let about = &replay.header().about;
                if first {
                    self.restart(replay.header().game);
                    self.about.title = about.title.to_string();
                    self.about.teams = about.teams.clone();
                    self.about.rules = about.rules.clone();
                    self.stage = Stage::Open;
                }
                self.loaded = loaded;
                self.damage = replay.damage().map(ToString::to_string);
                self.log = replay.into_log();
                if first && self.wanted.is_none() {
                    self.playback.play(&self.log);
                }
            }
            Update::Failed(trouble) => {
                self.connection = None;
                match self.stage {
                    // What has been seen stays; it is only known now that no more will come.
                    Stage::Open if self.log.last_seq() > 0 => {
                        self.damage = Some(trouble.to_string());
                        self.log.close(None);
                    }
                    _ => self.stage = Stage::Failed(trouble),
                }
            }
        }
    }

    fn greet(&mut self, summary: Summary) {
        if matches!(self.stage, Stage::Opening) {
            self.restart(summary.game);
            self.stage = Stage::Open;
            self.history = summary.seq;
            if summary.state == MatchState::Live && !self.awaits_moment() {
                self.playback.go_live(&self.log);
            } else {
                // It is played from its start as soon as all of it has arrived.
                self.playback.pause();
                self.play_when_whole = self.wanted.is_none();
            }
        }
        self.about.title = summary.title.to_string();
        self.about.teams = summary.teams;
        self.set_seats(summary.seats);
        self.about.spectators = Some(summary.spectators);
        self.about.state = Some(summary.state);
    }

    fn restart(&mut self, game: Game) {
        self.log = Log::live(game);
        self.playback = Playback::new(&self.log);
        self.cursor = Cursor::new(&self.log);
        self.annals = Annals::new(game);
        self.board = board::view(self.scene()).board();
    }

    /// Moves the picture to where the playback is; `animate` lets pieces be seen on their way.
    fn show(&mut self, animate: bool) {
        let before = self.cursor.seq();
        let seq = self.log.known(self.playback.seq());
        if !animate {
            self.board.settle();
        }
        if seq == before {
            return;
        }
        self.jumps += u64::from(!animate);
        let scene = self.cursor.scene().clone();
        self.cursor.move_to(&self.log, seq);
        self.board.advance(&Step {
            log: &self.log,
            from: before,
            before: &scene,
            to: seq,
            after: self.cursor.scene(),
            now: self.now,
            secs: animate.then(|| self.move_secs()),
            plays: self.is_running(),
        });
    }

    /// How long a move takes to show at the present speed.
    fn move_secs(&self) -> f64 {
        let playing = self.playback.state() == State::Playing;
        if playing { (MOVE_SECS / f64::from(self.playback.speed().factor())).min(0.6) } else { MOVE_SECS }
    }

    /// Starts or stops; at the end of a recording it starts from the beginning.
    pub(crate) fn play_or_pause(&mut self) {
        self.wanted = None;
        self.playback.toggle(&self.log);
        self.show(false);
    }

    /// Goes to a time, in seconds from the start.
    pub(crate) fn seek_secs(&mut self, secs: f64) {
        if self.is_live() && secs >= self.end_secs() {
            return self.go_live();
        }
        self.wanted = None;
        let t = Micros::from_secs_f64(secs.max(0.0)).unwrap_or(Micros::MAX);
        self.playback.seek_time(&self.log, t);
        self.show(false);
    }

    /// Goes to a command, and stays there; to one that is on its way, when it arrives.
    pub(crate) fn seek_seq(&mut self, seq: u64) {
        self.playback.pause();
        self.wanted = Some(seq).filter(|seq| *seq > self.log.last_seq());
        if self.awaits_moment() {
            return;
        }
        self.wanted = None;
        self.playback.seek_seq(&self.log, seq.min(self.log.last_seq()));
        self.show(false);
    }

    pub(crate) fn next_command(&mut self) {
        self.playback.step(&self.log);
        self.show(true);
    }

    pub(crate) fn previous_command(&mut self) {
        self.playback.step_back(&self.log);
        self.show(false);
    }

    pub(crate) fn next_turn(&mut self) {
        self.playback.step_turn(&self.log);
        self.show(true);
    }

    pub(crate) fn previous_turn(&mut self) {
        self.playback.step_turn_back(&self.log);
        self.show(false);
    }

    pub(crate) fn faster(&mut self) {
        self.playback.set_speed(self.playback.speed().faster());
    }

    pub(crate) fn slower(&mut self) {
        self.playback.set_speed(self.playback.speed().slower());
    }

    pub(crate) fn set_speed(&mut self, speed: Speed) {
        self.playback.set_speed(speed);
    }

    /// Whether time in which nothing happens is skipped.
    pub(crate) fn skips_idle(&self) -> bool {
        self.playback.idle_max().is_some()
    }

    pub(crate) fn toggle_skip_idle(&mut self) {
        let idle_max = if self.skips_idle() { None } else { Some(IDLE_MAX) };
        self.playback.set_idle_max(idle_max);
    }

    /// The command that shows an event whole: the last one that came together with it.
    fn whole(&self, event: &Tick) -> u64 {
        let together = board::view(self.scene()).together();
        let end = self.log.seq_at(Micros(event.t.0 + together.0));
        let turn = self.log.next_mark(event.seq, |kind| kind == MarkKind::Turn).map(|mark| mark.seq);
        turn.map_or(end, |turn| turn.min(end)).max(event.seq)
    }

    /// To the next moment that the game has an event at; `false` when there is none yet.
    pub(crate) fn next_event(&mut self) -> bool {
        let ticks = &self.annals.records().ticks;
        // What is shown may lie behind an event and before its end.
        let from = ticks.partition_point(|tick| tick.seq < self.seq().saturating_sub(LOOK_BACK));
        let events = ticks[from..].iter().filter(|tick| matches!(tick.kind, TickKind::Event { .. }));
        let found = events.map(|event| self.whole(event)).find(|seq| *seq > self.seq());
        self.show_event(found)
    }

    /// To the last moment before the picture that the game has an event at; `false` when there was none.
    pub(crate) fn previous_event(&mut self) -> bool {
        let ticks = &self.annals.records().ticks;
        let to = ticks.partition_point(|tick| tick.seq < self.seq());
        let events = ticks[..to].iter().rev().filter(|tick| matches!(tick.kind, TickKind::Event { .. }));
        let found = events.map(|event| self.whole(event)).find(|seq| *seq < self.seq());
        self.show_event(found)
    }

    /// Goes to a command and shows how the picture there came about.
    fn show_event(&mut self, seq: Option<u64>) -> bool {
        if let Some(seq) = seq {
            self.seek_seq(seq);
            self.board.replay(self.now, 2.0 * MOVE_SECS);
        }
        seq.is_some()
    }

    pub(crate) fn go_to_start(&mut self) {
        self.wanted = None;
        self.playback.seek_seq(&self.log, 0);
        self.show(false);
    }

    /// To the end: of a live match, back to the present.
    pub(crate) fn go_to_end(&mut self) {
        self.wanted = None;
        self.playback.go_live(&self.log);
        self.show(false);
    }

    /// Back to the present of a live match.
    pub(crate) fn go_live(&mut self) {
        if self.is_live() {
            self.go_to_end();
        }
    }

    /// Tries to connect at once.
    pub(crate) fn reconnect_now(&self) {
        if let Some(feed) = &self.feed {
            feed.reconnect_now();
        }
    }
}
