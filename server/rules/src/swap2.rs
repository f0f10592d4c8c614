//! Swap2: an opening in which the players decide who moves first.
//!
//! The player of the first side places three stones, of alternate sides. The other player keeps the
//! second side, or takes the first, or places two more stones and leaves the choice of a side to the first player. Then
//! the game goes on: both after three stones and after five it is the second side's turn.
//!
//! In this module the players are named by the sides that they begin with.
//!
//! ```
//! use grandstand_rules::stones::{Opening, Position, Rules};
//! use grandstand_rules::swap2::{Choice, Stage, Swap2};
//! use grandstand_rules::turn::Side;
//!
//! let start = Position::new(&Rules { opening: Opening::Swap2, ..Rules::default() })?;
//! let mut opening = Swap2::new(start);
//! for point in ["h8", "i9", "c3"] {
//!     assert_eq!(opening.chooser(), Some(Side::First));
//!     opening.choose(Choice::Place(point.parse()?))?;
//! }
//! assert_eq!(opening.chooser(), Some(Side::Second));
//! opening.choose(Choice::Take(Side::First))?;
//! assert_eq!((opening.chooser(), opening.stage()), (None, Stage::Settled { swapped: true }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use thiserror::Error;

use crate::turn::{Drawn, Side};

/// The number of stones that the first player places.
const PLACED: u32 = 3;
/// The number of stones after the second player has placed two more.
const PLACED_MORE: u32 = 5;

/// An opening by swap2, with the position to which its stones are added.
#[derive(Debug, Clone, PartialEq)]
pub struct Swap2<P> {
    position: P,
    /// The number of stones placed in the opening.
    stones: u32,
    stage: Stage,
}

/// The stage of the opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The first player places three stones, one after another.
    Place,
    /// The second player takes a side, or places the first of two more stones.
    Answer,
    /// The second player places the second of these stones.
    PlaceMore,
    /// The first player takes a side.
    Choose,
    /// The sides are settled.
    Settled {
        /// Whether the first player now has the second side.
        swapped: bool,
    },
}

/// A player's choice in the opening. In ascending order: the sides, then the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice<M> {
    /// Takes this side.
    Take(Side),
    /// Places a stone of the side to move.
    Place(M),
}

/// The reason why a choice is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IllegalChoice<I> {
    /// A side was chosen where a stone must be placed.
    #[error("sides are taken when three stones are placed; expected a point")]
    TakenEarly,
    /// A stone was placed where a side must be chosen.
    #[error("five stones are placed; expected one of the sides, `{0}` or `{1}`")]
    PlacedLate(&'static str, &'static str),
    /// The stone can't be placed.
    #[error(transparent)]
    Illegal(I),
    /// The sides are settled.
    #[error("the opening is over: who has which side is settled")]
    Settled,
}

impl<P: Drawn> Swap2<P> {
    /// The opening, before the first stone.
    pub fn new(start: P) -> Self {
        Self { position: start, stones: 0, stage: Stage::Place }
    }

    /// The position after the stones so far; once the sides are settled the game goes on from here.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The stage of the opening.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The player who chooses next, by the side that this player began with; `None` once the sides are settled.
    pub fn chooser(&self) -> Option<Side> {
        match self.stage {
            Stage::Place | Stage::Choose => Some(Side::First),
            Stage::Answer | Stage::PlaceMore => Some(Side::Second),
            Stage::Settled { .. } => None,
        }
    }

    /// Appends the legal choices, in ascending order; none once the sides are settled.
    pub fn legal_choices(&self, choices: &mut Vec<Choice<P::Move>>) {
        if matches!(self.stage, Stage::Answer | Stage::Choose) {
            choices.extend(Side::ALL.map(Choice::Take));
        }
        if matches!(self.stage, Stage::Place | Stage::Answer | Stage::PlaceMore) {
            let mut moves = Vec::new();
            self.position.legal_moves(&mut moves);
            choices.extend(moves.into_iter().map(Choice::Place));
        }
    }

    /// Checks that a choice is legal.
    ///
    /// # Errors
    /// [`IllegalChoice`] contains the violated rule.
    pub fn check(&self, choice: Choice<P::Move>) -> Result<(), IllegalChoice<P::Illegal>> {
        match (self.stage, choice) {
            (Stage::Settled { .. }, _) => Err(IllegalChoice::Settled),
            (Stage::Answer | Stage::Choose, Choice::Take(_)) => Ok(()),
            (Stage::Place | Stage::PlaceMore, Choice::Take(_)) => Err(IllegalChoice::TakenEarly),
            (Stage::Choose, Choice::Place(_)) => {
                let [first, second] = Side::ALL.map(P::team_name);
                Err(IllegalChoice::PlacedLate(first, second))
            }
            (_, Choice::Place(mv)) => self.position.check(mv).map_err(IllegalChoice::Illegal),
        }
    }

    /// Performs a choice.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check); the opening is then unchanged.
    pub fn choose(&mut self, choice: Choice<P::Move>) -> Result<(), IllegalChoice<P::Illegal>> {
        self.check(choice)?;
        match choice {
            Choice::Take(side) => {
                // The player who takes a side has it, and the other player has the other one.
                self.stage = Stage::Settled { swapped: self.chooser() != Some(side) };
            }
            Choice::Place(mv) => {
                self.position.advance(mv);
                self.stones += 1;
                self.stage = match self.stones {
                    0..PLACED => Stage::Place,
                    PLACED => Stage::Answer,
                    PLACED_MORE => Stage::Choose,
                    _ => Stage::PlaceMore,
                };
            }
        }
        Ok(())
    }
}
