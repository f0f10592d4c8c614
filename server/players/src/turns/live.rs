//! A match of turns that is being played: its players on their threads, and the referee between them.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use grandstand_protocol::Scene;
use grandstand_rules::SplitMix64;
use grandstand_rules::clock::TimeControl;
use grandstand_rules::turn::{Drawn, Side};
use serde_json::{Map, Value, json};

use super::host::{Answer, Host, Question, Signal, Start};
use super::inputs::InputWriter;
use super::player::{Bid, Choice, Forfeit, Over, Player};
use super::players::question;
use super::referee::{Input, Referee, Stamped, Verdict};
use super::reports::{Event, Report};
use crate::arena::{self, Chair, Contest, Ending, LogLine, Seats, StampedCommand, each};
use grandstand_matches::terminal::line;

/// For how long a match looks for what happens before it lets somebody tell how it stands.
const LOOK: Duration = Duration::from_millis(250);
/// How long players may take to finish after the match; who takes longer is left behind.
const FINISH: Duration = Duration::from_secs(3);

/// What a match is called by who watches it: its sides, and what it is besides its commands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<P> {
    pub(super) sides: [arena::Side; 2],
    /// The points of a position, in games that have some.
    pub(super) score: fn(&P) -> Option<[u64; 2]>,
    /// Whether time passes by the clock; otherwise each move is a tick.
    pub(super) real: bool,
    /// Whether somebody types at this terminal, where no line of progress should be then.
    pub(super) quiet: bool,
}

/// A match that is being played. Dropping it stops the players.
pub(super) struct TurnContest<P: Drawn> {
    referee: Referee<P>,
    frame: Frame<P>,
    hosts: [Host<P>; 2],
    /// How long the answer of each may be on its way after the end of its time.
    grace: [Duration; 2],
    /// The seats of the players who have one.
    chairs: [Option<Chair>; 2],
    seats: Seats,
    signals: Receiver<Signal<P::Move>>,
    ready: [bool; 2],
    gone: [bool; 2],
    /// When the match began.
    began: Option<Instant>,
    /// When who is asked has lost if nothing has come.
    deadline: Option<Instant>,
    /// Until when the players are waited for after the match.
    finish_by: Option<Instant>,
    finished: bool,
    inputs: Option<InputWriter>,
    log: Vec<String>,
}

impl<P: Drawn> std::fmt::Debug for TurnContest<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TurnContest").field("referee", &self.referee).finish_non_exhaustive()
    }
}

impl<P: Drawn> TurnContest<P> {
    /// Starts the players; the match begins when both are ready.
    pub(super) fn start(
        referee: Referee<P>,
        frame: Frame<P>,
        players: [Box<dyn Player<P>>; 2],
        time: TimeControl,
        seed: u64,
        inputs: Option<InputWriter>,
    ) -> io::Result<Self> {
        let (sender, signals) = mpsc::channel();
        let chairs = players.each_ref().map(|player| player.chair());
        let grace = players.each_ref().map(|player| player.grace());
        let seats = Seats::new(chairs.iter().flatten().cloned().collect());
        let mut random = SplitMix64::new(seed);
        let mut host = |index: usize, player| {
            let start = Start {
                side: Side::ALL[index],
                position: referee.position().clone(),
                time,
                seed: random.next_u64(),
                sparing: !frame.real,
            };
            Host::start(index, player, start, sender.clone())
        };
        let [first, second] = players;
        let hosts = [host(0, first)?, host(1, second)?];
        let contest = Self {
            referee,
            frame,
            hosts,
            grace,
            chairs,
            seats,
            signals,
            ready: [false; 2],
            gone: [false; 2],
            began: None,
            deadline: None,
            finish_by: None,
            finished: false,
            inputs,
            log: Vec::new(),
        };
        // At once: they are announced before the players are ready.
        contest.place_chairs();
        Ok(contest)
    }

    /// The moment of the match at which this comes, in whole microseconds, as files have them.
    fn moment(&self, at: Instant, input: &Input<P::Move>) -> Duration {
        if self.frame.real {
            self.elapsed(at)
        } else {
            let done = u64::from(!matches!(input, Input::Begin | Input::Turn));
            Duration::from_millis(self.referee.moves().len() as u64 + done)
        }
    }

    fn elapsed(&self, at: Instant) -> Duration {
        let elapsed = self.began.map_or(Duration::ZERO, |began| at.saturating_duration_since(began));
        Duration::from_micros(elapsed.as_micros() as u64)
    }

    /// Tells the referee, and does what follows.
    fn tell(&mut self, at: Instant, input: Input<P::Move>) {
        let was = self.referee.pending();
        let stamped = Stamped { at: self.moment(at, &input), input };
        // What comes too late, such as the words of a player that has lost meanwhile, is nothing that happened.
        if self.referee.apply(&stamped).is_ok()
            && let Some(inputs) = &mut self.inputs
        {
            inputs.write(&stamped.to_line(self.referee.position()));
        }
        if self.referee.verdict().is_some() {
            self.close();
        } else if self.referee.pending() != was {
            self.place_chairs();
            self.ask();
        }
    }

