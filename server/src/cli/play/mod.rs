//! `grandstand play`: runs a match, or many, of any game.

mod audience;
mod foreign;
mod fortress;
mod isolation;
mod many;
mod map;
mod pace;
mod recording;
pub(super) mod report;
mod settings;
mod single;
mod summary;
mod turns;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{ArgMatches, Args};
use grandstand_languages::Language;
use grandstand_protocol::Game;
use grandstand_rules::{abalone, shark};

use self::settings::SettingsArgs;
use crate::arena::{Fixture, GameWorld, MatchSetup, Player, RUST, Settings, title};
use crate::programs;

/// Play a match between two players.
///
/// Without a GUI or a bridge to draw it for, the match runs as fast as it can. The same seed gives the same
/// match, command for command, where nothing depends on time: in matches in real time, and with clocks, it does not.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: abalone, shark, fortress, gomoku, pente or riskless
    game: Game,
    /// Who plays the first side (black, red, Maxie): a program's file (FILE.cl for abalone, FILE.rcl for shark), a shipped player
    /// by its name (`random`, `strong` …); in shark also a team written in Rust (rust:random); in fortress also team:COMMAND, wait
    /// or wait:SECRET; in games by turns person (at this terminal), seat (whoever takes it in the window or the browser), search or
    /// search:OPTIONS, engine:COMMAND (gomoku and pente), minimax, alphabeta or jamboree (riskless)
    #[arg(value_name = "PLAYER")]
    first: String,
    /// Who plays the second side, white or blue
    #[arg(value_name = "PLAYER")]
    second: String,

    /// Draw the match over a bridge, with Grandstand's own lines; may be given several times
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    bridge: Vec<String>,
    /// Draw the match in a GUI that listens there; may be given several times. Nothing is played when none of them is there
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    gui: Vec<String>,
    /// Play though no GUI is there
    #[arg(long, requires = "gui")]
    gui_optional: bool,
    /// Send Grandstand's own lines (`#gs …`), and what it has added to those of the game's handout, to GUIs too
    #[arg(long)]
    extensions: bool,
    /// How many seconds a beat takes: a turn of Abalone, AT_MOVE steps of shark [default: 0.3 and 0.21 with a GUI or a bridge, otherwise as
    /// fast as it can]. When every GUI and bridge is gone nothing is paced any more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pace: Option<Duration>,
    /// For how many seconds connecting is tried
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    connect_wait: Duration,

    /// Serve the match on the usual ports (free ones where those are taken), open the spectator on it, and tell the address for
    /// browsers; a match with a seat is served so unless --bridge is given
    #[arg(long)]
    watch: bool,
    /// Open no window on a match that is served, but tell the address
    #[arg(long)]
    no_window: bool,

    /// Write a replay; a name that ends in .zst is compressed when the match is over
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Record what the players of a match in real time do, with its time: from that it can be played again (`convert`)
    #[arg(long, value_name = "FILE", help_heading = foreign::REAL_TIME)]
    inputs: Option<PathBuf>,
    /// What chance is drawn from [default: a random one, which is printed]. search:nodes=N and search:depth=N draw nothing from it: between two of
    /// them it decides the opening, where chance has one to choose
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print the result as one JSON object, whose fields docs/RESULTS.md lists
    #[arg(long)]
    json: bool,
    /// Write what became of the bots, with the place in the source where one died, and what they said to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write that to standard error
    #[arg(short, long)]
    verbose: bool,
    /// Write what bots say (A_TALK) to standard error, after turn or step and bot
    #[arg(long, help_heading = foreign::THREADS)]
    talk: bool,

    #[command(flatten, next_help_heading = "Settings of the game")]
    settings: SettingsArgs,
    #[command(flatten, next_help_heading = foreign::PROGRAMS)]
    programs: isolation::ProgramArgs,
    #[command(flatten, next_help_heading = foreign::FORTRESS)]
    fortress: fortress::FortressArgs,
    #[command(flatten, next_help_heading = foreign::BY_TURNS)]
    turns: turns::TurnArgs,
    #[command(flatten, next_help_heading = foreign::STONES)]
    stones: turns::StonesArgs,
    #[command(flatten, next_help_heading = "Many matches")]
    many: ManyArgs,
}

