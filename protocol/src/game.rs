//! The games that have a dialect.

use std::str::FromStr;

use crate::by_text::words;

words! {
    /// A game, and with it the dialect that its server speaks.
    Game {
        /// Robot Abalone: [`crate::abalone`].
        Abalone = "abalone",
        /// λ-Shark, capture the flag: [`crate::shark`].
        Shark = "shark",
        /// Steam Fortress: [`crate::fortress`].
        Fortress = "fortress",
        /// Five in a row: [`crate::stones`].
        Gomoku = "gomoku",
        /// Five in a row, or five captured pairs: [`crate::stones`].
        Pente = "pente",
        /// Armies on a map: [`crate::riskless`].
        Riskless = "riskless",
        /// Any game that is drawn as characters on a grid: [`crate::grid`].
        Grid = "grid",
    }
}

/// The word is not the name of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a game: expected {GAME_NAMES}")]
pub struct GameError(String);

/// The names of all games, as an error lists them.
pub(crate) const GAME_NAMES: &str = "abalone, shark, fortress, gomoku, pente, riskless or grid";

impl FromStr for Game {
    type Err = GameError;

    fn from_str(name: &str) -> Result<Game, GameError> {
        Game::named(name).ok_or_else(|| GameError(crate::text::shorten(name, 40)))
    }
}
