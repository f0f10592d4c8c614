//! `tournament annul` and `award`: rulings on games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;

use super::show::known;
use crate::cli::print;
use crate::tournament::catalogue::{Catalogue, RulingKind};
use crate::tournament::report::Snapshot;

#[derive(Debug, Args)]
pub(super) struct AnnulArgs {
    /// The tournament, FILE.db
    db: PathBuf,
    /// The number of the game, as `tournament games` lists it
    game: u64,
    /// The reason, which everybody can read
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
pub(super) struct AwardArgs {
    /// The tournament, FILE.db
    db: PathBuf,
    /// The number of the game, as `tournament games` lists it
    game: u64,
    /// The player that it is given to, or `draw`
    player: String,
    /// The reason, which everybody can read
    #[arg(long)]
    reason: String,
}

/// Annuls a game.
pub(super) fn annul(args: &AnnulArgs) -> anyhow::Result<ExitCode> {
    let mut catalogue = Catalogue::open(&args.db)?;
    let snapshot = Snapshot::read(&catalogue)?;
    let game = snapshot.game(args.game).with_context(|| unknown(args.game))?;
    let [first, second] = game.game.players.map(|player| snapshot.name(player));
    let said = format!("game {}, {first} – {second}, does not count: {}", args.game, args.reason);
    catalogue.rule(args.game, RulingKind::Annul, reason(&args.reason)?)?;
    print(&said)?;
    Ok(ExitCode::SUCCESS)
}

/// Awards a game to a player.
pub(super) fn award(args: &AwardArgs) -> anyhow::Result<ExitCode> {
    let mut catalogue = Catalogue::open(&args.db)?;
    let snapshot = Snapshot::read(&catalogue)?;
    let game = snapshot.game(args.game).with_context(|| unknown(args.game))?;
    let players = game.game.players;
    let winner = if args.player == "draw" {
        None
    } else {
        let player = known(&snapshot, &args.player)?;
        let Some(side) = players.iter().position(|of| *of == player) else {
            let [first, second] = players.map(|player| snapshot.name(player));
            bail!("game {} is between {first} and {second}, without {}", args.game, args.player);
        };
        Some(side as u8)
    };
    let to = if winner.is_some() { format!("is given to {}", args.player) } else { "is a draw".to_owned() };
    let said = format!("game {} {to}: {}", args.game, args.reason);
    catalogue.rule(args.game, RulingKind::Award { winner }, reason(&args.reason)?)?;
    print(&said)?;
    Ok(ExitCode::SUCCESS)
}

fn unknown(game: u64) -> String {
    format!("no game with the number {game} was played; `tournament games` lists them")
}

fn reason(reason: &str) -> anyhow::Result<&str> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > 500 || reason.chars().any(char::is_control) {
        bail!("a reason has 1 to 500 characters, in one line");
    }
    Ok(reason)
}
