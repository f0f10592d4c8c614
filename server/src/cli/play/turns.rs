//! Options of Gomoku, Pente and Riskless.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_players::turns::options;
use grandstand_rules::clock::TimeControl;
use grandstand_rules::stones::{Opening, Openings};
use serde_json::Value;

/// Headings of `play --help` over these options, and over those of matches in real time.
pub(super) const BY_TURNS: &str = "Clocks of Gomoku, Pente and Riskless";
pub(super) const STONES: &str = "Gomoku and Pente";
pub(super) const REAL_TIME: &str = "Matches in real time: Steam Fortress, Gomoku, Pente and Riskless";

#[derive(Debug, Default, Args)]
pub(crate) struct TurnArgs {
    /// Time of a side for the whole match, such as 5m, 90s or none; also 5m+3s/30s, with an increment and a limit for
    /// a move. A match with clocks is in real time: its --inputs reproduce it, its seed does not. Without clocks
    /// minimax, random and search:nodes=N reproduce a match from its seed, and play as fast as they can [default: 5m;
    /// none where no player depends on time, and with --move-time]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Time added after each move, such as 3s
    #[arg(long, value_name = "TIME")]
    increment: Option<String>,
    /// Time limit of one move, such as 1s
    #[arg(long, value_name = "TIME")]
    move_time: Option<String>,
}

#[derive(Debug, Default, Args)]
pub(crate) struct StonesArgs {
    /// Columns and rows of the board, odd, from 5 to 999 [default: 15 for gomoku, 19 for pente]
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Winning rule of gomoku: freestyle (five or more), exactly5 or renju
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// Opening of gomoku and pente: centre (black's first stone), free, swap2, balanced (one of the shipped openings,
    /// two matches each), or a file of openings
    #[arg(long, value_name = "OPENING|FILE")]
    opening: Option<String>,
    /// At pente: black's second stone is at least three from the centre
    #[arg(long)]
    tournament: bool,
}

impl TurnArgs {
    /// Options for these clocks.
    pub(crate) fn of(time: Option<&str>, increment: Option<&str>, move_time: Option<&str>) -> Self {
        let [time, increment, move_time] = [time, increment, move_time].map(|text| text.map(str::to_owned));
        Self { time, increment, move_time }
    }

    /// The clocks; `None` if no option is given.
    pub(crate) fn time(&self) -> anyhow::Result<Option<TimeControl>> {
        let Self { time, increment, move_time, .. } = self;
        if [time, increment, move_time].iter().all(|option| option.is_none()) {
            return Ok(None);
        }
        // An increment alone is added to the default time; a limit per move alone is the only limit.
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
    /// The given options, by the names of the settings.
    pub(super) fn given(&self) -> impl Iterator<Item = (String, Value)> {
        let opening = self.opening.as_deref().map(|opening| match Opening::named(opening) {
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

    /// The openings in the given file.
    pub(super) fn book(&self) -> anyhow::Result<Option<Arc<Openings>>> {
        let Some(name) = self.opening.as_deref().filter(|name| Opening::named(name).is_none()) else {
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
