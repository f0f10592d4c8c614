//! The games that have a dialect.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A game, and with it the dialect that its server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Game {
    /// Robot Abalone: [`crate::abalone`].
    Abalone,
    /// λ-Shark, capture the flag: [`crate::shark`].
    Shark,
    /// Steam Fortress: [`crate::fortress`].
    Fortress,
    /// Five in a row: [`crate::stones`].
    Gomoku,
    /// Five in a row, or five captured pairs: [`crate::stones`].
    Pente,
    /// Armies on a map: [`crate::riskless`].
    Riskless,
    /// Any game that is drawn as characters on a grid: [`crate::grid`].
    Grid,
}

/// The word is not the name of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a game: expected {GAME_NAMES}")]
pub struct GameError(String);

/// The names of all games, as an error lists them.
pub(crate) const GAME_NAMES: &str = "abalone, shark, fortress, gomoku, pente, riskless or grid";

impl Game {
    /// Every game.
    pub const ALL: [Game; 7] =
        [Game::Abalone, Game::Shark, Game::Fortress, Game::Gomoku, Game::Pente, Game::Riskless, Game::Grid];

    /// The game's name, as it is written in text and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Game::Abalone => "abalone",
            Game::Shark => "shark",
            Game::Fortress => "fortress",
            Game::Gomoku => "gomoku",
            Game::Pente => "pente",
            Game::Riskless => "riskless",
            Game::Grid => "grid",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Game {
    type Err = GameError;

    fn from_str(name: &str) -> Result<Game, GameError> {
        let found = Game::ALL.into_iter().find(|game| game.name() == name);
        found.ok_or_else(|| GameError(crate::text::shorten(name, 40)))
    }
}