#[derive(Debug, Args)]
struct ManyArgs {
    /// Play so many matches, with the seeds from --seed on, the players changing sides, and count the wins
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        conflicts_with_all = ["bridge", "gui", "record", "inputs", "pace", "log", "logs", "verbose", "talk", "extensions", "watch"])]
    matches: Option<u32>,
    /// How many matches run at a time [default: one for each core]
    #[arg(long, value_name = "N", requires = "matches")]
    jobs: Option<NonZeroUsize>,
    /// Exit with status 1 unless the first player wins so many
    #[arg(long, value_name = "N", requires = "matches")]
    expect_wins: Option<u32>,
}

/// Plays what the arguments ask for, which are those in `given`. An error is a matter of usage or I/O.
pub fn run(args: &PlayArgs, given: &ArgMatches) -> anyhow::Result<ExitCode> {
    foreign::refuse(args.game, given)?;
    let fixture = args.fixture()?;
    match args.many.matches {
        Some(matches) => many::run(args, &*fixture, matches),
        None if args.needs_server() => super::host::serve_match(!args.no_window, |bridge, abandoned| {
            single::run(args, &*fixture, Some(bridge), abandoned)
        }),
        None => single::run(args, &*fixture, None, &AtomicBool::new(false)),
    }
}

impl PlayArgs {
    /// The match that is asked for.
    fn fixture(&self) -> anyhow::Result<Box<dyn Fixture>> {
        match self.game {
            Game::Abalone => self.of_programs::<abalone::World>(),
            Game::Shark => self.of_programs::<shark::World>(),
            Game::Fortress => fortress::fixture(self),
            Game::Gomoku | Game::Pente => turns::stones(self),
            Game::Riskless => turns::riskless(self),
            Game::Grid => bail!(
                "no rules are known for the game {}; expected abalone, shark, fortress, gomoku, pente or riskless",
                self.game
            ),
        }
    }

    fn of_programs<W: GameWorld>(&self) -> anyhow::Result<Box<dyn Fixture>> {
        let check = |map| Settings::<W::Rules>::from_map(map);
        let settings = self.settings.read(W::GAME, check)?;
        let players = [player::<W>(&self.first)?, player::<W>(&self.second)?];
        Ok(Box::new(MatchSetup::<W> { settings, seed: self.seed(), players }))
    }

    /// Whether it is to be watched here, or somebody is to play by a seat and no bridge is given by which it could be taken.
    fn needs_server(&self) -> bool {
        let by_turns = matches!(self.game, Game::Gomoku | Game::Pente | Game::Riskless);
        let is_seat = |player: &str| player.split(':').next() == Some("seat");
        self.watch || by_turns && self.bridge.is_empty() && self.players().into_iter().any(is_seat)
    }

    /// The seed of the first match.
    fn seed(&self) -> u64 {
        // 32 bits are enough to differ, and short enough to be typed.
        self.seed.unwrap_or_else(|| u64::from(getrandom::u32().unwrap_or(1)))
    }

    fn players(&self) -> [&str; 2] {
        [&self.first, &self.second]
    }
}

fn player<W: GameWorld>(name: &str) -> anyhow::Result<Player> {
    let game = W::GAME;
    if let Some(native) = name.strip_prefix(RUST) {
        let teams = W::NATIVES.join(", ");
        return Player::native::<W>(native).with_context(|| match &*teams {
            "" => format!("no team of {} is written in Rust", title(game)),
            teams => format!(
                "`{native}` is not a team of {} that is written in Rust; expected one of: {teams}",
                title(game)
            ),
        });
    }
    let expected = programs::language(game).map_or("", Language::extension);
    let is_file = Path::new(name).extension().is_some_and(|extension| extension == expected);
    if !is_file && !programs::players(game).any(|player| player == name) {
        let native = W::NATIVES.iter().map(|native| format!("{RUST}{native}"));
        let players: Vec<String> = programs::players(game).map(str::to_owned).chain(native).collect();
        bail!(
            "`{name}` is not a player of {}; expected FILE.{expected} or one of: {}",
            title(game),
            players.join(", ")
        );
    }
    let program = programs::load(game, name, Path::new("."))?;
    for warning in program.warnings() {
        tell!("{warning}");
    }
    Ok(program.into())
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
