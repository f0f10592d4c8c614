//! A match of Gomoku, Pente or Riskless, as it is asked for on the command line.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_rules::clock::TimeControl;
use grandstand_rules::stones::{Opening, Openings};
use serde_json::{Map, Value};

use super::PlayArgs;
use crate::arena::{Fixture, SettingsError};
use crate::turns::fixture::{Settings, TIME, TurnMatch, read_settings_with};
use crate::turns::game::TurnGame;
use crate::turns::games::riskless::Riskless;
use crate::turns::games::stones::{self, Stones};
use crate::turns::{Programs, options};

#[derive(Debug, Args)]
pub(super) struct TurnArgs {
    /// What a side has for the whole match, such as 5m, 90s or none; also 5m+3s/30s, with an increment and a limit for a move. A match
    /// with clocks is in real time: the seed does not repeat it, its --inputs do. Without them minimax, random and search:nodes=N play the same
    /// match whenever they play it, as fast as they can
    /// [default: 5m; none where no player depends on time, and with --move-time]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// What is added to that after each move, such as 3s
    #[arg(long, value_name = "TIME")]
    increment: Option<String>,
    /// The most that one move may take, such as 1s
    #[arg(long, value_name = "TIME")]
    move_time: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct StonesArgs {
    /// Columns and rows of the board, odd, from 5 to 999 [default: 15 for gomoku, 19 for pente]
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// What wins at gomoku: freestyle (five or more), exactly5 or renju
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// How gomoku and pente begin: centre (black's first stone), free, swap2, balanced (one of the shipped openings, two matches
    /// each), or a file of openings
    #[arg(long, value_name = "OPENING|FILE")]
    opening: Option<String>,
    /// At pente: black's second stone is at least three from the centre
    #[arg(long)]
    tournament: bool,
}

/// The match of stones that is asked for.
pub(super) fn stones(args: &PlayArgs) -> anyhow::Result<Box<dyn Fixture>> {
    let book = args.stones.book()?;
    fixture::<Stones>(args, |map| {
        let book = book.clone();
        stones::read_with(args.game, map, || book.unwrap_or_else(|| Arc::new(Openings::shipped())))
    })
}

/// The match of Riskless that is asked for.
pub(super) fn riskless(args: &PlayArgs) -> anyhow::Result<Box<dyn Fixture>> {
    fixture::<Riskless>(args, |map| Riskless::read(args.game, map))
}

fn fixture<G: TurnGame>(
    args: &PlayArgs,
    read: impl Fn(Map<String, Value>) -> Result<G, SettingsError>,
) -> anyhow::Result<Box<dyn Fixture>> {
    let own = &args.turns;
    if args.pace.is_some() && own.time()?.is_some() {
        bail!("--pace is for matches without clocks");
    }
    let time = own.time()?.map(|time| (TIME.to_owned(), Value::from(time.to_string())));
    let given: Map<String, Value> = time.into_iter().chain(args.stones.given()).collect();
    let settings: Settings<G> = args.settings.read(args.game, |mut map| {
        map.extend(given.clone());
        read_settings_with(map, &read)
    })?;
    let mut game = TurnMatch::new(settings, args.players(), args.seed())?;
    game.inputs.clone_from(&args.inputs);
    game.programs = Programs {
        limits: args.programs.limits(Programs::default().limits)?,
        isolation: args.programs.isolation(),
        readable: args.programs.readable()?,
        logs: args.programs.logs.clone(),
        several: args.many.matches.is_some(),
    };
    let real = game.tempo().keeps_time;
    if args.pace.is_some() && real {
        bail!("--pace is for matches without clocks: these players need some, and pass time by themselves");
    }
    if args.many.matches.is_some() && game.entrants.iter().any(|entrant| entrant.terminal || entrant.seat) {
        bail!("a person plays one match at a time, without --matches");
    }
    Ok(Box::new(game))
}

impl TurnArgs {
    /// The clocks that are asked for.
    fn time(&self) -> anyhow::Result<Option<TimeControl>> {
        let Self { time, increment, move_time, .. } = self;
        if [time, increment, move_time].iter().all(|option| option.is_none()) {
            return Ok(None);
        }
        // An increment is one to the usual time; a limit for a move alone is all there is.
        let usual = if increment.is_some() { TimeControl::default().to_string() } else { "none".to_owned() };
        let mut control: TimeControl = time.as_deref().unwrap_or(&usual).parse().context("--time")?;
        if let Some(increment) = increment {
            control.increment_millis = options::span("--increment", increment)?.as_millis() as u64;
        }
        if let Some(per_move) = move_time {
            control.move_millis = Some(options::span("--move-time", per_move)?.as_millis() as u64);
        }
        control.validate().context("the clocks")?;
        Ok(Some(control))
    }
}

impl StonesArgs {
    /// What is given, by the settings' names.
    fn given(&self) -> impl Iterator<Item = (String, Value)> {
        let opening = self.opening.as_deref().map(|opening| match known_opening(opening) {
            Some(known) => known.name(),
            None => Opening::Balanced.name(),
        });
        let settings = [
            ("SIZE", self.size.map(Value::from)),
            ("RULE", self.rule.as_deref().map(|rule| rule.to_lowercase().into())),
            ("OPENING", opening.map(Value::from)),
            ("TOURNAMENT", self.tournament.then_some(Value::Bool(true))),
        ];
        settings.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
    }

    /// The openings of the file that is given.
    fn book(&self) -> anyhow::Result<Option<Arc<Openings>>> {
        let Some(name) = self.opening.as_deref().filter(|name| known_opening(name).is_none()) else {
            return Ok(None);
        };
        if !Path::new(name).is_file() {
            bail!("--opening {name}: expected centre, free, swap2, balanced or a file of openings");
        }
        let bytes = std::fs::read(name).with_context(|| format!("can't read the openings in {name}"))?;
        match Openings::parse(&bytes) {
            Ok(openings) => Ok(Some(Arc::new(openings))),
            Err(faults) => bail!("the openings in {name}:\n{faults}"),
        }
    }
}

/// The opening of that name.
fn known_opening(name: &str) -> Option<Opening> {
    let all = [Opening::Centre, Opening::Free, Opening::Swap2, Opening::Balanced];
    all.into_iter().find(|opening| opening.name() == name)
}
