//! Running match of a turn game: its players, on their threads or called directly, and the referee between them.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit};
use grandstand_matches::turns::outcome::{Presentation, ending, progress};
use grandstand_matches::turns::referee::{Input, Referee, Stamped, Verdict};
use grandstand_matches::{Ending, LogLine, RunningMatch, Seats, StampedCommand, Tracing};
use grandstand_protocol::Scene;
use grandstand_protocol::terminal::line;
use grandstand_rules::SplitMix64;
use grandstand_rules::clock::TimeControl;
use grandstand_rules::turn::{Drawn, Side};

use super::direct::{Asked, DirectHost};
use super::kinds::question;
use super::player::{MatchOver, Player};
use super::player_thread::{PlayerHandle, Question, Signal, Start};
use super::reports::{Event, Report};
use crate::input_file::InputFile;
use crate::seats::{SeatList, SeatSlot};

/// Longest wait of one call of `advance`, so that the progress can be shown meanwhile.
const LOOK: Duration = Duration::from_millis(250);
/// Time in which the players must finish after the match; slower ones are left behind.
const FINISH: Duration = Duration::from_secs(3);

/// A running match. Dropping it stops the players.
pub(super) struct LiveTurnMatch<P: Drawn> {
    referee: Referee<P>,
    presentation: Presentation<P>,
    /// Whether a person types at this terminal, where a progress line would disturb.
    quiet: bool,
    players: Players<P>,
    /// Time after its deadline during which each player's answer may still arrive.
    grace: [Duration; 2],
    /// Seats of the players that have one.
    slots: [Option<SeatSlot>; 2],
    seats: SeatList,
    signals: Receiver<Signal<P::Move>>,
    ready: [bool; 2],
    gone: [bool; 2],
    /// Moment at which the match began.
    began: Option<Instant>,
    /// Deadline of the player whose turn it is.
    deadline: Option<Instant>,
    /// Deadline for the players to finish after the match.
    finish_by: Option<Instant>,
    finished: bool,
    inputs: Option<InputFile>,
    log: Vec<String>,
}

/// The players of a match.
enum Players<P: Drawn> {
    Threads([PlayerHandle<P>; 2]),
    /// Players that never keep the match waiting.
    Direct(Box<[DirectHost<P>; 2]>),
}

impl<P: Drawn> Players<P> {
    /// Deadline of a player for getting ready.
    fn ready_by(&self, player: usize) -> Option<Instant> {
        match self {
            Players::Threads(players) => players[player].ready_by,
            Players::Direct(players) => players[player].ready_by(),
        }
    }

    /// Ends a player: its answer is not waited for, and no further questions follow.
    fn dismiss(&mut self, player: usize, over: Option<MatchOver<P>>) {
        match self {
            Players::Threads(players) => players[player].dismiss(over),
            Players::Direct(players) => players[player].dismiss(over),
        }
    }
}

impl<P: Drawn> std::fmt::Debug for LiveTurnMatch<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveTurnMatch").field("referee", &self.referee).finish_non_exhaustive()
    }
}

