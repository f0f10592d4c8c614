//! Match specifications from descriptions.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::games::stones::{self, Stones};
use grandstand_matches::games::{fortress, title};
use grandstand_matches::machine::{GameWorld, Player, ProgramMatch, RUST, Settings};
use grandstand_matches::settings::SettingsError;
use grandstand_matches::turns::game::TurnGame as _;
use grandstand_matches::turns::settings::{self, TIME, read_settings_with};
use grandstand_matches::{MatchSpec, programs};
use grandstand_players::games::fortress::options::LiveSpec;
use grandstand_players::games::fortress::player::Player as FortressPlayer;
use grandstand_players::program_files;
use grandstand_players::turns::player_factory::{ProgramOptions, SeatedGame};
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::Game;
use grandstand_rules::fortress::ByTeam;
use grandstand_rules::stones::Openings;
use serde_json::{Map, Value};

use super::description::MatchDescription;
use crate::player_text::is_program_file;

/// A match of programs.
///
/// # Errors
/// If the description is invalid.
pub(crate) fn of_programs<W: GameWorld>(of: &MatchDescription<'_>) -> anyhow::Result<Box<dyn MatchSpec>> {
    let check = |map| Settings::<W::Rules>::from_map(map);
    let settings = of.args.settings.read(W::GAME, check)?;
    let load = |name: &str| match of.programs.get(name) {
        Some(program) => Ok(program.clone().into()),
        None => player::<W>(name, of.warn, Path::new(".")),
    };
    let first = load(of.players[0])?;
    // A program that plays both sides is loaded once.
    let same = of.players[0] == of.players[1];
    let second = if same { first.clone() } else { load(of.players[1])? };
    let players = [first, second];
    Ok(Box::new(ProgramMatch::<W> { settings, seed: of.seed, players }))
}

/// The player with this name in a match of programs; its program includes files below `directory`. With `warn`, suspicious
/// code in the program is reported.
///
/// # Errors
/// If there is no such player, or its program does not load.
pub(crate) fn player<W: GameWorld>(name: &str, warn: bool, directory: &Path) -> anyhow::Result<Player> {
    let game = W::GAME;
    if let Some(native) = name.strip_prefix(RUST) {
        let teams = W::NATIVES.join(", ");
        return Player::native::<W>(native).with_context(|| match &*teams {
            "" => format!("no team of {} is written in Rust", title(game)),
            teams => format!(
                "`{native}` is not a team of {} that is written in Rust; expected one of: {teams}",
                title(game)
            ),
        });
    }
    let expected = W::LANGUAGE.extension();
    if !is_program_file(game, name) && !programs::players(game).any(|player| player == name) {
        let native = W::NATIVES.iter().map(|native| format!("{RUST}{native}"));
        let players: Vec<String> = programs::players(game).map(str::to_owned).chain(native).collect();
        bail!(
            "`{name}` is not a player of {}; expected FILE.{expected} or one of: {}",
            title(game),
            players.join(", ")
        );
    }
    let program = program_files::load(game, name, directory)?;
    for warning in program.warnings().iter().filter(|_| warn) {
        tell!("{warning}");
    }
    Ok(program.into())
}

/// A match of Steam Fortress.
///
/// # Errors
/// If the description is invalid.
pub(crate) fn fortress(of: &MatchDescription<'_>) -> anyhow::Result<Box<dyn MatchSpec>> {
    let (rules, map) = of.args.settings.read(Game::Fortress, fortress::settings::read_settings)?;
    let players = [FortressPlayer::parse(of.players[0])?, FortressPlayer::parse(of.players[1])?];
    let (own, seed) = (&of.args.fortress, of.seed);
    if own.speed.is_none()
        && let [FortressPlayer::Shipped(red), FortressPlayer::Shipped(blue)] = players
    {
        if of.inputs.is_some() {
            bail!("--inputs is for matches in real time; two shipped teams play in real time with --speed");
        }
        return Ok(Box::new(ShippedMatch { rules, map, teams: ByTeam::new(red, blue), seed }));
    }
    if of.paced {
        bail!("--pace is for matches without a clock of their own; here it is --speed");
    }
    let [red, blue] = players;
    let players = ByTeam::new(red, blue);
    Ok(Box::new(LiveSpec { rules, map, players, seed, options: own.options(of)? }))
}

/// A match of Gomoku or Pente.
///
/// # Errors
/// If the description is invalid.
pub(crate) fn stones(of: &MatchDescription<'_>) -> anyhow::Result<Box<dyn MatchSpec>> {
    let book = of.args.stones.book()?;
    by_turns::<Stones>(of, |map| {
        let book = book.clone();
        stones::read_with(of.game, map, || book.unwrap_or_else(|| Arc::new(Openings::shipped())))
    })
}

/// A match of Riskless.
///
/// # Errors
/// If the description is invalid.
pub(crate) fn riskless(of: &MatchDescription<'_>) -> anyhow::Result<Box<dyn MatchSpec>> {
    by_turns::<Riskless>(of, |map| Riskless::read(of.game, map))
}

fn by_turns<G: SeatedGame>(
    of: &MatchDescription<'_>,
    read: impl Fn(Map<String, Value>) -> Result<G, SettingsError>,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    let own = &of.args.turns;
    if of.paced && own.time()?.is_some() {
        bail!("--pace is for matches without clocks");
    }
    let time = own.time()?.map(|time| (TIME.to_owned(), Value::from(time.to_string())));
    let given: Map<String, Value> = time.into_iter().chain(of.args.stones.given()).collect();
    let settings: settings::Settings<G> = of.args.settings.read(of.game, |mut map| {
        map.extend(given.clone());
        map.extend(of.chosen.clone());
        read_settings_with(map, &read)
    })?;
    let mut game = TurnMatch::new(settings, of.players, of.seed)?;
    game.inputs = of.inputs.cloned();
    game.programs = ProgramOptions {
        limits: of.args.programs.limits(ProgramOptions::default().limits)?,
        isolation: of.args.programs.isolation(),
        readable: of.args.programs.readable()?,
        logs: of.args.programs.logs.clone(),
        several: of.several,
    };
    let real = game.tempo().keeps_time;
    if of.paced && real {
        bail!("--pace is for matches without clocks: these players need some, and pass time by themselves");
    }
    if of.several && game.factories.iter().any(|factory| factory.terminal || factory.seat) {
        bail!("a person plays one match at a time, without --matches");
    }
    Ok(Box::new(game))
}
