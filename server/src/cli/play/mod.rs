//! `grandstand play`: runs a match, or many, between programs.

mod audience;
mod many;
mod pace;
mod recording;
pub(super) mod report;
mod single;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use grandstand_languages::Program;
use grandstand_protocol::Game;
use grandstand_protocol::abalone::Hex;

use crate::arena::{MatchSetup, Settings};
use crate::programs;

/// Play a match between two programs.
///
/// Without a GUI or a bridge to draw it for, the match runs as fast as it can. The same seed gives the same
/// match, command for command.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: abalone
    game: Game,
    /// Who plays black and moves first: FILE.cl, or a shipped player by its name (`random`, `idle` …)
    #[arg(value_name = "BLACK")]
    black: String,
    /// Who plays white
    #[arg(value_name = "WHITE")]
    white: String,

    /// Draw the match over a bridge, with Grandstand's own lines; may be given several times
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    bridge: Vec<String>,
    /// Draw the match in a GUI that listens there; may be given several times
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    gui: Vec<String>,
    /// Send Grandstand's own lines (`#gs …`) to GUIs too
    #[arg(long)]
    extensions: bool,
    /// How many seconds a turn takes [default: 0.3 with a GUI or a bridge, otherwise as fast as it can]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pace: Option<Duration>,
    /// For how many seconds connecting is tried
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    connect_wait: Duration,

    /// Write a replay; a name that ends in .zst is compressed when the match is over
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// What chance is drawn from [default: a random one, which is printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Write what became of the bots, with the place in the source where one died, to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write that to standard error
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten, next_help_heading = "Settings of the game")]
    settings: SettingsArgs,
    #[command(flatten, next_help_heading = "Many matches")]
    many: ManyArgs,
}

#[derive(Debug, Args)]
struct ManyArgs {
    /// Play so many matches, with the seeds from --seed on, the players changing colours, and count the wins
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        conflicts_with_all = ["bridge", "gui", "record", "pace", "log", "verbose", "extensions"])]
    matches: Option<u32>,
    /// How many matches run at a time [default: one for each core]
    #[arg(long, value_name = "N", requires = "matches")]
    jobs: Option<NonZeroUsize>,
    /// Exit with status 1 unless the first player wins so many
    #[arg(long, value_name = "N", requires = "matches")]
    expect_wins: Option<u32>,
}

#[derive(Debug, Args)]
struct SettingsArgs {
    /// A TOML or JSON file of settings (WINNING_SCORE = 6 …); the options below have the last word
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Points that win the match
    #[arg(long, value_name = "N")]
    winning_score: Option<u32>,
    /// Pieces that a team may have
    #[arg(long, value_name = "N")]
    max_pieces: Option<u32>,
    /// Clock cycles in a turn
    #[arg(long, value_name = "N")]
    cycles_per_turn: Option<u64>,
    /// Clock cycles in a match
    #[arg(long, value_name = "N")]
    game_length: Option<u64>,
    /// Where black begins
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    black_start: Option<Hex>,
    /// Where white begins
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    white_start: Option<Hex>,
    /// Messages that a team may say in a turn
    #[arg(long, value_name = "N")]
    talks_per_turn: Option<u32>,
}

/// Plays what the arguments ask for. An error is a matter of usage or I/O.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    if args.game != Game::Abalone {
        bail!("no rules are known for the game {}; expected abalone", args.game);
    }
    let settings = args.settings.settings()?;
    let (black, white) = (player(&args.black)?, player(&args.white)?);
    // 32 bits are enough to differ, and short enough to be typed.
    let seed = args.seed.unwrap_or_else(|| u64::from(getrandom::u32().unwrap_or(1)));
    let setup = MatchSetup { settings, seed, black, white };
    match args.many.matches {
        Some(matches) => many::run(args, &setup, matches),
        None => single::run(args, &setup),
    }
}

fn player(name: &str) -> anyhow::Result<Program> {
    let is_file = Path::new(name).extension().is_some_and(|extension| extension == "cl");
    if !is_file && !programs::players().any(|player| player == name) {
        let players: Vec<&str> = programs::players().collect();
        bail!("`{name}` is not a player of Abalone; expected FILE.cl or one of: {}", players.join(", "));
    }
    Ok(programs::load(name, Path::new("."))?)
}

impl SettingsArgs {
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = match &self.rules {
            None => Settings::default(),
            Some(file) => {
                let text = std::fs::read_to_string(file);
                let text = text.with_context(|| format!("can't read the rules in {}", file.display()))?;
                Settings::parse(file, &text).with_context(|| format!("the rules in {}", file.display()))?
            }
        };
        let rules = &mut settings.rules;
        set(&mut rules.winning_score, self.winning_score);
        set(&mut rules.max_pieces, self.max_pieces);
        set(&mut rules.cycles_per_turn, self.cycles_per_turn);
        set(&mut rules.game_length, self.game_length);
        set(&mut rules.black_start, self.black_start);
        set(&mut rules.white_start, self.white_start);
        set(&mut rules.talks_per_turn, self.talks_per_turn);
        rules.validate()?;
        Ok(settings)
    }
}

fn set<T: Copy>(setting: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *setting = value;
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    let seconds = seconds.ok_or("expected seconds, from 0 to 3600")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn host_and_port(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    match port.map(|(_, port)| port.parse::<u16>()) {
        Some(Ok(1..)) => Ok(text.to_owned()),
        _ => Err("expected HOST:PORT, like localhost:3126 or [::1]:3126".to_owned()),
    }
}
