//! State of a match, and all operations that change it.

mod turn;

use std::collections::BTreeMap;

use grandstand_protocol::abalone::{Command, Facing, Hex, Piece, Scene, Team};
use grandstand_protocol::{self as protocol, Micros, clean_text};
use thiserror::Error;

use super::action::{Action, Object, Reply, TeamStat};
use super::board::{Board, Bot};
use super::outcome::Finish;
use super::rules::Rules;
use super::setup::{Setup, SetupError};
use super::turn_moves::TurnMoves;
use crate::{Pid, Refusal, SplitMix64};

/// A match of Abalone as its bots see it: sections 2 and 3 of the handout.
///
/// The world knows pids and no programs. The runner of the threads reports their actions in order of
/// (cycle, pid), and calls [`end_cycle`](Self::end_cycle) at least for every
/// [`next_event_cycle`](Self::next_event_cycle) before any action of a later cycle. Cycles count from 1. All
/// changes are in [`drain_commands`](Self::drain_commands): folding those commands into an empty
/// [`Scene`] gives [`scene`](Self::scene), except for the talk. A clone is a snapshot.
#[derive(Debug, Clone)]
pub struct World {
    rules: Rules,
    random: SplitMix64,
    board: Board,
    /// The blocked bots; `true` for a bot that waits for its own team's turn.
    waiting: BTreeMap<Pid, bool>,
    score: [u32; 2],
    turn: u32,
    cycle: u64,
    talks: [u32; 2],
    dropped_talks: [u64; 2],
    finish: Option<Finish>,
    commands: Vec<protocol::Command>,
    /// The results of moves; `None` unless they are kept.
    moves: Option<Vec<TurnMoves>>,
}

/// The reason why an action has no effect and no answer. It is never a program's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ActError {
    /// The pid has no piece on the board.
    #[error("pid {0} has no piece")]
    NoPiece(Pid),
    /// The match is over.
    #[error("the match is over")]
    Over,
}

/// The reason why a spawn fails (section 2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SpawnError {
    /// Every hex around the spawning bot is taken.
    #[error("no hex next to the bot is empty")]
    NoRoom,
    /// The team's first turn is over.
    #[error("the team's first turn is over")]
    TooLate,
    /// The team has `MAX_PIECES` pieces.
    #[error("the team has all the pieces that it may")]
    TooMany,
    /// The parent has no piece, the child already has one, or the match is over.
    #[error("the pids are not of a bot and a new thread of a match that goes on")]
    NotABot,
}

impl Refusal for SpawnError {
    fn rule(&self) -> &'static str {
        match self {
            Self::NoRoom => "no-room",
            Self::TooLate => "too-late",
            Self::TooMany => "too-many-pieces",
            Self::NotABot => "over",
        }
    }
}

/// The effects of the end of a cycle on threads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CycleEnd {
    /// The bots that were pushed off, in that order, in their last state on the board: their threads end now.
    pub dead: Vec<Bot>,
    /// The bots whose wait is over, by ascending pid: each gets 0.
    pub woken: Vec<Pid>,
}

impl World {
    /// The start of a match between the threads `black` and `white`. `seed` determines the hexes of spawned pieces.
    ///
    /// # Errors
    /// [`SetupError`] if the settings or the setup are invalid.
    pub fn new(rules: Rules, seed: u64, black: Pid, white: Pid) -> Result<Self, SetupError> {
        Self::from_setup(&Setup::start(rules, seed, black, white))
    }

