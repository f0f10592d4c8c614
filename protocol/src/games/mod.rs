//! Games: a folder for each, and the one table of them all.
//!
//! A folder contains the game's commands, scene and text; its `dialect.rs` implements [`Dialect`](crate::dialect::Dialect).
//! The macros here are the only list of all games: each one selects a game's types, and the trait does the rest.

pub mod abalone;
pub mod fortress;
pub mod grid;
pub mod riskless;
pub mod shark;
pub mod stones;

use crate::by_text::named_by_text;
use crate::dialect::Dialect as _;
use crate::place::Place;
use crate::words;

words! {
    /// A game, which also determines the dialect of its server.
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
        /// Any game on a grid of characters: [`crate::grid`].
        Grid = "grid",
    }
}

/// Evaluates an expression for a [`Game`], with `$scene` as the type that implements `Dialect` for it.
macro_rules! by_game {
    ($game:expr, $scene:ident => $do:expr) => {
        match $game {
            Game::Abalone => {
                type $scene = crate::games::abalone::Scene;
                $do
            }
            Game::Shark => {
                type $scene = crate::games::shark::Scene;
                $do
            }
            Game::Fortress => {
                type $scene = crate::games::fortress::Scene;
                $do
            }
            Game::Gomoku | Game::Pente => {
                type $scene = crate::games::stones::Scene;
                $do
            }
            Game::Riskless => {
                type $scene = crate::games::riskless::Scene;
                $do
            }
            Game::Grid => {
                type $scene = crate::games::grid::Scene;
                $do
            }
        }
    };
}

/// Evaluates an expression for the game's command in a [`Command`](crate::Command). The arms after it are for the commands
/// common to all games. A second name before the arrow is the type that implements `Dialect`.
macro_rules! by_command {
    ($value:expr, $command:ident => $do:expr, $($arms:tt)+) => {
        $crate::games::by_command!($value, $command, _Scene => $do, $($arms)+)
    };
    ($value:expr, $command:ident, $scene:ident => $do:expr, $($arms:tt)+) => {
        match $value {
            Command::Abalone($command) => { type $scene = crate::games::abalone::Scene; $do }
            Command::Shark($command) => { type $scene = crate::games::shark::Scene; $do }
            Command::Fortress($command) => { type $scene = crate::games::fortress::Scene; $do }
            Command::Stones($command) => { type $scene = crate::games::stones::Scene; $do }
            Command::Riskless($command) => { type $scene = crate::games::riskless::Scene; $do }
            Command::Grid($command) => { type $scene = crate::games::grid::Scene; $do }
            $($arms)+
        }
    };
}

/// Evaluates an expression for a scene and a command of the same game. The arms after it are for all other pairs.
macro_rules! by_scene_and_command {
    ($scenes:expr, $commands:expr, $scene:ident, $command:ident => $do:expr, $($arms:tt)+) => {
        match ($scenes, $commands) {
            (Scene::Abalone($scene), Command::Abalone($command)) => $do,
            (Scene::Shark($scene), Command::Shark($command)) => $do,
            (Scene::Fortress($scene), Command::Fortress($command)) => $do,
            (Scene::Stones($scene), Command::Stones($command)) => $do,
            (Scene::Riskless($scene), Command::Riskless($command)) => $do,
            (Scene::Grid($scene), Command::Grid($command)) => $do,
            $($arms)+
        }
    };
}

pub(crate) use {by_command, by_game, by_scene_and_command};

named_by_text!(Game, "a game");

impl Game {
    /// The game's name for people: `λ-Shark`.
    pub fn title(self) -> &'static str {
        by_game!(self, Scene => Scene::title(self))
    }

    /// Whether the game goes by moves: a turn is one, and its command is the turn's first.
    pub fn goes_by_moves(self) -> bool {
        matches!(self, Game::Gomoku | Game::Pente | Game::Riskless)
    }
}

impl Place {
    /// The place of this name, in the game's notation; `None` if no board of the game has a place of this name.
    pub fn parse(game: Game, name: &str) -> Option<Place> {
        by_game!(game, Scene => Scene::place(name))
    }
}
