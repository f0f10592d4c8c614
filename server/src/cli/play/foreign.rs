//! Refusal of options that belong to other games.

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as _, Command};
use grandstand_matches::games::title;
use grandstand_protocol::Game;

use super::args::PlayArgs;

/// Refuses options of `play` that belong to other games than `game`.
pub(super) fn refuse(game: Game, given: &ArgMatches) -> anyhow::Result<()> {
    let play = PlayArgs::augment_args(Command::new("play"));
    for option in play.get_arguments() {
        let is_given = given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
        if let Some(games) = games(option)
            && is_given
            && !games.contains(&game)
        {
            let of: Vec<&str> = games.into_iter().map(title).collect();
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

/// The games that an option belongs to, by the names in its heading; `None` if it is general.
fn games(option: &Arg) -> Option<Vec<Game>> {
    let heading = option.get_help_heading()?;
    let named: Vec<Game> = Game::ALL.into_iter().filter(|game| heading.contains(title(*game))).collect();
    (!named.is_empty()).then_some(named)
}
