//! Headings of `play --help`, and the games that the options under them are for.

use grandstand_protocol::Game;

/// Headings of `play --help`, which say what the options under them are for.
pub(super) const ABALONE: &str = "Settings of Abalone";
pub(super) const THREADS: &str = "Bots that are threads of a program: Abalone and λ-Shark";
pub(super) const PROGRAMS: &str =
    "Programs that play: teams of Steam Fortress and engines of Gomoku and Pente";
pub(super) const FORTRESS: &str = "Steam Fortress between programs";
pub(super) const REAL_TIME: &str = "Matches in real time: Steam Fortress, Gomoku, Pente and Riskless";
pub(super) const BY_TURNS: &str = "Clocks of Gomoku, Pente and Riskless";
pub(super) const STONES: &str = "Gomoku and Pente";

/// The games that each of these headings names.
pub(super) const GAMES: [(&str, &[Game]); 7] = [
    (ABALONE, &[Game::Abalone]),
    (THREADS, &[Game::Abalone, Game::Shark]),
    (PROGRAMS, &[Game::Fortress, Game::Gomoku, Game::Pente]),
    (FORTRESS, &[Game::Fortress]),
    (REAL_TIME, &[Game::Fortress, Game::Gomoku, Game::Pente, Game::Riskless]),
    (BY_TURNS, &[Game::Gomoku, Game::Pente, Game::Riskless]),
    (STONES, &[Game::Gomoku, Game::Pente]),
];
