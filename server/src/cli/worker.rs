//! `grandstand worker`: plays games of tournaments that other machines run.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use clap::Args;

use super::nats_args::{NatsLogin, machine_name};
use super::play::report::Report;
use super::tournament::when_asked_to_stop;
use crate::NatsRole;
use crate::tournament::definition::needs::check_label;
use crate::tournament::distributed::Token;
use crate::tournament::distributed::worker::{self, DirectorAddress, WorkerOptions};

/// Play games of tournaments that another machine runs (`tournament run --workers` or `--nats`).
///
/// All connections go out from here. Programs are fetched, checked against their hashes, and kept in their boxes, as where the tournament is run. It may be stopped at any moment: its games go to other workers.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// The machine that runs the tournament, such as `https://director.example.org:8128`; `http://` on this machine
    #[arg(long, value_name = "URL", requires = "token")]
    to: Option<String>,
    /// The token that it wants to see: a file with the same content as its own
    #[arg(long, value_name = "FILE", requires = "to")]
    token: Option<PathBuf>,
    /// Trust a director with a certificate of this authority (PEM), and no other
    #[arg(long, value_name = "FILE", requires = "to")]
    ca: Option<PathBuf>,
    /// Take part in whichever tournament is run at this NATS with JetStream (`tournament run --nats`), such as nats://worker:password@nats.example.org:4222 or tls://…; several are separated by commas. Without `--to` the environment variable GRANDSTAND_NATS stands for it
    #[arg(long, value_name = "URL", conflicts_with = "to")]
    nats: Option<String>,
    #[command(flatten)]
    login: NatsLogin,
    /// Answer /healthz, /readyz and /metrics here: HOST:PORT
    #[arg(long, value_name = "ADDR")]
    http: Option<String>,
    /// How many games are played beside each other [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Name of this worker, by which the director calls it [default: that of the machine]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What players may need of this machine (`needs` in a tournament's file), such as avx2; may be given several times. Its architecture and its memory are known
    #[arg(long, value_name = "WORD", value_parser = label)]
    label: Vec<String>,
    /// Start programs without a box where a tournament says so; without it such games are refused
    #[arg(long)]
    no_sandbox: bool,
    /// End when the tournament is over, instead of waiting for the next
    #[arg(long)]
    once: bool,
}

fn label(word: &str) -> Result<String, String> {
    check_label(word).map(|()| word.to_owned())
}

/// Plays until SIGINT or SIGTERM.
///
/// # Errors
/// If an address or a file is of no use, or the director refuses this worker.
pub fn run(args: WorkerArgs) -> anyhow::Result<ExitCode> {
    let to = match args.to {
        Some(url) => {
            DirectorAddress::Http { url, token: Token::read(&args.token.context("--token")?)?, ca: args.ca }
        }
        None => {
            let nats = args.nats.or_else(|| std::env::var("GRANDSTAND_NATS").ok());
            let url = nats.context("expected --to URL with --token FILE, or --nats URL")?;
            DirectorAddress::Nats(args.login.settings(url, NatsRole::Worker, machine_name()))
        }
    };
    let options = WorkerOptions {
        to,
        http: args.http,
        jobs: args.jobs.map(usize::from),
        name: args.name.unwrap_or_else(machine_name),
        labels: args.label,
        without_box: args.no_sandbox,
        once: args.once,
    };
    let report = Report::new();
    let stop = Arc::new(AtomicBool::new(false));
    when_asked_to_stop(&stop)?;
    let say = |text: &str| report.say(text);
    let progress = |games: u64| {
        report.progress(|| match games {
            0 => String::new(),
            1 => "1 game played".to_owned(),
            games => format!("{games} games played"),
        });
    };
    let end = worker::run(&options, &stop, &say, &progress);
    report.clear();
    end.map(|()| ExitCode::SUCCESS)
}
