//! `grandstand team`: a shipped team of Steam Fortress, playing over TCP.

use std::env;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_players::games::fortress::client::{Options, play};
use grandstand_players::games::fortress::options::PORT;

/// Play Steam Fortress with a shipped team, as a program of its own.
///
/// A match that starts it passes the address and the secret in the environment.
#[derive(Debug, Args)]
pub struct TeamArgs {
    /// The team
    #[arg(value_parser = PossibleValuesParser::new(ShippedTeam::ALL.map(ShippedTeam::name)).try_map(team))]
    name: ShippedTeam,
    /// Address of the match [default: GRANDSTAND_ADDRESS, or port 3110 of this machine]
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
    /// The team's secret [default: GRANDSTAND_SECRET, or none]
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
    /// Seed of everything random [default: a random one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

fn team(name: String) -> Result<ShippedTeam, String> {
    ShippedTeam::named(&name).ok_or_else(|| format!("there is no team `{name}`"))
}

/// Plays to the end of the match. A loss is not a failure.
///
/// # Errors
/// If the connection fails before the end.
pub fn run(args: &TeamArgs) -> anyhow::Result<ExitCode> {
    let given = |name: &str| env::var(format!("GRANDSTAND_{name}")).ok();
    let address = args.connect.clone().or_else(|| given("ADDRESS"));
    let options = Options {
        team: args.name,
        address: address.unwrap_or_else(|| format!("127.0.0.1:{PORT}")),
        secret: args.secret.clone().or_else(|| given("SECRET")),
        seed: args.seed.unwrap_or_else(|| getrandom::u64().unwrap_or(1)),
    };
    let won = play(&options).with_context(|| format!("the match at {}", options.address))?;
    let words = match won {
        Some(true) => "won",
        Some(false) => "lost",
        None => "a draw",
    };
    tell!("{} at {}: {words}", options.team.name(), options.address);
    Ok(ExitCode::SUCCESS)
}
