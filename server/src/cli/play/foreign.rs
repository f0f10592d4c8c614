//! Options that are for some games alone: in a match of another game they are refused.

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as _, Command};
use grandstand_protocol::Game;

use super::PlayArgs;
use crate::arena::title;

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
const GAMES: [(&str, &[Game]); 7] = [
    (ABALONE, &[Game::Abalone]),
    (THREADS, &[Game::Abalone, Game::Shark]),
    (PROGRAMS, &[Game::Fortress, Game::Gomoku, Game::Pente]),
    (FORTRESS, &[Game::Fortress]),
    (REAL_TIME, &[Game::Fortress, Game::Gomoku, Game::Pente, Game::Riskless]),
    (BY_TURNS, &[Game::Gomoku, Game::Pente, Game::Riskless]),
    (STONES, &[Game::Gomoku, Game::Pente]),
];

/// Refuses what was given to `play` for other games than `game`.
pub(super) fn refuse(game: Game, given: &ArgMatches) -> anyhow::Result<()> {
    let play = PlayArgs::augment_args(Command::new("play"));
    for option in play.get_arguments() {
        let is_given = given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
        if let Some(games) = games(option)
            && is_given
            && !games.contains(&game)
        {
            let of: Vec<&str> = games.iter().copied().map(title).collect();
            bail!(
                "--{} is for {}, not for {}, whose settings are set by --set NAME=VALUE",
                option.get_long().unwrap_or_default(),
                of.join(", "),
                title(game)
            );
        }
    }
    Ok(())
}

/// The games that an option is for, if it is for some alone.
fn games(option: &Arg) -> Option<&'static [Game]> {
    let heading = option.get_help_heading()?;
    GAMES.iter().find(|(known, _)| *known == heading).map(|(_, games)| *games)
}
