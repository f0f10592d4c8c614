//! `grandstand` without a subcommand: the demonstration. It serves, plays a match of the shipped bots through the real
//! text port, records it and opens the spectator.
//!
//! The match and the window are child processes of the same executable: a crash of a graphics driver does not end the
//! match, and closing the window ends the demonstration in order. Without a display the spectator runs in the terminal.

use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use grandstand_matches::RunningMatch as _;
use grandstand_matches::machine::{ProgramMatch, Runner, Settings};
use grandstand_players::program_files;
use grandstand_protocol::Game;
use grandstand_rules::abalone::World;
use tokio::process::Child;

use super::host::{has_terminal, has_window, match_id, open_window, start_server, this_program};
use super::serve::{LogFormat, block_on, shutdown_signal, start_log};
use crate::Server;

/// The players: a match of equals lasts longest.
const PLAYERS: [&str; 2] = ["team", "team"];
/// Seconds a turn: slower than a match for an old GUI, so that a newcomer can follow.
const PACE: &str = "0.6";
/// Time for playing headless matches, among which the longest one is chosen.
const CHOOSING: Duration = Duration::from_millis(250);
/// Time limit for the spectator to restore the terminal.
const PATIENCE: Duration = Duration::from_secs(3);

/// Serves, plays and shows until the window is closed, or, without one, until SIGINT or SIGTERM.
///
/// # Errors
/// If no port is available or the match can't be started.
pub(super) fn run() -> anyhow::Result<ExitCode> {
    start_log(LogFormat::Text, "warn");
    block_on(async {
        let mut asked_to_stop = pin!(shutdown_signal());
        let server = start_server()?;
        let (lines, http) = (server.line_addresses()[0], server.http_addresses()[0]);
        tell!("The text port is {lines}; spectators are served at http://{http}/");
        let shown = tokio::select! {
            shown = play_and_show(&server, lines, http) => shown,
            () = &mut asked_to_stop => Ok(Shown::Over),
        };
        let outcome = match shown {
            // The spectator owns the terminal until it ends, and restores it before any other output.
            Ok(Shown::InTerminal(match_process, url)) => {
                in_terminal(match_process, &url, asked_to_stop).await
            }
            shown => shown.map(|_| ExitCode::SUCCESS),
        };
        server.stop();
        server.stopped().await;
        outcome
    })
}

/// State of the match's display.
enum Shown {
    /// The match was shown in a window, which has been closed.
    Over,
    /// The match is to be shown in the terminal, from this address.
    InTerminal(Box<Child>, String),
}

/// Ends when the window is closed; without a window or a terminal, never.
async fn play_and_show(server: &Server, lines: SocketAddr, http: SocketAddr) -> anyhow::Result<Shown> {
    let lines = lines.to_string();
    let in_terminal = !has_window() && has_terminal();
    let seed =
        tokio::task::spawn_blocking(long_match).await.context("no match could be chosen")??.to_string();
    let options = ["--seed", &seed, "--bridge", &lines, "--pace", PACE];
    let mut play = this_program(&[&["play", "abalone", PLAYERS[0], PLAYERS[1]], &options[..]].concat());
    if in_terminal {
        // The output of the child would be written over the picture, which shows the same.
        play.stdout(Stdio::null()).stderr(Stdio::null());
    }
    let mut play = play.spawn().context("the match can't be started")?;
    let url = tokio::select! {
        id = match_id(server) => match id {
            Some(id) => format!("http://{http}/?match={id}"),
            None => format!("http://{http}/"),
        },
        status = play.wait() => {
            let status = status.context("the match is lost")?;
            anyhow::bail!("the match ended before it began: {status}");
        }
    };
    if in_terminal {
        return Ok(Shown::InTerminal(Box::new(play), url));
    }
    let window = open_window(&url);
    if window.is_none() {
        tell!("Watch the match at {url}\nCtrl+C ends the demonstration.");
    }
    let Some(mut window) = window else { return std::future::pending().await };
    let status = window.wait().await.context("the window is lost")?;
    if !status.success() {
        tell!("The window failed ({status}); the match goes on.");
        tell!("Watch it at {url}\nCtrl+C ends the demonstration.");
        return std::future::pending().await;
    }
    Ok(Shown::Over)
}

/// Shows the match in the terminal until the viewer quits, or the demonstration is asked to stop.
async fn in_terminal(
    match_process: Box<Child>,
    url: &str,
    asked_to_stop: impl Future<Output = ()>,
) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "terminal")]
    let _held_back = super::stderr_buffer::hold_back();
    let mut spectator = this_program(&["watch", "--terminal", url]);
    let mut spectator = spectator.stdin(Stdio::inherit()).spawn().context("the terminal can't be used")?;
    let status = tokio::select! {
        status = spectator.wait() => status,
        () = asked_to_stop => {
            ask_to_stop(&spectator);
            // A spectator that does not restore the terminal in time is killed.
            tokio::time::timeout(PATIENCE, spectator.wait()).await.unwrap_or(Ok(std::process::ExitStatus::default()))
        }
    };
    drop(match_process);
    let status = status.context("the spectator is lost")?;
    if !status.success() {
        tell!("The spectator failed ({status}).");
    }
    Ok(ExitCode::SUCCESS)
}

/// Sends SIGTERM to a process.
fn ask_to_stop(process: &Child) {
    #[cfg(unix)]
    if let Some(pid) = process.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
        // The process may have ended already.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// The seed of the longest of a few matches: the teams are equals, but some of their matches end within seconds.
fn long_match() -> anyhow::Result<u64> {
    let [black, white] = PLAYERS.map(|player| program_files::load(Game::Abalone, player, Path::new(".")));
    let (settings, players) = (Settings::default(), [black?.into(), white?.into()]);
    let mut setup = ProgramMatch::<World> { settings, seed: 0, players };
    let began = Instant::now();
    let mut longest = (0, 0);
    while longest.0 == 0 || began.elapsed() < CHOOSING {
        setup.seed = u64::from(getrandom::u32().unwrap_or(1));
        let mut runner = Runner::new(&setup)?;
        let turns = loop {
            runner.advance();
            runner.drain_commands();
            if let Some(finish) = runner.world().finish() {
                break finish.turns;
            }
        };
        longest = longest.max((turns, setup.seed));
    }
    Ok(longest.1)
}
