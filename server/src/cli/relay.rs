//! `grandstand relay`: shows the matches of other servers, which publish them with `serve --nats`.

use std::process::ExitCode;

use super::http_args::HttpArgs;
use super::nats_args::NatsArgs;
use super::serve::serve_until_signal;
use crate::{Config, NatsRole};

/// Show the matches of servers that publish them to NATS (`serve --nats`), to any number of spectators.
#[derive(Debug, clap::Args)]
pub struct RelayArgs {
    /// Address of NATS with JetStream, such as nats://relay:password@nats.example.org:4222 or tls://…; several are
    /// separated by commas.
    #[arg(long, value_name = "URL", env = "GRANDSTAND_NATS", hide_env_values = true)]
    nats: String,

    #[command(flatten)]
    link: NatsArgs,

    #[command(flatten)]
    server: HttpArgs,
}

/// Serves until SIGINT or SIGTERM.
///
/// # Errors
/// If an address can't be listened on, NATS can't be used, or a limit is unknown.
pub fn run(args: RelayArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::default();
    args.server.apply(&mut config)?;
    serve_until_signal(config, &[], &args.server, Some((args.nats, args.link, NatsRole::Relay)))
}
