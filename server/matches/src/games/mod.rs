//! Games, one folder each, and their table: the parts that all matches of a game share.

pub mod abalone;
pub mod fortress;
pub mod riskless;
pub mod shark;
pub mod stones;

use grandstand_languages::Language;
use grandstand_protocol::{Game, MatchHeader};

use crate::drawn_by::drawn_by;
use crate::match_game::MatchGame;

/// Evaluates an expression for a [`Game`] that programs of our languages play, with `$World` as the type that implements
/// [`GameWorld`](crate::machine::GameWorld) for it; `None` for other games.
#[macro_export]
macro_rules! by_world {
    ($game:expr, $World:ident => $do:expr) => {
        match $game {
            ::grandstand_protocol::Game::Abalone => {
                type $World = ::grandstand_rules::abalone::World;
                Some($do)
            }
            ::grandstand_protocol::Game::Shark => {
                type $World = ::grandstand_rules::shark::World;
                Some($do)
            }
            ::grandstand_protocol::Game::Fortress
            | ::grandstand_protocol::Game::Gomoku
            | ::grandstand_protocol::Game::Pente
            | ::grandstand_protocol::Game::Riskless
            | ::grandstand_protocol::Game::Grid => None,
        }
    };
}

/// Games that have rules.
pub static GAMES: [&MatchGame; 6] = [
    &abalone::ABALONE,
    &shark::SHARK,
    &fortress::FORTRESS,
    &stones::GOMOKU,
    &stones::PENTE,
    &riskless::RISKLESS,
];

/// The entry of a game; `None` for one without rules.
pub fn of(game: Game) -> Option<&'static MatchGame> {
    GAMES.into_iter().find(|entry| entry.game == game)
}

/// Name of the game within a sentence.
pub fn title(game: Game) -> &'static str {
    match game {
        Game::Abalone => "Abalone",
        Game::Grid => "the grid",
        _ => game.title(),
    }
}

/// Language of a game's programs; `None` for a game that is not played by programs of our languages.
pub fn language(game: Game) -> Option<Language> {
    of(game)?.language
}

/// Game that programs in a language play.
pub fn of_language(language: Language) -> Option<&'static MatchGame> {
    GAMES.into_iter().find(|entry| entry.language == Some(language))
}

/// Reason for which the match of a header may be drawn differently when it is played again. `None` if there is none,
/// or the header does not tell what drew it.
pub fn changed(game: Game, header: &MatchHeader) -> Option<String> {
    header.by.as_ref()?.changed(&drawn_by(game, language(game))?)
}