impl<P: Drawn> LiveTurnMatch<P> {
    /// Starts the players; the match begins when both are ready.
    pub(super) fn start(
        referee: Referee<P>,
        presentation: Presentation<P>,
        quiet: bool,
        players: [Box<dyn Player<P>>; 2],
        time: TimeControl,
        seed: u64,
        inputs: Option<InputFile>,
    ) -> io::Result<Self> {
        let (sender, signals) = mpsc::channel();
        let slots = players.each_ref().map(|player| player.slot());
        let grace = players.each_ref().map(|player| player.grace());
        let seats = SeatList::new(slots.iter().flatten().cloned().collect());
        let mut random = SplitMix64::new(seed);
        let mut start = |index: usize| Start {
            side: Side::ALL[index],
            position: referee.position().clone(),
            time,
            seed: random.next_u64(),
            sparing: !presentation.real,
        };
        let starts = [start(0), start(1)];
        let [mut first, mut second] = players;
        let direct = first.direct().is_some() && second.direct().is_some();
        let [of_first, of_second] = starts;
        let players = if direct {
            let host = |index, player, start| DirectHost::new(index, player, start, sender.clone());
            Players::Direct(Box::new([host(0, first, of_first), host(1, second, of_second)]))
        } else {
            let host = |index, player, start| PlayerHandle::start(index, player, start, sender.clone());
            Players::Threads([host(0, first, of_first)?, host(1, second, of_second)?])
        };
        let running = Self {
            referee,
            presentation,
            quiet,
            players,
            grace,
            slots,
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
        // At once, since seats are announced before the players are ready.
        running.place_slots();
        Ok(running)
    }

    /// Moment of an input within the match, in whole microseconds, as files have it.
    fn moment(&self, at: Instant, input: &Input<P::Move>) -> Duration {
        if self.presentation.real {
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

    /// Applies an input to the referee, and acts on the result.
    fn tell(&mut self, at: Instant, input: Input<P::Move>) {
        let was = self.referee.pending();
        let stamped = Stamped { at: self.moment(at, &input), input };
        // A late input, such as a message of a player that has lost meanwhile, is refused and not recorded.
        if self.referee.apply(&stamped).is_ok()
            && let Some(inputs) = &mut self.inputs
        {
            inputs.write(&stamped.to_line(self.referee.position()));
        }
        if self.referee.verdict().is_some() {
            self.close();
        } else if self.referee.pending() != was {
            self.place_slots();
            self.ask();
        }
    }

    /// Updates the team, the question of an opening and the turn of every seat. All at once, since an opening may have
    /// swapped the teams.
    fn place_slots(&self) {
        for (player, slot) in self.slots.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let side = self.referee.side_of(player);
            let pending = self.referee.pending().filter(|pending| pending.player == player);
            let question = pending.and_then(|pending| pending.asked).map(|asked| question::<P>(asked, side));
            let other = P::team_name(side.opponent());
            let turn = match self.referee.pending() {
                Some(pending) if pending.player == player => Ok(()),
                Some(_) => Err(format!("it is {other}'s turn")),
                None => Err(format!("the match has not begun: {other} is not there yet")),
            };
            slot.place(P::team_name(side), question, turn);
        }
    }

    /// Asks the player whose turn it is.
    fn ask(&mut self) {
        self.deadline = None;
        let Some(pending) = self.referee.pending() else { return };
        let side = self.referee.side_of(pending.player);
        let left = Side::ALL.map(|side| self.referee.left(side));
        let budget = self.referee.budget(side);
        match &mut self.players {
            Players::Threads(players) => players[pending.player].ask(Question {
                asked: pending.asked,
                position: self.referee.position().clone(),
                moves: self.referee.moves().to_vec(),
                side,
                left,
                budget,
            }),
            Players::Direct(players) => {
                let began = Instant::now();
                let deadline = budget.and_then(|budget| began.checked_add(budget));
                players[pending.player].ask(Asked { asked: pending.asked, side, left, began, deadline });
            }
        }
    }

    /// The next signal, if it comes within `wait`.
    fn next_signal(&mut self, wait: Duration) -> Result<Signal<P::Move>, RecvTimeoutError> {
        let Players::Direct(players) = &mut self.players else { return self.signals.recv_timeout(wait) };
        let (position, moves) = (self.referee.position(), self.referee.moves());
        // In a turn only the asked player is called. Before the match both are: first both start to get ready, then
        // each is waited for.
        let asked = self.referee.pending().map(|pending| pending.player);
        let waits: &[Duration] = if asked.is_some() { &[wait] } else { &[Duration::ZERO, wait / 2] };
        for wait in waits {
            for player in players.iter_mut().filter(|player| asked.is_none_or(|asked| player.is(asked))) {
                if let Ok(signal) = self.signals.try_recv() {
                    return Ok(signal);
                }
                player.go_on(position, moves, Instant::now() + *wait);
            }
        }
        self.signals.try_recv().map_err(|_nothing| RecvTimeoutError::Timeout)
    }

    /// Ends the players when the match is over.
    fn close(&mut self) {
        self.deadline = None;
        if self.finish_by.is_none() {
            for player in 0..2 {
                let over = self.over(player);
                self.players.dismiss(player, over);
            }
            self.finish_by = Some(Instant::now() + FINISH);
        }
    }

    /// Result of the match for a player.
    fn over(&self, player: usize) -> Option<MatchOver<P>> {
        let Verdict { winner, termination, detail, .. } = self.referee.verdict()?;
        Some(MatchOver {
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
                    Ok(Answer::Move(mv)) => Input::Move(player, mv),
                    Ok(Answer::Place(stones)) => Input::Place(player, stones),
                    Ok(Answer::Stay) => Input::Stay(player),
                    Ok(Answer::Swap) => Input::Swap(player),
                    Ok(Answer::Resign) => Input::Resign(player),
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

    /// Deadline for the next signal, and the player that loses without one.
    fn patience(&self) -> Option<(Instant, usize, Forfeit)> {
        if let (Some(deadline), Some(pending)) = (self.deadline, self.referee.pending()) {
            let late = Forfeit::new(Forfeit::TIME, "");
            return Some((deadline + self.grace[pending.player], pending.player, late));
        }
        if self.began.is_some() {
            return None;
        }
        let unready = (0..2).filter(|&player| !self.ready[player]);
        let by = unready.filter_map(|player| Some((self.players.ready_by(player)?, player)));
        let (by, player) = by.min()?;
        Some((by + self.grace[player], player, Forfeit::new(Forfeit::STARTUP, "it was not ready in time")))
    }

    /// Waits until all players have finished or the time for that is over; then nothing of the match is left.
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

impl<P: Drawn> RunningMatch for LiveTurnMatch<P> {
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
        match self.next_signal(wait) {
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
            // Both threads ended without a signal, which never happens.
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
        let lines = lines.map(|text| line(&text).into_owned().into());
        self.referee.drain_actions().into_iter().chain(lines).collect()
    }

    fn trace(&mut self, tracing: Tracing) {
        if tracing == Tracing::Actions {
            self.referee.keep_actions();
        }
    }

    fn scene(&self) -> Scene {
        self.referee.scene()
    }

    fn seats(&self) -> Option<Arc<dyn Seats>> {
        (!self.seats.is_empty()).then(|| Arc::new(self.seats.clone()) as Arc<dyn Seats>)
    }

    fn progress(&self) -> String {
        if self.quiet {
            return String::new();
        }
        progress(&self.referee, self.presentation.sides, self.elapsed(Instant::now()))
    }

    fn ending(&self) -> Option<Ending> {
        let verdict = self.referee.verdict().filter(|_| self.finished)?;
        Some(ending(&self.referee, &self.presentation, verdict))
    }
}
