//! `grandstand brain`: the search as a Gomocup engine for other managers.

use std::io;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use grandstand_players::gomocup::run::run as answer;

use crate::workers::cores;

/// Play Gomoku and Pente as an engine under the Gomocup protocol.
///
/// Any manager can start it: commands come in on standard input, moves go out on standard output. Pente is an extension,
/// which server/GOMOCUP.md describes.
#[derive(Debug, Args)]
pub struct BrainArgs {
    /// Number of threads that search, unless the manager sets it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Answers commands until `END`, or until standard input ends.
///
/// # Errors
/// If the streams fail while the manager is connected.
pub fn run(args: &BrainArgs) -> anyhow::Result<ExitCode> {
    let threads = args.threads.map_or_else(cores, usize::from);
    match answer(io::stdin(), io::stdout(), threads) {
        // A manager that has closed the pipe needs no answers.
        Err(error) if is_closed_pipe(&error) => Ok(ExitCode::SUCCESS),
        answered => answered.map(|()| ExitCode::SUCCESS).context("the manager"),
    }
}

fn is_closed_pipe(error: &io::Error) -> bool {
    /// Error of Windows for a pipe whose other end is gone, which has no kind of its own.
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED)
}
