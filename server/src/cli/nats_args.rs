//! Options of a server that is joined to others by NATS.

use std::path::PathBuf;

use crate::{Link, NatsRole, NatsSettings};

/// Options of the connection to NATS.
#[derive(Debug, clap::Args)]
pub(super) struct NatsArgs {
    /// Name of this server, unique among those that publish: letters, digits, - and _ [default: the machine's name].
    #[arg(long, value_name = "NAME")]
    nats_name: Option<String>,

    #[command(flatten)]
    login: NatsLogin,
}

/// Options that let a program in at NATS.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct NatsLogin {
    /// Credentials for NATS (JWT and seed); user, password or token can stand in the address instead.
    #[arg(long, value_name = "FILE")]
    nats_creds: Option<PathBuf>,

    /// Trust NATS servers with certificates of this authority (PEM), besides those that the system trusts.
    #[arg(long, value_name = "FILE")]
    nats_ca: Option<PathBuf>,
}

impl NatsLogin {
    /// The settings of a connection of the machine with this name.
    pub(super) fn settings(self, url: String, role: NatsRole, name: String) -> NatsSettings {
        NatsSettings { url, credentials: self.nats_creds, certificates: self.nats_ca, role, name }
    }
}

impl NatsArgs {
    /// Connects to NATS.
    ///
    /// # Errors
    /// As [`Link::open`].
    pub(super) async fn open(self, url: String, role: NatsRole) -> anyhow::Result<Link> {
        Ok(Link::open(self.settings(url, role)).await?)
    }

    /// The settings of a connection.
    pub(super) fn settings(self, url: String, role: NatsRole) -> NatsSettings {
        let name = self.nats_name.unwrap_or_else(machine_name);
        self.login.settings(url, role, name)
    }
}

/// The machine's name, with what can't be in a server's name replaced.
pub(super) fn machine_name() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let fit = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let name: String = name.chars().map(fit).take(64).collect();
    if name.is_empty() { "grandstand".to_owned() } else { name }
}
