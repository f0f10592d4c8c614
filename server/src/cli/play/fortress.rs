//! Options of Steam Fortress.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use grandstand_players::games::fortress::options::{LiveOptions, PORT};
use grandstand_players::named_limits::NamedLimits as _;

use super::description::MatchDescription;
use super::report::Report;

/// Heading of `play --help` over these options.
pub(super) const FORTRESS: &str = "Steam Fortress between programs";

#[derive(Debug, Args)]
pub(crate) struct FortressArgs {
    /// Address that teams connect to
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The port that teams connect to; 0 is any
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// Play in real time, faster by this factor; without it, two shipped teams play as fast as they can
    #[arg(long, value_name = "X", value_parser = speed)]
    pub(super) speed: Option<f64>,
    /// Change a limit of connections, such as join-secs=10; server/FORTRESS-PROTOCOL.md lists them
    #[arg(long, value_name = "NAME=VALUE")]
    team_limit: Vec<String>,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.1..=100.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.1 to 100".to_owned())
}

impl FortressArgs {
    /// Options for teams on this machine, with any free port.
    pub(super) fn at_any_port(speed: Option<f64>) -> Self {
        Self { listen: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, speed, team_limit: Vec::new() }
    }

    pub(super) fn options(&self, of: &MatchDescription<'_>) -> anyhow::Result<LiveOptions> {
        let (report, programs) = (Report::new(), &of.args.programs);
        let mut options = LiveOptions {
            listen: SocketAddr::new(self.listen, self.port),
            speed: self.speed.unwrap_or(1.0),
            isolation: programs.isolation(),
            logs: programs.logs.clone(),
            readable: programs.readable()?,
            inputs: of.inputs.cloned(),
            notice: Arc::new(move |text| report.say(text)),
            ..LiveOptions::new(std::env::current_exe().context("where this program is")?)
        };
        options.program_limits = programs.limits(options.program_limits)?;
        for limit in &self.team_limit {
            options.limits.set_limit(limit)?;
        }
        Ok(options)
    }
}
