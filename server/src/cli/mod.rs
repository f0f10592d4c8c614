//! The command line: one module per subcommand, each with its clap arguments and a `run`.
//!
//! Exit status of every subcommand: 0 if the requested condition holds, 1 if it does not (a failed check, a broken
//! match), 2 for usage or I/O errors. Standard output has results, standard error logs and progress.

/// Prints a line on standard error, as `eprintln!` does, but without terminal control sequences, and without a panic if
/// standard error is closed.
macro_rules! tell {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let text = format!($($text)*);
        let text = grandstand_protocol::terminal::lines(&text) + "\n";
        let _ = $crate::cli::stderr_buffer::StandardError.write_all(text.as_bytes());
    }};
}

pub mod bots;
pub mod brain;
pub mod check_map;
pub mod convert;
pub mod debug;
mod demo;
pub mod doctor;
pub mod explain;
pub mod extras;
pub mod grade;
mod host;
mod http_args;
mod log_fields;
pub mod lsp;
mod nats_args;
pub mod new;
pub mod play;
pub mod relay;
pub mod replay;
pub mod rerun;
pub mod run;
pub mod search_trace;
pub mod serve;
mod stderr_buffer;
mod stdio;
pub mod team;
pub mod tournament;
#[cfg(any(feature = "viewer", feature = "terminal"))]
pub mod watch;
pub mod worker;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use grandstand_protocol::terminal;

/// Runs, bridges, records, replays and shows matches between bots.
///
/// Without a subcommand it is the demonstration: it serves, plays a match of the shipped bots through the
/// real text port, records it and opens the spectator.
#[derive(Debug, Parser)]
#[command(name = "grandstand", version, about, long_about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bots(bots::BotsArgs),
    Brain(brain::BrainArgs),
    CheckMap(check_map::CheckMapArgs),
    Convert(convert::ConvertArgs),
    Debug(debug::DebugArgs),
    Doctor(doctor::DoctorArgs),
    Explain(explain::ExplainArgs),
    Extras(extras::ExtrasArgs),
    Grade(grade::GradeArgs),
    Lsp(lsp::LspArgs),
    New(new::NewArgs),
    Play(Box<play::PlayArgs>),
    Relay(relay::RelayArgs),
    Replay(replay::ReplayArgs),
    Rerun(rerun::RerunArgs),
    Run(run::RunArgs),
    /// Watches over a program in its box; started by the server
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    SandboxWarden,
    /// Process 1 of a box; started by the warden
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    SandboxInit,
    SearchTrace(search_trace::SearchTraceArgs),
    Serve(serve::ServeArgs),
    Team(team::TeamArgs),
    Tournament(Box<tournament::TournamentArgs>),
    #[cfg(any(feature = "viewer", feature = "terminal"))]
    Watch(watch::WatchArgs),
    Worker(worker::WorkerArgs),
}

/// Prints text on standard output, without terminal control sequences.
///
/// # Errors
/// If standard output can't be written.
fn print(text: &str) -> anyhow::Result<()> {
    print_unchanged(&terminal::lines(text))
}

/// Prints text on standard output, unchanged.
///
/// # Errors
/// If standard output can't be written.
fn print_unchanged(text: &str) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("standard output can't be written")
}

/// Prints JSON on standard output. Its strings escape control characters.
///
/// # Errors
/// If standard output can't be written.
fn print_json(json: &str) -> anyhow::Result<()> {
    print_unchanged(json)
}

/// Parses the process's arguments and runs the subcommand.
///
/// An error is printed to standard error with its causes, and becomes exit status 2.
pub fn main() -> ExitCode {
    let parsed = Cli::command().try_get_matches();
    let parsed = parsed.and_then(|given| Ok((Cli::from_arg_matches(&given)?, given)));
    let (cli, given) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // clap's own help and version go to standard output with status 0.
            let status = if error.use_stderr() { 2 } else { 0 };
            // Standard output may be closed.
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    match run(cli, &given) {
        Ok(code) => code,
        Err(error) => {
            tell!("grandstand: {}", in_words(&error));
            ExitCode::from(2)
        }
    }
}

/// An error with its causes, each once: some errors include their cause in their own message.
fn in_words(error: &anyhow::Error) -> String {
    error.chain().skip(1).map(ToString::to_string).fold(error.to_string(), |told, cause| {
        if told.contains(cause.trim()) { told } else { format!("{told}: {cause}") }
    })
}

fn run(cli: Cli, given: &ArgMatches) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => demo::run(),
        Some(Command::Bots(args)) => bots::run(&args),
        Some(Command::Brain(args)) => brain::run(&args),
        Some(Command::CheckMap(args)) => check_map::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Debug(args)) => debug::run(&args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Extras(args)) => extras::run(&args),
        Some(Command::Relay(args)) => relay::run(args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Rerun(args)) => rerun::run(&args),
        Some(Command::Grade(args)) => grade::run(&args),
        Some(Command::Lsp(args)) => lsp::run(&args),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Play(args)) => play::run(&args, given.subcommand_matches("play").unwrap_or(given)),
        Some(Command::Run(args)) => run::run(&args),
        #[cfg(target_os = "linux")]
        Some(Command::SandboxWarden) => Ok(grandstand_players::sandbox::warden()),
        #[cfg(target_os = "linux")]
        Some(Command::SandboxInit) => Ok(grandstand_players::sandbox::init()),
        Some(Command::SearchTrace(args)) => search_trace::run(&args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Team(args)) => team::run(&args),
        Some(Command::Tournament(args)) => tournament::run(&args),
        #[cfg(any(feature = "viewer", feature = "terminal"))]
        Some(Command::Watch(args)) => watch::run(&args),
        Some(Command::Worker(args)) => worker::run(args),
    }
}
