//! Match specifications for the games of a tournament, from its definition.

use anyhow::{Context as _, bail};
use grandstand_matches::MatchSpec;
use grandstand_players::input_file::InputBuffer;
use grandstand_tournaments::{PlayerIndex, ScheduledGame};

use super::super::catalogue::version_of;
use super::super::definition::Definition;
use super::super::playing::set_up::{self, SetUp, Specs};
use crate::cli::play::description::NO_PROGRAMS;

/// Cache of match specifications. Programs are loaded for the first game of two players, per map and opening.
pub(super) struct Matches<'a> {
    definition: &'a Definition,
    /// Content hashes of the players, which must not change during a run.
    versions: &'a [String],
    /// Buffer for the inputs of a real-time match while it is played.
    inputs: InputBuffer,
    specs: Specs<Key>,
}

/// Cache key: players in the order of their positions, stage, map and opening.
type Key = ([PlayerIndex; 2], u32, Option<u32>, Option<u32>);

impl<'a> Matches<'a> {
    pub(super) fn new(definition: &'a Definition, versions: &'a [String], inputs: InputBuffer) -> Self {
        Self { definition, versions, inputs, specs: Specs::new() }
    }

    /// The specification of a game's match.
    ///
    /// # Errors
    /// If a player does not load, or its content has changed.
    pub(super) fn of(&mut self, game: &ScheduledGame) -> anyhow::Result<Box<dyn MatchSpec>> {
        let (players, swapped) = game.in_order();
        let key = (players, game.stage, game.map, game.opening);
        let (definition, versions, inputs) = (self.definition, self.versions, &self.inputs);
        self.specs.of(key, (game.seed, swapped), |_| {
            for player in players {
                unchanged(definition, versions, player)?;
            }
            load(definition, inputs, &players, game)
        })
    }
}

fn load(
    definition: &Definition,
    inputs: &InputBuffer,
    players: &[PlayerIndex; 2],
    game: &ScheduledGame,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    let board = (game.stage as usize, game.map, game.opening);
    let plays = players.map(|player| definition.players[player.index()].play.as_str());
    set_up::describe_recorded(set_up(definition, plays, board), inputs)
}

fn unchanged(definition: &Definition, versions: &[String], player: PlayerIndex) -> anyhow::Result<()> {
    let entry = &definition.players[player.index()];
    let now = version_of(definition.game, &entry.play).with_context(|| entry.name.clone())?;
    if versions.get(player.index()) != Some(&now) {
        bail!("the files of {} have changed while the tournament was running", entry.name);
    }
    Ok(())
}

/// The match specification for two players, on a stage's board: its map and its opening.
///
/// # Errors
/// If a player does not load, or the settings are wrong.
pub(super) fn describe(
    definition: &Definition,
    players: [&str; 2],
    board: Board,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    set_up::describe(set_up(definition, players, board), None)
}

/// A stage, its map and its opening.
type Board = (usize, Option<u32>, Option<u32>);

fn set_up<'a>(definition: &'a Definition, players: [&'a str; 2], (stage, map, opening): Board) -> SetUp<'a> {
    SetUp {
        game: definition.game,
        players,
        settings: definition.settings(stage, map, opening),
        speed: definition.speed,
        limits: &definition.limits,
        sandbox: definition.sandbox,
        readable: &definition.readable,
        programs: NO_PROGRAMS,
    }
}

/// Errors in the players and boards of a definition, each with a name; every program is loaded once.
pub fn problems(definition: &Definition) -> Vec<(String, String)> {
    let board = |map: usize, opening: usize, stage: &super::super::definition::Stage| {
        let index = |of: usize, length: usize| (of < length).then(|| u32::try_from(of).unwrap_or(u32::MAX));
        (index(map, stage.maps.len()), index(opening, stage.openings.len()))
    };
    let mut problems = Vec::new();
    let first = definition.stages.first().map_or((None, None), |stage| board(0, 0, stage));
    let mut loaded = None;
    for player in &definition.players {
        let person = player.play.split(':').next().filter(|kind| matches!(*kind, "person" | "seat" | "wait"));
        if let Some(kind) = person {
            problems.push((
                player.name.clone(),
                format!("`{kind}` is a person, and a tournament is played by programs"),
            ));
            continue;
        }
        match describe(definition, [&player.play, &player.play], (0, first.0, first.1)) {
            Ok(_) => loaded = Some(player),
            Err(error) => problems.push((player.name.clone(), format!("{error:#}"))),
        }
    }
    // An error common to all players is not a player's.
    if problems.len() == definition.players.len() && loaded.is_none() && problems.len() > 1 {
        let (_, what) = &problems[0];
        if problems.iter().all(|(_, other)| other == what) {
            return vec![("the settings".to_owned(), what.clone())];
        }
    }
    let Some(player) = loaded else { return problems };
    for (number, stage) in definition.stages.iter().enumerate() {
        let boards = (0..stage.maps.len())
            .map(|map| (map, 0, stage.maps[map].name.clone()))
            .chain((0..stage.openings.len()).map(|opening| (0, opening, format!("opening {}", opening + 1))));
        for (map, opening, name) in boards {
            let (map, opening) = board(map, opening, stage);
            if let Err(error) = describe(definition, [&player.play, &player.play], (number, map, opening)) {
                problems.push((format!("{}, {name}", stage.plan.name), format!("{error:#}")));
            }
        }
    }
    problems
}
