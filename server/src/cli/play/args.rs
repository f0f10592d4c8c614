//! Arguments of `grandstand play`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};
use grandstand_players::input_file::InputTarget;
use grandstand_protocol::Game;
use serde_json::{Map, Value};

use super::description::{MatchArgs, MatchDescription};
use super::{settings, turns};

/// Play a match between two players.
///
/// Without a GUI or a bridge to draw it for, the match runs as fast as it can. The same seed gives the same
/// match, command for command, where nothing depends on time: in matches in real time, and with clocks, it does not.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: abalone, shark, fortress, gomoku, pente or riskless
    pub(super) game: Game,
    /// Who plays the first side (black, red, Maxie): a program's file (FILE.cl for abalone, FILE.rcl for shark), a shipped player
    /// by its name (`random`, `strong` …); in shark also a team written in Rust (rust:random); in fortress also team:COMMAND, wait
    /// or wait:SECRET; in games by turns person (at this terminal), seat (whoever takes it in the window or the browser), search or
    /// search:OPTIONS, engine:COMMAND (gomoku and pente), minimax, alphabeta or jamboree (riskless)
    #[arg(value_name = "PLAYER")]
    pub(super) first: String,
    /// Who plays the second side, white or blue
    #[arg(value_name = "PLAYER")]
    pub(super) second: String,

    /// Draw the match over a bridge, with Grandstand's own lines; may be given several times
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    pub(super) bridge: Vec<String>,
    /// Draw the match in a GUI that listens there; may be given several times. Nothing is played when none of them is there
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    pub(super) gui: Vec<String>,
    /// Play though no GUI is there
    #[arg(long, requires = "gui")]
    pub(super) gui_optional: bool,
    /// Send Grandstand's own lines (`#gs …`), and what it has added to those of the game's handout, to GUIs too
    #[arg(long)]
    pub(super) extensions: bool,
    /// How many seconds a beat takes: a turn of Abalone, AT_MOVE steps of shark [default: 0.3 and 0.21 with a GUI or a bridge, otherwise as
    /// fast as it can]. When every GUI and bridge is gone nothing is paced any more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) pace: Option<Duration>,
    /// For how many seconds connecting is tried
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub(super) connect_wait: Duration,

    /// Serve the match on the usual ports (free ones where those are taken), open the spectator on it, and tell the address for
    /// browsers; a match with a seat is served so unless --bridge is given
    #[arg(long)]
    pub(super) watch: bool,
    /// Open no window on a match that is served, but tell the address
    #[arg(long)]
    pub(super) no_window: bool,
    /// When a match with a seat is over, offer a rematch and games with other settings, until nobody takes the seat; always so with a window
    #[arg(long)]
    pub(super) rematches: bool,

    /// Write a replay; a name that ends in .zst is compressed when the match is over
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Leave out of a replay what bots asked for: with it, who has one side's program can have the match explained without the other's
    #[arg(long, requires = "record", help_heading = settings::THREADS)]
    pub(super) no_asked: bool,
    /// Record what the players of a match in real time do, with its time: from that it can be played again (`convert`)
    #[arg(long, value_name = "FILE", help_heading = turns::REAL_TIME)]
    pub(super) inputs: Option<InputTarget>,
    /// What chance is drawn from [default: a random one, which is printed]. search:nodes=N and search:depth=N draw nothing from it: between two of
    /// them it decides the opening, where chance has one to choose
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Print the result as one JSON object, whose fields docs/RESULTS.md lists
    #[arg(long)]
    pub(super) json: bool,
    /// Write what became of the bots, with the place in the source where one died, what they said, and what they tried in vain, with the
    /// rule that was against it, to a file; with -vv everything that they did
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Write what became of the bots, and what they said, to standard error; -vv: everything that they did too, each action with its answer
    #[arg(short, long, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Write everything that the players did, with its answer and why it failed, to a file, one JSON object a line; server/TRACE.md lists the fields
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Write where the reductions of the bots went, by function and line, to a file that speedscope opens: a thread for each bot
    #[arg(long, value_name = "FILE", help_heading = settings::THREADS)]
    pub(super) profile: Option<PathBuf>,
    /// Write what bots say (A_TALK) to standard error, after turn or step and bot
    #[arg(long, help_heading = settings::THREADS)]
    pub(super) talk: bool,

    #[command(flatten)]
    pub(super) match_args: MatchArgs,
    #[command(flatten, next_help_heading = "Many matches")]
    pub(super) many: ManyArgs,
}

#[derive(Debug, Args)]
pub(super) struct ManyArgs {
    /// Play so many matches, with the seeds from --seed on, the players changing sides, and count the wins
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        conflicts_with_all = ["bridge", "gui", "record", "inputs", "pace", "log", "logs", "verbose", "trace", "profile", "talk", "extensions", "watch"])]
    pub(super) matches: Option<u32>,
    /// How many matches run at a time [default: one for each core]
    #[arg(long, value_name = "N", requires = "matches")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Exit with status 1 unless the first player wins so many
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
        let by_turns = matches!(self.game, Game::Gomoku | Game::Pente | Game::Riskless);
        let is_seat = |player: &str| player.split(':').next() == Some("seat");
        by_turns && self.players().into_iter().any(is_seat)
    }

    /// Whether another match follows for whoever has the seat. What is written to a file is of one match.
    pub(super) fn offers_rematches(&self) -> bool {
        let files = [&self.record, &self.log, &self.trace, &self.profile];
        self.has_seat() && !self.json && self.inputs.is_none() && files.iter().all(|file| file.is_none())
    }

    /// The description of the match with these settings in place of those of the options.
    pub(super) fn description<'a>(&'a self, chosen: &'a Map<String, Value>) -> MatchDescription<'a> {
        MatchDescription {
            game: self.game,
            players: self.players(),
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
