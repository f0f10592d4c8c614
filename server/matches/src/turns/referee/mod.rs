//! Referee of a turn game: it takes the players' inputs with their moments, and gives the commands to draw. It has no
//! clock and no thread; the same inputs always give the same commands.

mod actions;
mod ending;
mod input;

use std::collections::BTreeMap;
use std::time::Duration;

use grandstand_protocol::turn::LATE_THOUGHTS_MAX;
use grandstand_protocol::{Command, Micros, Scene};
use grandstand_rules::clock::{Clock, TimeControl, TimeControlError};
use grandstand_rules::swap2::{self, Stage, Swap2};
use grandstand_rules::turn::{Drawn, Side};

use ending::outcome_of;
pub use input::{Input, LONGEST_LINE, LONGEST_TEXT, Stamped};

use super::answer::{Forfeit, OpeningQuestion};
use crate::spec::{LogLine, StampedCommand};

/// Everything that decides a match besides the players' inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditions<P: Drawn> {
    /// Position before the players' first decision.
    pub start: P,
    /// Moves that led to it, those of a fixed opening.
    pub moves: Vec<P::Move>,
    /// Commands that draw the position.
    pub drawing: Vec<Command>,
    /// Whether the players place the first stones and choose colours, by the rule swap2.
    pub swap2: bool,
    /// Time control.
    pub time: TimeControl,
    /// Names of the players; the first one begins with the first side.
    pub names: [String; 2],
    /// Whether the players keep these names, and none that they give themselves counts.
    pub keeps_names: bool,
    /// Whether thoughts are drawn at once. Otherwise the last thought before each move is drawn at the end of the
    /// match, so that it does not help a player who sees the board.
    pub show_thoughts: bool,
}

/// Result of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Cause of the end, one of the words that the game documents.
    pub termination: &'static str,
    /// Details of a loss other than by the rules of the game, in words.
    pub detail: Option<String>,
    /// Millisecond of the end.
    pub tick: u64,
}

/// The pending question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// The asked player, 0 or 1.
    pub player: usize,
    /// Question of an opening; `None` for a move.
    pub asked: Option<OpeningQuestion>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Phase {
    /// The players are getting ready.
    Before,
    Asking(Pending),
    Over(Verdict),
}

/// State of a match.
#[derive(Debug, Clone)]
pub struct Referee<P: Drawn> {
    position: P,
    moves: Vec<P::Move>,
    /// The opening that settles the sides, until it is over.
    swap2: Option<Swap2<P>>,
    clock: Clock,
    /// Thinking time of each side.
    thought: [Duration; 2],
    /// Thoughts that are drawn at the end, by the number of moves before them and the side; `None` if thoughts are
    /// drawn at once.
    held: Option<BTreeMap<(u32, usize), Command>>,
    names: [String; 2],
    keeps_names: bool,
    /// Current side of each player.
    sides: [Side; 2],
    phase: Phase,
    tick: u64,
    commands: Vec<StampedCommand>,
    log: Vec<String>,
    /// Actions of players, if they are recorded.
    actions: Option<Vec<LogLine>>,
}

