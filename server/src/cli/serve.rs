//! `grandstand serve`: runs the bridge, the recorder and the HTTP port until a signal.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use tracing::{info, warn};
use tracing_subscriber::EnvFilter;

use crate::cli::http_args::HttpArgs;
use crate::cli::log_fields::LogFields;
use crate::cli::nats_args::NatsArgs;
use crate::cli::stderr_buffer::StandardError;
use crate::tournament::shown::ShownTournament;
use crate::{Config, Listeners, NatsRole, Owners, Server, raise_open_files};

/// Take text lines, record matches, and show them to any number of spectators.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// Take text lines here; may be given several times.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3126")]
    legacy: Vec<String>,

    /// Keep the recordings in this directory.
    #[arg(long, value_name = "DIR", default_value = "grandstand-data")]
    data: PathBuf,

    /// Record nothing.
    #[arg(long, conflicts_with = "data")]
    no_data: bool,

    /// Hand out the sources of the programs that played with the replays.
    #[arg(long)]
    publish_programs: bool,

    /// Hand out the source of a program to the holder of a token for it. FILE has one line per token: the name of the
    /// team, or `*`, and the token.
    #[arg(long, value_name = "FILE")]
    owners: Option<PathBuf>,

    /// Show this tournament too, at /tournament/: its database is read, never written.
    #[arg(long, value_name = "FILE.db")]
    tournament: Option<PathBuf>,

    /// Publish the matches to NATS with JetStream at this address, such as nats://origin:password@nats.example.org:4222 or
    /// tls://…, for `grandstand relay`; several are separated by commas.
    #[arg(long, value_name = "URL", env = "GRANDSTAND_NATS", hide_env_values = true)]
    nats: Option<String>,

    #[command(flatten)]
    link: NatsArgs,

    #[command(flatten)]
    server: HttpArgs,
}

/// Form of log lines.
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
    let mut config = Config {
        data: (!args.no_data).then_some(args.data),
        publish_programs: args.publish_programs,
        owners: args.owners.as_deref().map(Owners::load).transpose()?.unwrap_or_default(),
        tournament: args.tournament.as_deref().map(ShownTournament::open).transpose()?.map(Arc::new),
        ..Config::default()
    };
    args.server.apply(&mut config)?;
    let nats = args.nats.map(|url| (url, args.link, NatsRole::Origin));
    serve_until_signal(config, &args.legacy, &args.server, nats)
}

/// Serves on these addresses until SIGINT or SIGTERM, joined to NATS if that is given.
///
/// # Errors
/// If an address can't be listened on, the data directory can't be used, or NATS can't.
pub(super) fn serve_until_signal(
    mut config: Config,
    lines: &[String],
    server: &HttpArgs,
    nats: Option<(String, NatsArgs, NatsRole)>,
) -> anyhow::Result<ExitCode> {
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    // What async-nats logs is told by the connection's own events.
    start_log(server.log_format, "info,async_nats=off");
    // An encrypted connection that is no spectator's also has a loopback connection (see `http/tls.rs`).
    let files = if config.tls.is_some() { 3 } else { 1 };
    let wanted = (config.lines.connections + files * config.spectators.connections + 64) as u64;
    if let Some(limit) = raise_open_files().filter(|limit| *limit < wanted) {
        warn!(limit, wanted, "fewer files may be open than connections are allowed: raise `ulimit -n`");
    }
    block_on(async {
        let listeners = Listeners::bind(lines, &server.http)?;
        let shutdown = shutdown_signal();
        if let Some((url, link, role)) = nats {
            config.nats = Some(link.open(url, role).await?);
        }
        let server = Server::start(config, listeners, shutdown)?;
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