    /// The position that `setup` describes. No bot is blocked.
    ///
    /// # Errors
    /// [`SetupError`] if the settings or the setup are invalid.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let board = setup.board()?;
        let mut world = Self {
            rules: setup.rules.clone(),
            random: SplitMix64::new(setup.seed),
            board,
            waiting: BTreeMap::new(),
            score: [setup.score.0, setup.score.1],
            turn: setup.turn,
            cycle: u64::from(setup.turn - 1) * setup.rules.cycles_per_turn + 1,
            talks: [0; 2],
            dropped_talks: [0; 2],
            finish: None,
            commands: Vec::new(),
            moves: None,
        };
        world.commands = world.draw().into_iter().map(Into::into).collect();
        Ok(world)
    }

    /// The settings.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The current turn, counted from 1; odd turns end with black's moves, even ones with white's.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The points of `team`.
    pub fn score(&self, team: Team) -> u32 {
        self.score[team.index()]
    }

    /// The pieces on the board, by ascending pid.
    pub fn bots(&self) -> &[Bot] {
        self.board.bots()
    }

    /// The piece on `hex`.
    pub fn bot_at(&self, hex: Hex) -> Option<&Bot> {
        self.board.bot_at(hex)
    }

    /// The number of pieces of `team` on the board.
    pub fn pieces(&self, team: Team) -> usize {
        self.board.count(team)
    }

    /// Whether the bot of `pid` is blocked.
    pub fn is_waiting(&self, pid: Pid) -> bool {
        self.waiting.contains_key(&pid)
    }

    /// The number of messages of `team` dropped because of `TALKS_PER_TURN`.
    pub fn dropped_talks(&self, team: Team) -> u64 {
        self.dropped_talks[team.index()]
    }

    /// The end of the match; `None` while it goes on.
    pub fn finish(&self) -> Option<&Finish> {
        self.finish.as_ref()
    }

    /// The next cycle at whose end something happens without an action: the end of a turn or of the match. After the end
    /// of the match, the cycle of that end.
    pub fn next_event_cycle(&self) -> u64 {
        match &self.finish {
            Some(finish) => finish.cycle,
            None => self.turn_end(self.turn).min(self.rules.game_length),
        }
    }

    /// All drawing commands since the last call, oldest first; the first call also returns the whole board before them. They include
    /// a marker of the kind `push-off` for every piece that is pushed off.
    pub fn drain_commands(&mut self) -> Vec<protocol::Command> {
        std::mem::take(&mut self.commands)
    }

    /// Keeps the results of moves from now on, for [`drain_moves`](Self::drain_moves). Nothing else changes.
    pub fn keep_moves(&mut self) {
        self.moves.get_or_insert_default();
    }

    /// The results of the moves of all turns since the last call, oldest first; empty unless they are [kept](Self::keep_moves).
    pub fn drain_moves(&mut self) -> Vec<TurnMoves> {
        self.moves.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The commands that draw the current state on any board: scores, turn and all 61 hexes.
    pub fn draw(&self) -> Vec<Command> {
        let mut commands: Vec<Command> = Team::ALL.map(|team| self.score_command(team)).into();
        commands.push(Command::Turns { value: self.turn });
        commands.extend(Hex::all().map(|hex| self.set_command(hex)));
        commands
    }

    /// The scene of the current state, without talk.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        for command in self.draw() {
            scene.apply(0, Micros(0), &command);
        }
        scene
    }

    /// Performs an action of the thread `pid` in `cycle` (section 3.2).
    ///
    /// # Errors
    /// [`ActError`] if the thread has no piece, or the match is over.
    pub fn act(&mut self, cycle: u64, pid: Pid, action: Action) -> Result<Reply, ActError> {
        self.enter(cycle);
        if self.finish.is_some() {
            return Err(ActError::Over);
        }
        let bot = *self.board.bot(pid).ok_or(ActError::NoPiece(pid))?;
        Ok(match action {
            Action::MyStat => Reply::Position { hex: bot.hex, facing: bot.commit },
            Action::TeamStat => {
                Reply::Teams { own: self.stat(bot.team), other: self.stat(bot.team.opponent()) }
            }
            Action::GameStat => {
                Reply::Game { turn: self.turn, cycles_to_move: self.cycles_to_move(bot.team) }
            }
            Action::Inspect { row, diagonal } => {
                let hex = i8::try_from(row).ok().zip(i8::try_from(diagonal).ok());
                Reply::Object(
                    self.object(bot.team, hex.and_then(|(row, diagonal)| Hex::from_rd(row, diagonal))),
                )
            }
            Action::Look(Facing::None) => Reply::Objects(Vec::new()),
            Action::Look(facing) => {
                let mut objects = Vec::with_capacity(9);
                let mut hex = bot.hex.neighbour(facing);
                while hex.is_some() {
                    objects.push(self.object(bot.team, hex));
                    hex = hex.and_then(|hex| hex.neighbour(facing));
                }
                objects.push(Object::OffBoard);
                Reply::Objects(objects)
            }
            Action::Scan => Reply::Objects(
                Facing::DIRECTIONS
                    .iter()
                    .map(|&facing| self.object(bot.team, bot.hex.neighbour(facing)))
                    .collect(),
            ),
            Action::CommitMove(facing) => {
                if let Some(hex) = self.board.commit(pid, facing) {
                    self.show(hex);
                }
                Reply::Done
            }
            Action::WaitTurn => {
                self.waiting.insert(pid, false);
                Reply::Wait
            }
            Action::WaitMyTurn => {
                self.waiting.insert(pid, true);
                Reply::Wait
            }
            Action::Talk(text) => {
                self.talk(bot.team, &text);
                Reply::Done
            }
        })
    }

    /// Spawns a piece for the thread `child` of `parent` in `cycle` (section 2.6). Returns the hex of the new
    /// piece.
    ///
    /// # Errors
    /// [`SpawnError`] says why nothing is spawned.
    pub fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> Result<Hex, SpawnError> {
        self.enter(cycle);
        let bot = *self.board.bot(parent).ok_or(SpawnError::NotABot)?;
        if self.finish.is_some() || self.board.bot(child).is_some() {
            return Err(SpawnError::NotABot);
        }
        if self.turn > first_turn(bot.team) {
            return Err(SpawnError::TooLate);
        }
        if self.board.count(bot.team) >= self.rules.max_pieces as usize {
            return Err(SpawnError::TooMany);
        }
        let empty: Vec<Hex> = Facing::DIRECTIONS
            .iter()
            .filter_map(|&facing| bot.hex.neighbour(facing))
            .filter(|&hex| self.board.at(hex).is_none())
            .collect();
        let hex = self.random.choose(&empty).ok_or(SpawnError::NoRoom)?;
        self.board.add(Bot { pid: child, team: bot.team, hex, commit: Facing::None });
        self.show(hex);
        Ok(hex)
    }

    /// Handles the end of the thread `pid` in `cycle`, whether it returned, is stuck or exceeds a limit: its piece is
    /// removed and the other team scores. Returns the piece, or `None` for a thread without one (its piece was pushed
    /// off, or the match is over).
    pub fn ended(&mut self, cycle: u64, pid: Pid) -> Option<Bot> {
        self.enter(cycle);
        if self.finish.is_some() {
            return None;
        }
        let bot = self.board.remove(pid)?;
        self.waiting.remove(&pid);
        self.show(bot.hex);
        self.add_point(bot.team.opponent());
        Some(bot)
    }

    fn stat(&self, team: Team) -> TeamStat {
        let pieces = u32::try_from(self.board.count(team)).unwrap_or(u32::MAX);
        let spawns =
            if self.turn > first_turn(team) { 0 } else { self.rules.max_pieces.saturating_sub(pieces) };
        TeamStat { pieces, score: self.score(team), spawns }
    }

    fn cycles_to_move(&self, team: Team) -> u64 {
        let turn = if self.mover() == team { self.turn } else { self.turn + 1 };
        self.turn_end(turn).saturating_sub(self.cycle)
    }

    fn object(&self, team: Team, hex: Option<Hex>) -> Object {
        match hex.map(|hex| self.board.at(hex)) {
            None => Object::OffBoard,
            Some(None) => Object::Empty,
            Some(Some((_, other))) if other == team => Object::Piece,
            Some(Some(_)) => Object::OtherPiece,
        }
    }

    fn talk(&mut self, team: Team, text: &str) {
        let said = &mut self.talks[team.index()];
        if *said >= self.rules.talks_per_turn {
            self.dropped_talks[team.index()] += 1;
            return;
        }
        *said += 1;
        self.commands.push(Command::Say { team, text: clean_text(text).into() }.into());
    }

    fn add_point(&mut self, team: Team) {
        self.score[team.index()] += 1;
        let command = self.score_command(team);
        self.commands.push(command.into());
    }

    fn show(&mut self, hex: Hex) {
        let command = self.set_command(hex);
        self.commands.push(command.into());
    }

    fn score_command(&self, team: Team) -> Command {
        Command::Score { team, value: i32::try_from(self.score(team)).unwrap_or(i32::MAX) }
    }

    fn set_command(&self, hex: Hex) -> Command {
        let piece = self.board.bot_at(hex).map(|bot| Piece { team: bot.team, facing: bot.commit });
        Command::Set { hex, piece }
    }
}

/// The number of the turn that ends with the first moves of `team`.
fn first_turn(team: Team) -> u32 {
    match team {
        Team::Black => 1,
        Team::White => 2,
    }
}