impl<P: Drawn> Referee<P> {
    /// The match before it begins, with commands that draw the board.
    ///
    /// # Errors
    /// If the time control is invalid.
    pub fn new(conditions: Conditions<P>) -> Result<Self, TimeControlError> {
        let Conditions { start, moves, drawing, swap2, time, names, keeps_names, show_thoughts } = conditions;
        let swap2 = swap2.then(|| Swap2::new(start.clone()));
        let mut referee = Self {
            position: start,
            moves,
            swap2,
            clock: Clock::new(time)?,
            thought: [Duration::ZERO; 2],
            held: (!show_thoughts).then(BTreeMap::new),
            names,
            keeps_names,
            sides: Side::ALL,
            phase: Phase::Before,
            tick: 0,
            commands: Vec::new(),
            log: Vec::new(),
            actions: None,
        };
        referee.draw(drawing);
        referee.draw_names();
        for side in Side::ALL {
            referee.draw_clock(side, Duration::ZERO);
        }
        Ok(referee)
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Moves so far, including those of the opening.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The pending question; `None` before and after the match.
    pub fn pending(&self) -> Option<Pending> {
        match self.phase {
            Phase::Asking(pending) => Some(pending),
            Phase::Before | Phase::Over(_) => None,
        }
    }

    /// Result of the match, once it is over.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.phase {
            Phase::Over(verdict) => Some(verdict),
            Phase::Before | Phase::Asking(_) => None,
        }
    }

    /// Current side of a player.
    pub fn side_of(&self, player: usize) -> Side {
        self.sides[player & 1]
    }

    /// Remaining time of a side for the whole match while its clock is stopped.
    pub fn left(&self, side: Side) -> Option<Duration> {
        self.clock.control().time_millis?;
        let millis = self.clock.millis(side, Duration::ZERO)?;
        Some(Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
    }

    /// Time of a side for its next answer.
    pub fn budget(&self, side: Side) -> Option<Duration> {
        let mut clock = self.clock.clone();
        clock.start(side, Duration::ZERO);
        clock.deadline()
    }

    /// Milliseconds that a side's clock shows.
    pub fn shows(&self, side: Side, at: Duration) -> Option<i64> {
        self.clock.millis(side, at)
    }

    /// Thinking time of each side so far, by [`Side::index`].
    pub fn thought(&self) -> [Duration; 2] {
        self.thought
    }

    /// Scene that the commands so far must give, without clocks, talk and thoughts.
    pub fn scene(&self) -> Scene {
        let mut scene = self.position.scene();
        let over = self.verdict().map(|verdict| P::over(outcome_of(verdict.winner)));
        for command in self.name_command().into_iter().chain(over) {
            scene.apply(0, Micros(0), &command);
        }
        scene
    }

    /// Commands drawn since the last call.
    pub fn drain_commands(&mut self) -> Vec<StampedCommand> {
        std::mem::take(&mut self.commands)
    }

    /// Log lines since the last call.
    pub fn drain_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    /// Applies an input. One that does not fit the state of the match is ignored.
    ///
    /// # Errors
    /// The reason for which the input does not fit.
    pub fn apply(&mut self, stamped: &Stamped<P::Move>) -> Result<(), &'static str> {
        if self.verdict().is_some() {
            return Err("the match is over");
        }
        if self.keeps_names && matches!(stamped.input, Input::Name(..)) {
            return Err("the players have names");
        }
        let at = stamped.at;
        // An answer has the moment at which it was there, which may be before an input that was applied earlier.
        self.tick = self.tick.max(u64::try_from(at.as_millis()).unwrap_or(u64::MAX));
        match &stamped.input {
            Input::Begin => self.begin()?,
            Input::Turn => {
                let Pending { player, .. } = self.pending().ok_or("nobody is asked")?;
                if self.clock.running().is_some() {
                    return Err("the clock runs already");
                }
                let side = self.sides[player];
                self.clock.start(side, at);
                self.draw_clock(side, at);
            }
            Input::Move(player, mv) => {
                self.expect(*player, |asked| asked.is_none())?;
                if self.stop_clock(*player, at) {
                    let kept = self.kept_text(*mv);
                    let placed = self.place(*mv);
                    self.keep_move(*player, kept, &placed);
                    if let Err(why) = placed {
                        let mv = self.position.move_text(*mv);
                        self.forfeit(*player, &Forfeit::new(Forfeit::ILLEGAL, format!("{mv}: {why}")));
                    }
                }
                self.go_on();
            }
            Input::Place(player, stones) => {
                self.expect(*player, |asked| asked.is_some())?;
                if self.stop_clock(*player, at) {
                    self.place_all(*player, stones);
                }
            }
            Input::Stay(player) => self.settle(*player, false, at)?,
            Input::Swap(player) => self.settle(*player, true, at)?,
            Input::Resign(player) => {
                self.forfeit(*player, &Forfeit::new(Forfeit::RESIGNED, "it gave up"));
            }
            Input::TimeOver(player) => {
                self.expect(*player, |_| true)?;
                if self.stop_clock(*player, at) {
                    return Err("its time is not over");
                }
            }
            Input::Forfeit(player, forfeit) => self.forfeit(*player, forfeit),
            Input::Thought(player, thought) => {
                let (side, ply) = (self.sides[player & 1], self.position.ply());
                match &mut self.held {
                    None => self.draw([P::thought(side, thought)]),
                    Some(held) => {
                        held.insert((ply, side.index()), P::late_thought(side, ply, thought));
                        if held.len() > LATE_THOUGHTS_MAX {
                            held.pop_first();
                        }
                    }
                }
            }
            Input::Say(player, text) => {
                let command = P::say(self.sides[player & 1], text);
                self.draw([command]);
            }
            Input::Name(player, name) => {
                self.names[player & 1].clone_from(name);
                self.draw_names();
            }
        }
        Ok(())
    }

    /// Adds a note about a player to the log.
    pub fn note(&mut self, player: usize, text: &str) {
        let line = format!("move {}: {}: {text}", self.moves.len(), self.names[player & 1]);
        self.log.push(line);
    }

    fn begin(&mut self) -> Result<(), &'static str> {
        if self.phase != Phase::Before {
            return Err("the match has begun");
        }
        self.go_on();
        Ok(())
    }

    /// Checks that this player is asked, and that the question fits.
    fn expect(
        &self,
        player: usize,
        fits: impl Fn(Option<OpeningQuestion>) -> bool,
    ) -> Result<(), &'static str> {
        match self.pending() {
            Some(pending) if pending.player != player => Err("it is the other player's turn"),
            Some(pending) if !fits(pending.asked) => Err("this is no answer to what was asked"),
            Some(_) if self.clock.running().is_none() => Err("the clock does not run"),
            Some(_) => Ok(()),
            None => Err("nobody is asked"),
        }
    }

    /// Stops the clock of the player that has answered. False if the answer was late, by which the player has lost.
    fn stop_clock(&mut self, player: usize, at: Duration) -> bool {
        let side = self.sides[player & 1];
        let stopped = self.clock.stop(at);
        match stopped {
            Ok(took) => {
                self.thought[side.index()] += took;
                self.draw_clock(side, at);
                true
            }
            Err(late) => {
                self.thought[side.index()] += late.took;
                self.draw_clock(side, at);
                self.forfeit(player, &Forfeit::new(Forfeit::TIME, late.to_string()));
                false
            }
        }
    }

    /// Plays a move.
    fn place(&mut self, mv: P::Move) -> Result<(), String> {
        if let Some(end) = self.position.end() {
            return Err(format!("the game is over ({})", end.termination));
        }
        self.position.check(mv).map_err(|illegal| illegal.to_string())?;
        let before = self.position.clone();
        self.position.advance(mv);
        self.moves.push(mv);
        self.draw(before.draw_move(mv, &self.position));
        Ok(())
    }

    /// Plays the stones that a player places in an opening, and asks the other player.
    fn place_all(&mut self, player: usize, stones: &[P::Move]) {
        let Some(Pending { asked: Some(asked), .. }) = self.pending() else { return };
        if asked.stones() != Some(stones.len()) {
            let why = match asked.stones() {
                Some(count) => format!("{} stones; expected {count}", stones.len()),
                None => "it may place no stones here".to_owned(),
            };
            return self.forfeit(player, &Forfeit::new(Forfeit::ILLEGAL, why));
        }
        for &stone in stones {
            let kept = self.kept_text(stone);
            let placed = self.place_in_opening(stone);
            self.keep_move(player, kept, &placed);
            if let Err(why) = placed {
                let stone = self.position.move_text(stone);
                return self.forfeit(player, &Forfeit::new(Forfeit::ILLEGAL, format!("{stone}: {why}")));
            }
        }
        self.go_on();
    }

    fn place_in_opening(&mut self, stone: P::Move) -> Result<(), String> {
        if let Some(opening) = &mut self.swap2 {
            opening.choose(swap2::Choice::Place(stone)).map_err(|illegal| illegal.to_string())?;
        }
        self.place(stone)
    }

    /// Ends the opening by a player's choice of its side.
    fn settle(&mut self, player: usize, swap: bool, at: Duration) -> Result<(), &'static str> {
        self.expect(player, |asked| asked.is_some())?;
        if self.stop_clock(player, at) {
            if self.pending().is_some_and(|pending| pending.asked == Some(OpeningQuestion::Place)) {
                let early = "sides are taken when three stones are placed";
                self.forfeit(player, &Forfeit::new(Forfeit::ILLEGAL, early));
                return Ok(());
            }
            self.swap2 = None;
            self.keep(player, if swap { "swap" } else { "stay" }, None);
            if swap {
                self.sides.reverse();
                self.thought.reverse();
                self.clock.swap();
                self.draw_names();
                for side in Side::ALL {
                    self.draw_clock(side, at);
                }
            }
            self.go_on();
        }
        Ok(())
    }

    /// Ends the match if its rules say so; otherwise asks the next player.
    fn go_on(&mut self) {
        if self.verdict().is_some() || self.ended_by_rules() {
            return;
        }
        let of_opening = self.swap2.as_ref().and_then(|opening| {
            let asked = match opening.stage() {
                Stage::Place => OpeningQuestion::Place,
                Stage::Answer | Stage::PlaceMore => OpeningQuestion::Answer,
                Stage::Choose => OpeningQuestion::Choose,
                Stage::Settled { .. } => return None,
            };
            // In the opening too, players are identified by the sides with which they begin.
            Some(Pending { player: opening.chooser()?.index(), asked: Some(asked) })
        });
        let player = usize::from(self.sides[0] != self.position.to_move());
        self.phase = Phase::Asking(of_opening.unwrap_or(Pending { player, asked: None }));
    }

    fn draw_names(&mut self) {
        let command = self.name_command();
        self.draw(command);
    }

    fn name_command(&self) -> Option<Command> {
        let of = |side: Side| &*self.names[usize::from(self.sides[0] != side)];
        P::names([of(Side::First), of(Side::Second)])
    }

    /// Draws a side's clock, if there is one.
    fn draw_clock(&mut self, side: Side, at: Duration) {
        if let Some(millis) = self.clock.millis(side, at) {
            let command = P::clock(side, millis, self.clock.running() == Some(side));
            self.draw([command]);
        }
    }

    fn draw(&mut self, commands: impl IntoIterator<Item = Command>) {
        let tick = self.tick;
        self.commands.extend(commands.into_iter().map(|command| StampedCommand { tick, command }));
    }
}
