//! Refusal of options that are for other games.

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as _, Command};
use grandstand_matches::games::title;
use grandstand_protocol::Game;

use super::args::PlayArgs;
use super::headings::GAMES;

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
