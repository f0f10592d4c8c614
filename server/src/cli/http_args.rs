//! Options of every server that spectators watch: `serve` and `relay`.

use std::path::PathBuf;

use grandstand_players::named_limits::NamedLimits as _;

use super::serve::LogFormat;
use crate::{Config, Tls};

/// Options of the HTTP port, the limits and the log.
#[derive(Debug, clap::Args)]
pub(super) struct HttpArgs {
    /// Answer HTTP and websockets here; may be given several times.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8126")]
    pub(super) http: Vec<String>,

    /// Let pages of this origin (such as `https://example.org`) open websockets; may be given several times.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// Answer requests for this name of the machine (such as `wall.example.org`), besides addresses in numbers, localhost,
    /// the machine's own name, and the hosts of --allow-origin; may be given several times.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Serve https and wss with this certificate (PEM, followed by the certificates of its issuers).
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The certificate's key (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// Change a limit, such as line-connections=64; may be given several times. server/HTTP.md lists them.
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,

    /// Form of the log on standard error. RUST_LOG filters it.
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(super) log_format: LogFormat,
}

impl HttpArgs {
    /// Applies these options to a configuration.
    ///
    /// # Errors
    /// If a certificate can't be used, or a limit is unknown.
    pub(super) fn apply(&self, config: &mut Config) -> anyhow::Result<()> {
        if let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) {
            config.tls = Some(Tls::load(certificate, key)?);
        }
        config.allow_origins.clone_from(&self.allow_origin);
        // The names of the listening addresses are allowed as hosts.
        config.allow_hosts = [&self.allow_host[..], &self.http[..]].concat();
        for limit in &self.limit {
            config.set_limit(limit)?;
        }
        Ok(())
    }
}
