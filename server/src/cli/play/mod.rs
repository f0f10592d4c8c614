//! `grandstand play`: plays one match, or many, of any game.

mod args;
mod audience;
pub(crate) mod description;
mod diagnostics;
mod foreign;
mod fortress;
mod isolation;
mod many;
pub(crate) mod map;
pub(crate) mod pace;
mod profile;
mod recording;
pub(super) mod report;
pub(crate) mod settings;
mod single;
pub(crate) mod spec;
mod summary;
pub(crate) mod turns;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use clap::ArgMatches;
use grandstand_matches::games::GAMES;
use grandstand_protocol::text::alternatives;

pub use self::args::PlayArgs;
use self::description::MatchDescription;
use crate::games;

/// Plays the match or matches of the arguments; `given` are the same arguments as parsed by clap.
///
/// # Errors
/// If the arguments are invalid, or a file or connection fails.
pub fn run(args: &PlayArgs, given: &ArgMatches) -> anyhow::Result<ExitCode> {
    foreign::refuse(args.game, given)?;
    let Some(spec) = games::from_description(&args.description()) else {
        let known = alternatives(&GAMES.map(|entry| entry.game.name()));
        bail!("no rules are known for the game {}; expected {known}", args.game);
    };
    let spec = spec?;
    match args.many.matches {
        Some(matches) => many::run(args, &*spec, matches),
        None if args.needs_server() => {
            let window = !args.no_window;
            let rematches = window && super::host::has_window() && args.offers_rematches();
            super::host::serve_match(window, |bridge, abandoned| {
                let played = single::run(args, args.players(), &*spec, Some(bridge), abandoned)?;
                if rematches && played.to_its_end {
                    play_rematches(args, bridge, abandoned)?;
                }
                Ok(played.status)
            })
        }
        None => Ok(single::run(args, args.players(), &*spec, None, &AtomicBool::new(false))?.status),
    }
}

/// Plays rematches with swapped colours, each on the next seed, until nobody takes the seat or the window is closed.
fn play_rematches(args: &PlayArgs, bridge: &str, abandoned: &AtomicBool) -> anyhow::Result<()> {
    let [first, second] = args.players();
    let colours = [[second, first], [first, second]];
    for (number, players) in (1..).zip(colours.into_iter().cycle()) {
        let seed = args.seed().wrapping_add(number);
        let description = MatchDescription { players, seed, ..args.description() };
        let Some(spec) = games::from_description(&description) else { break };
        if !single::run(args, players, &*spec?, Some(bridge), abandoned)?.to_its_end {
            break;
        }
    }
    Ok(())
}
