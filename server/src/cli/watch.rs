//! `grandstand watch`: the spectator, in a window or in the terminal.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use clap::Args;
use grandstand_replays::diff::Lock;
use grandstand_source::address::{Base, Target};

use super::serve::{LogFormat, start_log};
use crate::tournament::shown::ShownTournament;
use crate::{Config, Listeners, Server};

/// Watch a match or a recording, in a window, or in the terminal where there is no display.
///
/// Exit status: 0 when the viewer has closed the window or left, 2 when there is nothing to show it on or nothing like that
/// to watch.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The target: a server (`http://localhost:8126/`), one of its matches (`…/?match=ID`, from a moment on with
    /// `&seq=N`), a recording (`game.replay`, `game.replay.zst`, or its address), a folder of recordings, or the
    /// tournament of a catalogue (`cup.db`). Two matches or recordings are compared side by side. The default is the
    /// list of the matches on this machine's server.
    #[arg(value_name = "URL|FILE|FOLDER")]
    targets: Vec<OsString>,
    /// Show it in this terminal even if there is a display; ? lists the keys. If standard output is no terminal, the
    /// state of the match is printed instead.
    #[cfg(feature = "terminal")]
    #[arg(long, conflicts_with_all = ["wall", "with_seq", "lock"])]
    terminal: bool,
    /// Show many boards at once: a server's live matches as they come and go, or the matches and recordings that are
    /// named; a folder stands for its recordings.
    #[arg(long)]
    wall: bool,
    /// Begin with the picture after this command, paused; 0 is before the first.
    #[arg(long, value_name = "N", requires = "targets", conflicts_with = "wall")]
    seq: Option<u64>,
    /// In a comparison: the command after which the second one begins; --seq is that of the first one.
    #[arg(long, value_name = "N", requires = "seq")]
    with_seq: Option<u64>,
    /// In a comparison: the moments that are shown together, by command (or line, the same), turn or time [default: turn in games with turns, else time; what was
    /// chosen in the window last].
    #[arg(long, value_name = "WHAT", value_parser = grandstand_source::address::lock, requires = "targets")]
    lock: Option<Lock>,
}

/// Shows the target; returns when the viewer has left.
///
/// # Errors
/// If there is neither a window nor a terminal, or a target is neither an address nor a file.
pub fn run(args: &WatchArgs) -> anyhow::Result<ExitCode> {
    if let [file] = args.targets.as_slice()
        && Path::new(file).extension().is_some_and(|ending| ending == "db")
    {
        return tournament(Path::new(file));
    }
    let mut target = grandstand_source::targets(&args.targets, args.wall)?;
    match &mut target {
        Some(Target::Compare(comparison)) => {
            comparison.with_seq = args.with_seq.or(comparison.with_seq);
            comparison.lock = args.lock.or(comparison.lock);
        }
        _ => ensure!(
            args.with_seq.is_none() && args.lock.is_none(),
            "--with-seq and --lock are for two that are compared"
        ),
    }
    #[cfg(feature = "terminal")]
    {
        let many = matches!(target, Some(Target::Compare(_) | Target::Wall(_) | Target::Tournament { .. }));
        if args.terminal {
            ensure!(!many, "the terminal shows one match or recording at a time");
        }
        if args.terminal || !many && !super::host::has_window() {
            return in_terminal(target, args.seq);
        }
    }
    in_window(target, args.seq, None)
}

/// Shows the tournament of a catalogue: a server in this process reads it, on a free loopback port, and the window
/// connects to that. So the spectator does not read catalogues, and works as with any other server.
fn tournament(file: &Path) -> anyhow::Result<ExitCode> {
    ensure!(
        super::host::has_window(),
        "a tournament is shown in a window, and there is none here: `grandstand tournament standings {0}` prints its tables, \
         `grandstand serve --tournament {0}` shows it to browsers",
        file.display()
    );
    let shown = ShownTournament::open(file)?;
    start_log(LogFormat::Text, "warn");
    let config = Config { tournament: Some(Arc::new(shown)), ..Config::default() };
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let start = async {
        let listeners = Listeners::bind::<&str>(&[], &["127.0.0.1:0"])?;
        anyhow::Ok(Server::start(config, listeners, std::future::pending())?)
    };
    let server = runtime.block_on(start)?;
    let target: Target = format!("http://{}/?tournament", server.http_addresses()[0]).parse()?;
    let passing = match &target {
        Target::Tournament { base, .. } => Some(base.clone()),
        _ => None,
    };
    let outcome = in_window(Some(target), None, passing);
    // There are no other clients, so nothing is waited for.
    server.stop();
    runtime.shutdown_background();
    outcome
}

/// Shows the target in this terminal; prints its state if standard output is no terminal.
#[cfg(feature = "terminal")]
fn in_terminal(target: Option<Target>, seq: Option<u64>) -> anyhow::Result<ExitCode> {
    use std::io::IsTerminal as _;

    use grandstand_source::address::DEFAULT_SERVER;
    use grandstand_terminal::Look;

    let target = target.map_or_else(|| DEFAULT_SERVER.parse(), Ok)?;
    let look = Look::of(|name| std::env::var(name).ok());
    match look.filter(|_| std::io::stdout().is_terminal()) {
        Some(look) => grandstand_terminal::run(target, seq, look).context("the terminal can't be used")?,
        None => super::print(grandstand_terminal::describe(target)?.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "viewer")]
fn in_window(target: Option<Target>, seq: Option<u64>, passing: Option<Base>) -> anyhow::Result<ExitCode> {
    grandstand_gui::native::run(target, seq, passing)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(not(feature = "viewer"))]
fn in_window(_: Option<Target>, _: Option<u64>, _: Option<Base>) -> anyhow::Result<ExitCode> {
    anyhow::bail!("this build has no window, and the terminal shows one match or recording at a time")
}