    /// Tells each seat which team it has now, what it is asked of an opening, and whether it is its turn. All at once: an opening may have
    /// swapped them.
    fn place_chairs(&self) {
        for (player, chair) in self.chairs.iter().enumerate() {
            let Some(chair) = chair else { continue };
            let side = self.referee.side_of(player);
            let pending = self.referee.pending().filter(|pending| pending.player == player);
            let question = pending.and_then(|pending| pending.asked).map(|asked| question::<P>(asked, side));
            let other = P::team_name(side.opponent());
            let turn = match self.referee.pending() {
                Some(pending) if pending.player == player => Ok(()),
                Some(_) => Err(format!("it is {other}'s turn")),
                None => Err(format!("the match has not begun: {other} is not there yet")),
            };
            chair.place(P::team_name(side), question, turn);
        }
    }

    /// Hands the turn over to who must answer now.
    fn ask(&mut self) {
        self.deadline = None;
        if let Some(pending) = self.referee.pending() {
            let side = self.referee.side_of(pending.player);
            self.hosts[pending.player].ask(Question {
                asked: pending.asked,
                position: self.referee.position().clone(),
                moves: self.referee.moves().to_vec(),
                side,
                left: Side::ALL.map(|side| self.referee.left(side)),
                budget: self.referee.budget(side),
            });
        }
    }

    /// The match is over: the players are to finish.
    fn close(&mut self) {
        self.deadline = None;
        if self.finish_by.is_none() {
            for player in 0..2 {
                let over = self.over(player);
                self.hosts[player].dismiss(over);
            }
            self.finish_by = Some(Instant::now() + FINISH);
        }
    }

    /// How it ended, for that player.
    fn over(&self, player: usize) -> Option<Over<P>> {
        let Verdict { winner, termination, detail, .. } = self.referee.verdict()?;
        Some(Over {
            position: self.referee.position().clone(),
            moves: self.referee.moves().to_vec(),
            side: self.referee.side_of(player),
            winner: *winner,
            termination,
            detail: detail.clone(),
        })
    }

    fn take(&mut self, signal: Signal<P::Move>) {
        match signal {
            Signal::Ready(player, Ok(())) => {
                self.ready[player] = true;
                if self.ready == [true; 2] && self.began.is_none() {
                    let now = Instant::now();
                    self.began = Some(now);
                    self.tell(now, Input::Begin);
                }
            }
            Signal::Ready(player, Err(forfeit)) => self.tell(Instant::now(), Input::Forfeit(player, forfeit)),
            Signal::Began(player, at) => {
                let side = self.referee.side_of(player);
                self.deadline = self.referee.budget(side).and_then(|budget| at.checked_add(budget));
                self.tell(at, Input::Turn);
            }
            Signal::Answered(player, at, answer) => {
                let input = match answer {
                    Ok(Answer::Choice(Choice::Move(mv))) => Input::Move(player, mv),
                    Ok(Answer::Bid(Bid::Place(stones))) => Input::Place(player, stones),
                    Ok(Answer::Bid(Bid::Stay)) => Input::Stay(player),
                    Ok(Answer::Bid(Bid::Swap)) => Input::Swap(player),
                    Ok(Answer::Choice(Choice::Resign) | Answer::Bid(Bid::Resign)) => Input::Resign(player),
                    Err(forfeit) => Input::Forfeit(player, forfeit),
                };
                self.tell(at, input);
            }
            Signal::Report(Event { player, at, report }) => match report {
                Report::Thought(thought) => self.tell(at, Input::Thought(player, thought)),
                Report::Say(text) => self.tell(at, Input::Say(player, text)),
                Report::Name(name) => self.tell(at, Input::Name(player, name)),
                Report::Resign => self.tell(at, Input::Resign(player)),
                Report::Note(text) => self.referee.note(player, &text),
            },
            Signal::Gone(player) => self.gone[player] = true,
        }
    }

    /// Until when the next signal is waited for, and who has lost without one.
    fn patience(&self) -> Option<(Instant, usize, Forfeit)> {
        if let (Some(deadline), Some(pending)) = (self.deadline, self.referee.pending()) {
            let late = Forfeit::new(Forfeit::TIME, "");
            return Some((deadline + self.grace[pending.player], pending.player, late));
        }
        if self.began.is_some() {
            return None;
        }
        let unready = (0..2).filter(|&player| !self.ready[player]);
        let by = unready.filter_map(|player| Some((self.hosts[player].ready_by?, player)));
        let (by, player) = by.min()?;
        Some((by + self.grace[player], player, Forfeit::new(Forfeit::STARTUP, "it was not ready in time")))
    }

