//! Arguments of `grandstand play`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};
use grandstand_players::input_file::InputTarget;
use grandstand_protocol::Game;
use serde_json::{Map, Value};

use super::description::{MatchArgs, MatchDescription, NO_PROGRAMS};
use super::{settings, turns};

/// Play a match between two players.
///
/// Without a GUI or a bridge to draw it for, the match runs as fast as it can. The same seed gives the same match,
/// command for command, except in real time or with clocks.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: abalone, shark, fortress, gomoku, pente or riskless
    pub(super) game: Game,
    /// The player of the first side (black, red, Maxie): a program's file (FILE.cl for abalone, FILE.rcl for shark),
    /// or a shipped player by its name (`random`, `strong` …); in shark also a team written in Rust (rust:random); in
    /// fortress also team:COMMAND, wait or wait:SECRET; in games by turns person (at this terminal), seat (whoever
    /// takes it in the window or the browser), search or search:OPTIONS, engine:COMMAND (gomoku and pente), minimax,
    /// alphabeta or jamboree (riskless)
    #[arg(value_name = "PLAYER")]
    pub(super) first: String,
    /// The player of the second side, white or blue
    #[arg(value_name = "PLAYER")]
    pub(super) second: String,

    /// Draw the match over a bridge, with Grandstand's own lines; may be given several times
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    pub(super) bridge: Vec<String>,
    /// Draw the match in a GUI that listens there; may be given several times. Nothing is played if none of them can
    /// be reached
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    pub(super) gui: Vec<String>,
    /// Play even if no GUI can be reached
    #[arg(long, requires = "gui")]
    pub(super) gui_optional: bool,
    /// Send Grandstand's own lines (`#gs …`), and its additions to the lines of the game's handout, to GUIs too
    #[arg(long)]
    pub(super) extensions: bool,
    /// Seconds per beat: a turn of Abalone, AT_MOVE steps of shark [default: 0.3 and 0.21 with a GUI or a bridge,
    /// otherwise as fast as it can]. Pacing ends when every GUI and bridge is gone
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) pace: Option<Duration>,
    /// Seconds for which connecting is tried
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub(super) connect_wait: Duration,

    /// Serve the match on the usual ports (free ones where those are taken), open the spectator on it, and print the
    /// address for browsers; a match with a seat is served so unless --bridge is given
    #[arg(long)]
    pub(super) watch: bool,
    /// Open no window on a match that is served, only print the address
    #[arg(long)]
    pub(super) no_window: bool,
    /// After a match with a seat, offer a rematch and games with other settings, until nobody takes the seat; always
    /// on with a window
    #[arg(long, conflicts_with_all = ["record", "inputs", "log", "trace", "profile", "json", "matches"])]
    pub(super) rematches: bool,

    /// Write a replay; it is compressed after the match if its name ends in .zst
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Leave the bots' requests out of a replay. With them, the owner of one side's program can have the match
    /// explained without the other side's program
    #[arg(long, requires = "record", help_heading = settings::THREADS)]
    pub(super) no_asked: bool,
    /// Record the players' actions of a match in real time, each with its time; `convert` plays the match again from
    /// them
    #[arg(long, value_name = "FILE", help_heading = turns::REAL_TIME)]
    pub(super) inputs: Option<InputTarget>,
    /// Seed of everything random [default: a random one, which is printed]. search:nodes=N and search:depth=N use
    /// nothing random: between two of them it only selects the opening, where there is a choice
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Print the result as one JSON object, whose fields docs/RESULTS.md lists
    #[arg(long)]
    pub(super) json: bool,
    /// Write a log of the bots to a file: each death with its place in the source, what they said, and each action
    /// that failed with the rule that forbade it; with -vv all actions
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Write the fate of the bots, and what they said, to standard error; -vv adds all actions, each with its answer
    #[arg(short, long, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Write all actions of the players, each with its answer and the reason of a failure, to a file, one JSON object
    /// a line; server/TRACE.md lists the fields
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Write a profile of the bots' reductions, by function and line, to a file that speedscope opens, with a thread
    /// for each bot
    #[arg(long, value_name = "FILE", help_heading = settings::THREADS)]
    pub(super) profile: Option<PathBuf>,
    /// Write what bots say (A_TALK) to standard error, each with its turn or step and its bot in front
    #[arg(long, help_heading = settings::THREADS)]
    pub(super) talk: bool,

    #[command(flatten)]
    pub(super) match_args: MatchArgs,
    #[command(flatten, next_help_heading = "Many matches")]
    pub(super) many: ManyArgs,
}

#[derive(Debug, Args)]
pub(super) struct ManyArgs {
    /// Play this many matches, with the seeds from --seed on and the players changing sides, and count the wins
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        conflicts_with_all = ["bridge", "gui", "record", "inputs", "pace", "log", "logs", "verbose", "trace", "profile", "talk", "extensions", "watch"])]
    pub(super) matches: Option<u32>,
    /// Number of concurrent matches [default: one for each core]
    #[arg(long, value_name = "N", requires = "matches")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Exit with status 1 unless the first player wins at least this many
    #[arg(long, value_name = "N", requires = "matches")]
    pub(super) expect_wins: Option<u32>,
}

impl PlayArgs {
    /// Whether the match needs a server in this process: with `--watch`, or with a seat that no bridge serves.
    pub(super) fn needs_server(&self) -> bool {
        self.watch || self.bridge.is_empty() && self.has_seat()
    }

    /// Whether a person plays in the window or in a browser.
    fn has_seat(&self) -> bool {
        let is_seat = |player: &str| player.split(':').next() == Some("seat");
        self.game.goes_by_moves() && self.players().into_iter().any(is_seat)
    }

    /// Whether another match follows for whoever has the seat. Options that write a file are for one match.
    pub(super) fn offers_rematches(&self) -> bool {
        let files = [&self.record, &self.log, &self.trace, &self.profile];
        self.has_seat() && !self.json && self.inputs.is_none() && files.iter().all(|file| file.is_none())
    }

    /// The description of the match with these settings in place of those of the options.
    pub(super) fn description<'a>(&'a self, chosen: &'a Map<String, Value>) -> MatchDescription<'a> {
        MatchDescription {
            game: self.game,
            players: self.players(),
            programs: NO_PROGRAMS,
            seed: self.seed(),
            inputs: self.inputs.as_ref(),
            paced: self.pace.is_some(),
            several: self.many.matches.is_some(),
            warn: true,
            chosen,
            args: &self.match_args,
        }
    }

    /// The seed of the first match.
    pub(super) fn seed(&self) -> u64 {
        // 32 bits are enough for variety, and short enough to type.
        self.seed.unwrap_or_else(|| u64::from(getrandom::u32().unwrap_or(1)))
    }

    pub(super) fn players(&self) -> [&str; 2] {
        [&self.first, &self.second]
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
