//! The versions of the games' rules.

use grandstand_protocol::Game;

/// The version of a game's rules: raised when the same match, with the same settings, seed and players, would be drawn
/// differently. What draws a match is the rules, how they are drawn, and the players that come with them. `None` for a game without rules
/// here.
#[must_use]
pub const fn version(game: Game) -> Option<u32> {
    match game {
        Game::Abalone | Game::Shark | Game::Fortress | Game::Gomoku | Game::Pente | Game::Riskless => Some(1),
        Game::Grid => None,
    }
}
