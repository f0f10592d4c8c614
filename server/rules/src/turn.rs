//! Games in which two players move by turns and see everything: what the referee, the searches and the players
//! know of any of them.

use std::error::Error;
use std::fmt::{self, Debug};
use std::hash::Hash;

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

/// Who has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// This side.
    Win(Side),
    /// Nobody.
    Draw,
}

/// How a game ended by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// Who has won.
    pub outcome: Outcome,
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

    /// Whether the move may be played here, or why not.
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

/// A move that was not played, with the position as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused<P: Position> {
    /// The position, as it was handed in.
    pub position: Box<P>,
    /// Why the move was not played.
    pub why: WhyRefused<P::Illegal>,
}

/// Why a move was not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyRefused<I> {
    /// The game is over.
    Over(End),
    /// The move is not legal here.
    Illegal(I),
}

impl<I: fmt::Display> fmt::Display for WhyRefused<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyRefused::Over(end) => write!(f, "the game is over ({})", end.termination),
            WhyRefused::Illegal(illegal) => fmt::Display::fmt(illegal, f),
        }
    }
}

impl<P: Position> fmt::Display for Refused<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.why, f)
    }
}

impl<P: Position> Error for Refused<P> {}
