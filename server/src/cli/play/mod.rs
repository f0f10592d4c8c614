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
mod rematch;
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
use serde_json::Map;

pub use self::args::PlayArgs;
use crate::games;

/// Plays the match or matches of the arguments; `given` are the same arguments as parsed by clap.
///
/// # Errors
/// If the arguments are invalid, or a file or connection fails.
pub fn run(args: &PlayArgs, given: &ArgMatches) -> anyhow::Result<ExitCode> {
    foreign::refuse(args.game, given)?;
    if args.rematches && !(args.needs_server() && args.offers_rematches()) {
        bail!("--rematches needs a player seat, which this program serves itself");
    }
    let Some(spec) = games::from_description(&args.description(&Map::new())) else {
        let known = alternatives(&GAMES.map(|entry| entry.game.name()));
        bail!("no rules are known for the game {}; expected {known}", args.game);
    };
    let spec = spec?;
    match args.many.matches {
        Some(matches) => many::run(args, &*spec, matches),
        None if args.needs_server() => {
            let window = !args.no_window;
            let further = args.offers_rematches() && (args.rematches || window && super::host::has_window());
            super::host::serve_match(window, |bridge, abandoned| {
                rematch::play(args, &*spec, bridge, abandoned, further)
            })
        }
        None => Ok(single::run(args, args.players(), &*spec, None, &AtomicBool::new(false), None)?.status),
    }
}