    /// Waits for who has not finished; once all have, or their time is over, nothing of the match is left.
    fn wait_for_the_last(&mut self, by: Instant) {
        while self.gone != [true; 2] {
            match self.signals.recv_timeout(by.saturating_duration_since(Instant::now())) {
                Ok(Signal::Gone(player)) => self.gone[player] = true,
                Ok(Signal::Report(Event { player, report: Report::Note(text), .. })) => {
                    self.referee.note(player, &text);
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        for player in (0..2).filter(|&player| !self.gone[player]) {
            self.referee.note(player, "it does not finish, and is left behind");
        }
        if let Some(inputs) = self.inputs.take()
            && let Err(error) = inputs.finish()
        {
            self.log.push(format!("the file of inputs is not complete: {error}"));
        }
        self.finished = true;
    }
}

impl<P: Drawn> Contest for TurnContest<P> {
    fn advance(&mut self) {
        if self.finished {
            return;
        }
        if let Some(by) = self.finish_by {
            return self.wait_for_the_last(by);
        }
        let patience = self.patience();
        let now = Instant::now();
        let wait =
            patience.as_ref().map_or(LOOK, |(until, ..)| LOOK.min(until.saturating_duration_since(now)));
        match self.signals.recv_timeout(wait) {
            Ok(signal) => self.take(signal),
            Err(RecvTimeoutError::Timeout) => {
                if let Some((until, player, forfeit)) = patience
                    && Instant::now() >= until
                {
                    let input = match forfeit.termination {
                        Forfeit::TIME => Input::TimeOver(player),
                        _ => Input::Forfeit(player, forfeit),
                    };
                    self.tell(until - self.grace[player], input);
                }
            }
            // Both threads are gone without a word, which they never are.
            Err(RecvTimeoutError::Disconnected) => {
                let player = self.referee.pending().map_or(0, |pending| pending.player);
                let gone = Forfeit::new(Forfeit::CRASH, "the player is gone");
                self.tell(now, Input::Forfeit(player, gone));
            }
        }
    }

    fn drain_commands(&mut self) -> Vec<StampedCommand> {
        self.referee.drain_commands()
    }

    fn drain_log_lines(&mut self) -> Vec<LogLine> {
        let lines = self.referee.drain_log().into_iter().chain(self.log.drain(..));
        lines.map(|text| line(&text).into_owned().into()).collect()
    }

    fn scene(&self) -> Scene {
        self.referee.scene()
    }

    fn seats(&self) -> Seats {
        self.seats.clone()
    }

    fn progress(&self) -> String {
        if self.frame.quiet {
            return String::new();
        }
        progress(&self.referee, self.frame.sides, self.elapsed(Instant::now()))
    }

    fn ending(&self) -> Option<Ending> {
        let verdict = self.referee.verdict().filter(|_| self.finished)?;
        Some(ending(&self.referee, &self.frame, verdict))
    }
}

/// How a match stands, in one line.
fn progress<P: Drawn>(referee: &Referee<P>, sides: [arena::Side; 2], at: Duration) -> String {
    let Some(pending) = referee.pending() else { return "the players get ready".to_owned() };
    let mut line = format!("move {}", referee.moves().len() + 1);
    for side in Side::ALL {
        let mark = if side == referee.side_of(pending.player) { "*" } else { "" };
        line += &format!(", {}{mark}", sides[side.index()].name);
        if let Some(millis) = referee.shows(side, at) {
            line += &format!(" {}", clock_text(millis));
        }
    }
    line
}

/// What a clock shows: `4:03`, and tenths of a second in the last ten.
pub(super) fn clock_text(millis: i64) -> String {
    let (sign, left) = (if millis < 0 { "-" } else { "" }, millis.unsigned_abs());
    let (minutes, seconds) = (left / 60_000, left / 1_000 % 60);
    match (minutes, seconds) {
        (0, 0..10) => format!("{sign}{seconds}.{}", left / 100 % 10),
        (0..60, _) => format!("{sign}{minutes}:{seconds:02}"),
        _ => format!("{sign}{}:{:02}:{seconds:02}", minutes / 60, minutes % 60),
    }
}

/// How a match ended, for who counts and records matches.
pub(super) fn ending<P: Drawn>(referee: &Referee<P>, frame: &Frame<P>, verdict: &Verdict) -> Ending {
    let mut detail = Map::new();
    if let Some(reason) = &verdict.detail {
        detail.insert("reason".to_owned(), reason.as_str().into());
    }
    if frame.real {
        let millis = referee.thought().map(|thought| json!(thought.as_millis() as u64));
        detail.insert("thinking_millis".to_owned(), each(frame.sides, millis));
    }
    let swapped = referee.side_of(0) == Side::Second;
    if swapped {
        detail.insert("swapped".to_owned(), Value::Bool(true));
    }
    Ending {
        sides: frame.sides,
        tick: verdict.tick,
        winner: verdict.winner.map(Side::index),
        termination: verdict.termination,
        score: (frame.score)(referee.position()),
        lengths: vec![("moves", referee.moves().len() as u64)],
        detail,
        remarks: Map::new(),
        words: verdict.detail.clone(),
        swapped,
    }
}
