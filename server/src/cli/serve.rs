//! `grandstand serve`: runs the bridge, the recorder and the HTTP port until a signal.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use tracing::{info, warn};
use tracing_subscriber::EnvFilter;

use crate::cli::held_back::StandardError;
use crate::cli::log_fields::LogFields;
use crate::tournament::shown::ShownTournament;
use crate::{Config, Listeners, Owners, Server, Tls, raise_open_files};
use grandstand_players::named_limits::NamedLimits as _;

/// Take text lines, record matches, and show them to any number of spectators.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// Take text lines here; may be given several times.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3126")]
    legacy: Vec<String>,

    /// Answer HTTP and websockets here; may be given several times.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8126")]
    http: Vec<String>,

    /// Keep the recordings in this directory.
    #[arg(long, value_name = "DIR", default_value = "grandstand-data")]
    data: PathBuf,

    /// Record nothing.
    #[arg(long, conflicts_with = "data")]
    no_data: bool,

    /// Let pages of this origin (such as `https://example.org`) open websockets; may be given several times.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// Answer requests for this name of the machine (such as `wall.example.org`), besides addresses in numbers, localhost,
    /// the machine's own name, and the hosts of --allow-origin; may be given several times.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Speak https and wss with this certificate (PEM; those that vouch for it after it).
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The certificate's key (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// Hand out the sources of the programs that played with the replays.
    #[arg(long)]
    publish_programs: bool,

    /// Hand the source of a program to who has a token for it. FILE has a line for each: the name of the team, or `*`, and the token.
    #[arg(long, value_name = "FILE")]
    owners: Option<PathBuf>,

    /// Show this tournament too, at /tournament/: its database is read, never written.
    #[arg(long, value_name = "FILE.db")]
    tournament: Option<PathBuf>,

    /// Change a limit, such as line-connections=64; may be given several times. server/HTTP.md lists them.
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,

    /// How the log on standard error is written. RUST_LOG chooses what is in it.
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
}

/// Sends the log to standard error, filtered by RUST_LOG, or by `filter` if that is not set. A second call changes
/// nothing.
pub fn start_log(format: LogFormat, filter: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(filter));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(|| StandardError);
    // An existing log is kept.
    let _ = match format {
        LogFormat::Text => {
            let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
            log.fmt_fields(LogFields).with_ansi(is_terminal).try_init()
        }
        LogFormat::Json => log.json().try_init(),
    };
}

/// Serves until SIGINT or SIGTERM.
///
/// # Errors
/// If an address can't be listened on, the data directory can't be used, or a limit is unknown.
pub fn run(args: ServeArgs) -> anyhow::Result<ExitCode> {
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(Tls::load(certificate, key)?),
        _ => None,
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let mut config = Config {
        tls,
        data: (!args.no_data).then_some(args.data),
        allow_origins: args.allow_origin,
        // The names of the listening addresses are allowed as hosts.
        allow_hosts: [&args.allow_host[..], &args.http[..]].concat(),
        publish_programs: args.publish_programs,
        owners: args.owners.as_deref().map(Owners::load).transpose()?.unwrap_or_default(),
        tournament: args.tournament.as_deref().map(ShownTournament::open).transpose()?.map(Arc::new),
        ..Config::default()
    };
    for limit in &args.limit {
        config.set_limit(limit)?;
    }
    start_log(args.log_format, "info");
    // An encrypted connection also has a loopback connection (see `http/tls.rs`).
    let files = if config.tls.is_some() { 3 } else { 1 };
    let wanted = (config.lines.connections + files * config.spectators.connections + 64) as u64;
    if let Some(limit) = raise_open_files().filter(|limit| *limit < wanted) {
        warn!(limit, wanted, "fewer files may be open than connections are allowed: raise `ulimit -n`");
    }
    block_on(async {
        let listeners = Listeners::bind(&args.legacy, &args.http)?;
        let server = Server::start(config, listeners, shutdown_signal())?;
        info!("built {}", crate::http::web::description());
        announce(&server, scheme)?;
        server.stopped().await;
        info!("stopped");
        Ok(ExitCode::SUCCESS)
    })
}

/// Runs a future on a new runtime. At the end nothing is waited for: a thread that still reads a file for a stalled
/// client ends with the process.
pub(super) fn block_on<T>(command: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let outcome = runtime.block_on(command);
    runtime.shutdown_background();
    outcome
}

/// Prints the server's addresses on standard output, for people and scripts.
fn announce(server: &Server, scheme: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for address in server.line_addresses() {
        writeln!(out, "lines {address}")?;
    }
    for address in server.http_addresses() {
        writeln!(out, "http {scheme}://{address}/")?;
    }
    out.flush()
}

/// Completes when the process receives SIGINT or SIGTERM. Signals are caught from this call on, not from the first
/// poll. Must be called in a tokio runtime.
pub(super) fn shutdown_signal() -> impl Future<Output = ()> + Send + 'static {
    #[cfg(unix)]
    let (interrupt, terminate) = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    };
    async move {
        #[cfg(unix)]
        if let (Ok(mut interrupt), Ok(mut terminate)) = (interrupt, terminate) {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        // Without signal handlers the process can only be killed.
        let _ = tokio::signal::ctrl_c().await;
    }
}
