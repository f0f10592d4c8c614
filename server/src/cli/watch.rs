//! `grandstand watch`: the spectator's window.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use grandstand_gui::native;

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
}

/// Opens the window and returns when it has been closed.
///
/// # Errors
/// When there is no display, or what is asked for is neither an address nor a file.
pub fn run(args: &WatchArgs) -> anyhow::Result<ExitCode> {
    let target = native::targets(&args.targets, args.wall)?;
    native::run(target, args.seq)?;
    Ok(ExitCode::SUCCESS)
}
