//! `grandstand watch`: the spectator's window.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use grandstand_gui::{Target, native};
use grandstand_replays::diff::Lock;

/// Watch a match or a recording in a window.
///
/// Exit status: 0 when the viewer has closed the window, 2 when there is no display or nothing like that to watch.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// What to watch: a server (`http://localhost:8126/`), one of its matches (`…/?match=ID`, from a moment on with
    /// `&seq=N`), or a recording (`game.replay`, `game.replay.zst`, or its address). Two matches or
    /// recordings are compared side by side. Without it, the list of the matches on this machine's server.
    #[arg(value_name = "URL|FILE")]
    targets: Vec<OsString>,
    /// Show many boards at once: a server's live matches as they come and go, or the matches and recordings that are
    /// named; a folder stands for its recordings.
    #[arg(long)]
    wall: bool,
    /// Begin with the picture after this command, standing still; 0 is before the first.
    #[arg(long, value_name = "N", requires = "targets", conflicts_with = "wall")]
    seq: Option<u64>,
    /// Of two that are compared: begin with the second one's picture after this command beside the first one's of --seq.
    #[arg(long, value_name = "N", requires = "seq")]
    with_seq: Option<u64>,
    /// Of two that are compared, which moments belong together: command, turn or time [default: command].
    #[arg(long, value_name = "WHAT", value_parser = grandstand_gui::lock, requires = "targets")]
    lock: Option<Lock>,
}

/// Opens the window and returns when it has been closed.
///
/// # Errors
/// When there is no display, or what is asked for is neither an address nor a file.
pub fn run(args: &WatchArgs) -> anyhow::Result<ExitCode> {
    let mut target = grandstand_source::targets(&args.targets, args.wall)?;
    match &mut target {
        Some(Target::Compare(comparison)) => {
            comparison.with_seq = args.with_seq.or(comparison.with_seq);
            comparison.lock = args.lock.unwrap_or(comparison.lock);
        }
        _ => ensure!(
            args.with_seq.is_none() && args.lock.is_none(),
            "--with-seq and --lock are for two that are compared"
        ),
    }
    native::run(target, args.seq)?;
    Ok(ExitCode::SUCCESS)
}
