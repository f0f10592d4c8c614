//! Interface of a turn game to matches, recordings and the command line.

use std::fmt::Debug;

use grandstand_protocol::{Command, Game};
use grandstand_rules::turn::{Drawn, Position};
use serde_json::{Map, Value};

use crate::settings::SettingsError;
use crate::spec::Side;

/// Turn game: its settings and the beginning of its matches.
pub trait TurnGame: Clone + Debug + Send + Sync + 'static {
    /// Position of the game.
    type Position: Drawn;

    /// Reads the settings of `game` by their names in a file, except those of time. Missing settings have their
    /// defaults.
    ///
    /// # Errors
    /// An unknown or wrong setting, or settings that allow no match.
    fn read(game: Game, settings: Map<String, Value>) -> Result<Self, SettingsError>;

    /// Every setting in force, by its name.
    fn settings(&self) -> Map<String, Value>;

    /// Game whose dialect draws the match.
    fn game(&self) -> Game;

    /// The two sides.
    fn sides(&self) -> [Side; 2];

    /// Beginning of a match.
    fn beginning(&self) -> Beginning<Self::Position>;

    /// The match with this seed in a series whose players change sides after each match. The matches of a pair begin in
    /// the same way.
    #[must_use]
    fn variation(&self, seed: u64, swapped: bool) -> Self;

    /// Points of the sides, in a game that has points.
    fn score(position: &Self::Position) -> Option<[u64; 2]>;
}

/// Beginning of a match.
#[derive(Debug, Clone)]
pub struct Beginning<P: Position> {
    /// Position before the players' first decision.
    pub position: P,
    /// Moves that led to the position.
    pub moves: Vec<P::Move>,
    /// Commands that draw the position, including those moves.
    pub drawing: Vec<Command>,
    /// Whether the players place the first stones and choose colours.
    pub swap2: bool,
}
