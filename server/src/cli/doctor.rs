//! `grandstand doctor`: checks of a set-up of several machines.

use std::process::ExitCode;

use anyhow::Context as _;
use grandstand_players::named_limits::NamedLimits as _;

use super::nats_args::NatsArgs;
use super::print;
use crate::nats::doctor::examine;
use crate::nats::findings::Health;
use crate::{Config, NatsRole};

/// Say what is right and wrong with a NATS server, as a relay, an origin, a worker or a director finds it.
///
/// It tells which servers can be reached, their versions, JetStream and its room, the streams, the origins or directors and whether they answer, and whether clocks differ. The status is 1 if something does not work.
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// Address of NATS with JetStream, such as nats://relay:password@nats.example.org:4222 or tls://…; several are
    /// separated by commas.
    #[arg(long, value_name = "URL", env = "GRANDSTAND_NATS", hide_env_values = true)]
    nats: String,

    /// Look with the permissions of this role. `origin` and `director` make the streams that are missing, as these do when they start.
    #[arg(long, value_name = "ROLE", default_value = "relay")]
    role: NatsRole,

    /// Change a limit, as for `serve`; only those of NATS matter here.
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,

    #[command(flatten)]
    link: NatsArgs,
}

/// Examines, and prints what was found.
///
/// # Errors
/// If the address, a file or a limit is of no use.
pub fn run(args: DoctorArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::default();
    for limit in &args.limit {
        config.set_limit(limit)?;
    }
    let settings = args.link.settings(args.nats, args.role);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
    let found = runtime.block_on(examine(&settings, &config.nats_limits))?;
    for finding in &found {
        let mark = match finding.health {
            Health::Good => "good",
            Health::Doubtful => "look",
            Health::Bad => "BAD ",
        };
        print(&format!("{mark}  {}", finding.text))?;
    }
    let count = found.iter().filter(|finding| finding.health == Health::Bad).count();
    Ok(match count {
        0 => ExitCode::SUCCESS,
        1 => {
            print("one thing does not work")?;
            ExitCode::FAILURE
        }
        many => {
            print(&format!("{many} things do not work"))?;
            ExitCode::FAILURE
        }
    })
}
