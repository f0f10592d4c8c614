//! Interface of games with alternate moves and complete information, by which the referee, the searches and the players
//! handle every such game.

use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;

use grandstand_protocol::name::FullName;
pub use grandstand_protocol::team::Outcome;
use grandstand_protocol::team::{ByTeam, TwoTeams};
use grandstand_protocol::turn::{self, Clock, Command as Common, LINE_MAX};
use grandstand_protocol::{Command, Game, Micros, Scene, Text, clean_text};

use crate::SplitMix64;

/// The two players, by the order of their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that moves first: black in Gomoku and Pente, Maxie in Riskless.
    First,
    /// The side that moves second: white, Minnie.
    Second,
}

impl Side {
    /// Both sides, in the order of their moves.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// The other side.
    #[must_use]
    pub fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The side's index in [`Side::ALL`], 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The end of a game by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// The outcome.
    pub outcome: Outcome<Side>,
    /// The reason for the end: one of the words that the game documents.
    pub termination: &'static str,
}

/// A position of a turn game, with everything that determines its continuations.
///
/// Two equal positions have the same legal moves, and each of them leads to equal positions.
pub trait Position: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// One move. The order is the one in which [`legal_moves`](Position::legal_moves) lists them.
    type Move: Copy + Debug + Ord + Hash + Send + Sync + 'static;
    /// The reason why a move is illegal.
    type Illegal: Error + Clone + PartialEq + Send + Sync + 'static;
    /// The reason why a text is not a move.
    type Unreadable: Error + Send + Sync + 'static;

    /// The side to move; after the end of the game, the side that would be to move.
    fn to_move(&self) -> Side;

    /// The number of moves before this position.
    fn ply(&self) -> u32;

    /// The end of the game; `None` while it goes on.
    fn end(&self) -> Option<End>;

    /// Appends the legal moves, in ascending order. There are none once the game is over, and at least one before.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Checks that the move is legal here. After the end of the game no move is.
    ///
    /// # Errors
    /// The violated rule.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a legal move without a check. After an illegal one the position is undefined, but there is no
    /// panic.
    fn advance(&mut self, mv: Self::Move);

    /// Plays a move.
    ///
    /// # Errors
    /// [`Refused`] returns the position, after the end of the game and for an illegal move.
    fn play(mut self, mv: Self::Move) -> Result<Self, Refused<Self>> {
        if let Some(end) = self.end() {
            return Err(Refused { position: Box::new(self), why: WhyRefused::Over(end) });
        }
        match self.check(mv) {
            Ok(()) => {
                self.advance(mv);
                Ok(self)
            }
            Err(illegal) => Err(Refused { position: Box::new(self), why: WhyRefused::Illegal(illegal) }),
        }
    }

    /// Parses a move in the game's notation. Its legality is checked only by [`check`](Position::check).
    ///
    /// # Errors
    /// The expected and the found text.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::Unreadable>;

    /// A move in the game's notation, as [`parse_move`](Position::parse_move) reads it.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A hash of all that is equal in equal positions: the key of transposition tables.
    fn key(&self) -> u64;
}

/// Drawing of a turn game in the game's dialect. The commands of a position do not include the result of the match, which
/// a clock may decide: [`over`](Drawn::over) draws it.
pub trait Drawn: Position {
    /// The game.
    fn game(&self) -> Game;

    /// The dialect's teams.
    type Team: TwoTeams;

    /// The dialect's form of a move.
    type Drawing;

    /// A move in the dialect's form.
    fn drawing(mv: Self::Move) -> Self::Drawing;

    /// A command common to all turn games, in this game's dialect.
    fn common(command: Common<Self::Team, Self::Drawing>) -> Command;

    /// The side's team.
    fn team(side: Side) -> Self::Team {
        Self::Team::ALL[side.index()]
    }

    /// The name of the side's team in the dialect: `black`.
    fn team_name(side: Side) -> &'static str {
        Self::team(side).name()
    }

    /// The commands that draw the whole position.
    fn draw(&self) -> Vec<Command>;

    /// The commands of a legal move. `self` is the position before it, `after` the one after it.
    fn draw_move(&self, mv: Self::Move, after: &Self) -> Vec<Command>;

    /// The scene of the position, without clocks, names, talk, thoughts and results.
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(self.game());
        for command in self.draw() {
            scene.apply(0, Micros(0), &command);
        }
        scene
    }

    /// The command for a clock in milliseconds, negative after a timeout, and whether it runs.
    fn clock(side: Side, millis: i64, running: bool) -> Command {
        let millis = millis.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Self::common(Common::Clock(Clock { team: Self::team(side), millis, running }))
    }

    /// The command for a player's thought. A long line is cut.
    fn thought(side: Side, thought: &Thought<Self::Move>) -> Command {
        Self::common(Common::Thought(drawn_thought::<Self>(side, thought)))
    }

    /// The command for a late thought, about the position after `ply` moves.
    fn late_thought(side: Side, ply: u32, thought: &Thought<Self::Move>) -> Command {
        let thought = drawn_thought::<Self>(side, thought);
        Self::common(Common::LateThought(turn::LateThought { ply, thought }))
    }

    /// The command for a player's talk.
    fn say(side: Side, text: &str) -> Command {
        Self::common(Common::Say { team: Self::team(side), text: Text::from(clean_text(text)) })
    }

    /// The command for the names of the players, in the order of [`Side::ALL`], as one word each; `None` if a name is empty.
    fn names([first, second]: [&str; 2]) -> Option<Command> {
        Some(Self::common(Common::Names(ByTeam::new(
            FullName::one_word(first)?,
            FullName::one_word(second)?,
        ))))
    }

    /// The command for the outcome of the match.
    fn over(outcome: Outcome<Side>) -> Command {
        Self::common(Common::Win { winner: outcome.map(Self::team) })
    }
}

fn drawn_thought<P: Drawn>(side: Side, thought: &Thought<P::Move>) -> turn::Thought<P::Team, P::Drawing> {
    let Thought { score, depth, nodes, ref line } = *thought;
    let line = line.iter().copied().take(LINE_MAX).map(P::drawing).collect();
    turn::Thought { team: P::team(side), score, depth, nodes, line }
}

/// A player's thought about a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought<M> {
    /// The score from the player's own view; ±30000 is a forced win or loss.
    pub score: i32,
    /// The search depth in moves.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The expected moves, the player's own first.
    pub line: Vec<M>,
}

/// A uniformly random legal move; `None` once the game is over. This is the player
/// `random`.
pub fn random_move<P: Position>(position: &P, random: &mut SplitMix64) -> Option<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    random.choose(&moves)
}

/// The error for a move that was not played, with the unchanged position.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct Refused<P: Position> {
    /// The unchanged position.
    pub position: Box<P>,
    /// The reason why the move was not played.
    pub why: WhyRefused<P::Illegal>,
}

/// The reason why a move was not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WhyRefused<I> {
    /// The game is over.
    #[error("the game is over ({})", .0.termination)]
    Over(End),
    /// The move is illegal here.
    #[error("{0}")]
    Illegal(I),
}
