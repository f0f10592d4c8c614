//! Games in which two players move by turns and see everything: what the referee, the searches and the players
//! know of any of them.

use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;

use grandstand_protocol::name::FullName;
pub use grandstand_protocol::team::Outcome;
use grandstand_protocol::team::{ByTeam, TwoTeams};
use grandstand_protocol::turn::{self, Clock, Command as Common, LINE_MAX};
use grandstand_protocol::{Command, Game, Micros, Scene, Text, clean_text};

use crate::SplitMix64;

/// The two players: who moves first, and the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Moves first: black in games of stones, Maxie in Riskless.
    First,
    /// Moves second: white, Minnie.
    Second,
}

impl Side {
    /// Both, in the order in which they move.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// The other one.
    #[must_use]
    pub fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 or 1: where it stands in [`Side::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// Who has won.
    pub outcome: Outcome<Side>,
    /// Why it is over, by one of the words that the game documents.
    pub termination: &'static str,
}

/// A position of such a game, with all that decides how it may go on.
///
/// Two equal positions have the same legal moves, and each of them leads to equal positions.
pub trait Position: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// One move. The order is the one in which [`legal_moves`](Position::legal_moves) lists them.
    type Move: Copy + Debug + Ord + Hash + Send + Sync + 'static;
    /// Why a move is not legal.
    type Illegal: Error + Clone + PartialEq + Send + Sync + 'static;
    /// Why a text is not a move.
    type Unreadable: Error + Send + Sync + 'static;

    /// Whose turn it is. Once the game is over: whose it would be.
    fn to_move(&self) -> Side;

    /// How many moves were played before this position.
    fn ply(&self) -> u32;

    /// How the game ended, once it has.
    fn end(&self) -> Option<End>;

    /// Appends the legal moves, in ascending order. There are none once the game is over, and at least one before.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Whether the move may be played here, or why not. Nothing may once the game is over.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move that is known to be legal, without asking again; what follows an illegal one is undefined, but no
    /// panic.
    fn advance(&mut self, mv: Self::Move);

    /// Plays a move.
    ///
    /// # Errors
    /// [`Refused`] hands the position back, when the game is over and when the move is not legal.
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

    /// Reads a move in the game's notation. Whether it is legal is for [`check`](Position::check) to say.
    ///
    /// # Errors
    /// What was expected, and what came.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::Unreadable>;

    /// A move in the game's notation, as [`parse_move`](Position::parse_move) reads it.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A hash of all that is equal in equal positions: the key of transposition tables.
    fn key(&self) -> u64;
}

/// How a turn game is drawn, in the dialect of the game. The result of a match is not among the drawings of a position:
/// a clock may decide it, so [`over`](Drawn::over) draws it whatever the reason.
pub trait Drawn: Position {
    /// Which game it is.
    fn game(&self) -> Game;

    /// The sides as the dialect names them.
    type Team: TwoTeams;

    /// A move as the dialect writes it.
    type Drawing;

    /// The move as the dialect writes it.
    fn drawing(mv: Self::Move) -> Self::Drawing;

    /// A command that all turn games have, in the dialect of this one.
    fn common(command: Common<Self::Team, Self::Drawing>) -> Command;

    /// The side's team.
    fn team(side: Side) -> Self::Team {
        Self::Team::ALL[side.index()]
    }

    /// What the side is called in the dialect: `black`.
    fn team_name(side: Side) -> &'static str {
        Self::team(side).name()
    }

    /// The whole position, from nothing.
    fn draw(&self) -> Vec<Command>;

    /// What a legal move changes; this is the position before it, and `after` the one behind it.
    fn draw_move(&self, mv: Self::Move, after: &Self) -> Vec<Command>;

    /// What these commands must show: no clocks, names, talk, thoughts and results.
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(self.game());
        for command in self.draw() {
            scene.apply(0, Micros(0), &command);
        }
        scene
    }

    /// What a clock shows, in milliseconds, negative when overstepped, and whether it runs.
    fn clock(side: Side, millis: i64, running: bool) -> Command {
        let millis = millis.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Self::common(Common::Clock(Clock { team: Self::team(side), millis, running }))
    }

    /// What a player thinks; of a long line its beginning.
    fn thought(side: Side, thought: &Thought<Self::Move>) -> Command {
        Self::common(Common::Thought(drawn_thought::<Self>(side, thought)))
    }

    /// What a player thought after so many moves.
    fn late_thought(side: Side, ply: u32, thought: &Thought<Self::Move>) -> Command {
        let thought = drawn_thought::<Self>(side, thought);
        Self::common(Common::LateThought(turn::LateThought { ply, thought }))
    }

    /// What a player says.
    fn say(side: Side, text: &str) -> Command {
        Self::common(Common::Say { team: Self::team(side), text: Text::from(clean_text(text)) })
    }

    /// Who plays the sides, in the order of [`Side::ALL`], as one word each; `None` when a name has no character.
    fn names([first, second]: [&str; 2]) -> Option<Command> {
        Some(Self::common(Common::Names(ByTeam::new(team_name(first)?, team_name(second)?))))
    }

    /// How the match came out.
    fn over(outcome: Outcome<Side>) -> Command {
        Self::common(Common::Win { winner: outcome.map(Self::team) })
    }
}

fn drawn_thought<P: Drawn>(side: Side, thought: &Thought<P::Move>) -> turn::Thought<P::Team, P::Drawing> {
    let Thought { score, depth, nodes, ref line } = *thought;
    let line = line.iter().copied().take(LINE_MAX).map(P::drawing).collect();
    turn::Thought { team: P::team(side), score, depth, nodes, line }
}

/// A name as dialects have it: one word, in which blanks are `_`, and not too long. `None` for one without a character.
fn team_name(name: &str) -> Option<FullName> {
    let is_blank = |c: char| c.is_whitespace() || c.is_control();
    let word: String = name.chars().take(32).map(|c| if is_blank(c) { '_' } else { c }).collect();
    word.parse().ok()
}

/// What a player thinks of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought<M> {
    /// From the player's own view; ±30000 is a forced win or loss.
    pub score: i32,
    /// How many moves ahead.
    pub depth: u32,
    /// Positions that were looked at.
    pub nodes: u64,
    /// The moves that it expects, its own first.
    pub line: Vec<M>,
}

/// A move drawn from the legal ones, each as likely as the others; `None` once the game is over. This is how the player
/// `random` plays.
pub fn random_move<P: Position>(position: &P, random: &mut SplitMix64) -> Option<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    random.choose(&moves)
}

/// A move that was not played, with the position as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct Refused<P: Position> {
    /// The position, as it was handed in.
    pub position: Box<P>,
    /// Why the move was not played.
    pub why: WhyRefused<P::Illegal>,
}

/// Why a move was not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WhyRefused<I> {
    /// The game is over.
    #[error("the game is over ({})", .0.termination)]
    Over(End),
    /// The move is not legal here.
    #[error("{0}")]
    Illegal(I),
}
