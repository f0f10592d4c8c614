//! A turn game, as matches, recordings and the command line know it.

use std::fmt::Debug;

use grandstand_protocol::{Command, Game};
use grandstand_rules::turn::{Drawn, Position};
use serde_json::{Map, Value};

use crate::settings::SettingsError;
use crate::spec::Side;

/// What a game supplies to be played by turns: its settings and its beginning.
pub trait TurnGame: Clone + Debug + Send + Sync + 'static {
    /// Its positions.
    type Position: Drawn;

    /// Reads the settings of `game` by their names in a file, all but those of time; what the map leaves out has its default.
    ///
    /// # Errors
    /// What is unknown or wrong, and whatever makes it impossible to begin.
    fn read(game: Game, settings: Map<String, Value>) -> Result<Self, SettingsError>;

    /// Every setting in force, by its name.
    fn settings(&self) -> Map<String, Value>;

    /// Whose dialect it is drawn in.
    fn game(&self) -> Game;

    /// Its two sides.
    fn sides(&self) -> [Side; 2];

    /// Its beginning.
    fn beginning(&self) -> Beginning<Self::Position>;

    /// The match with this seed where several are played, the players changing sides after each: those of a pair begin alike.
    #[must_use]
    fn variation(&self, seed: u64, swapped: bool) -> Self;

    /// The points of the sides, where the game has some.
    fn score(position: &Self::Position) -> Option<[u64; 2]>;
}

/// How a match begins.
#[derive(Debug, Clone)]
pub struct Beginning<P: Position> {
    /// The position before the players do anything.
    pub position: P,
    /// The moves that led there.
    pub moves: Vec<P::Move>,
    /// How that is drawn, those moves too.
    pub drawing: Vec<Command>,
    /// Whether the players place the first stones and choose colours.
    pub swap2: bool,
}
