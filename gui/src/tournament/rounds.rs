//! Pairings round by round, the latest first; each game can be watched.

use eframe::egui::Ui;

use super::TournamentRequest;
use super::bracket::encounter_row;
use super::known::{KnownEncounter, KnownRound, VisibleTournament};
use super::standings::{heading, page_of, player_cell, points};
use super::table::{Cell, Column, Table, show_if_seen};
use crate::address::tournament::TournamentView;
use crate::icons::Icon;
use crate::layout::ScreenLayout;

/// Number of games of an encounter with their own column at most.
const GAMES: usize = 12;

/// Shows the rounds; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    stage: usize,
    place: TournamentView,
) -> Option<TournamentRequest> {
    let rounds = known.rounds(stage);
    if rounds.is_empty() {
        ui.weak("No round of this stage can be shown yet.");
    }
    if known.hides() {
        ui.weak("Each encounter lists all games that it can have, needed or not. The next round appears when all of this one was watched.");
    }
    let mut asked = None;
    for round in rounds.iter().rev() {
        heading(ui, &format!("Round {}", round.round));
        let id = format!("round {}", round.round);
        let rows = round.encounters.len();
        asked = match ScreenLayout::of(ui.ctx()).is_touched() {
            true => boxes(ui, known, stage, round),
            false => show_if_seen(ui, &id, rows, || table(known, round, place)),
        }
        .or(asked);
        for player in round.byes {
            ui.horizontal(|ui| {
                if ui.link(player).clicked() {
                    asked = page_of(known, player);
                }
                ui.weak("has no opponent");
            });
        }
    }
    ui.add_space(16.0);
    asked
}

/// The encounters of a round as boxes one below the other, for fingers: a box opens its games.
fn boxes(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    stage: usize,
    round: &KnownRound<'_>,
) -> Option<TournamentRequest> {
    let mut asked = None;
    for encounter in &round.encounters {
        asked = encounter_row(ui, known, stage, encounter).or(asked);
        if known.hides() && encounter.result.is_none() {
            let [first, second] = &encounter.encounter.players;
            let reveal = ui.button("Reveal").on_hover_text(format!("Reveal how {first} – {second} ended"));
            if reveal.clicked() {
                asked = Some(TournamentRequest::Reveal(known.watchable(encounter.encounter)));
            }
        }
    }
    asked
}

fn table(known: &VisibleTournament<'_>, round: &KnownRound<'_>, place: TournamentView) -> Table {
    let most = round.encounters.iter().map(|encounter| encounter.games.len()).max().unwrap_or(0).min(GAMES);
    let mut columns = vec![Column::text("First"), Column::text("Second"), Column::text("Result")];
    columns.extend((0..most).map(|game| Column::number(&format!("Game {}", game + 1))));
    let hidden = known.hides() && round.encounters.iter().any(|encounter| encounter.result.is_none());
    if hidden {
        columns.push(Column::text(""));
    }
    let rows = round.encounters.iter().map(|encounter| {
        let mut cells = line(known, encounter, most);
        if hidden {
            let games = known.watchable(encounter.encounter);
            cells.push(match encounter.result {
                None => {
                    let [first, second] = &encounter.encounter.players;
                    let tip = format!("Reveal how {first} – {second} ended");
                    Cell::new("Reveal").press(Some(TournamentRequest::Reveal(games))).tip(tip)
                }
                Some(_) => Cell::default(),
            });
        }
        cells
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let own = |encounter: &KnownEncounter<'_>| {
        let mut numbers = encounter.encounter.players.iter().map(|name| known.number(name));
        place.player.is_some() && numbers.any(|number| number == place.player)
    };
    let marked = round.encounters.iter().position(own);
    Table { columns, rows, marked, ..Table::default() }
}

fn line(known: &VisibleTournament<'_>, encounter: &KnownEncounter<'_>, most: usize) -> Vec<Cell> {
    let [first, second] = &encounter.encounter.players;
    let won = |side: usize| encounter.result.is_some_and(|result| result.winner == Some(side));
    let name = |side: usize, name: &str| {
        let cell = player_cell(known, name);
        if won(side) { cell.strong() } else { cell }
    };
    let result = match &encounter.result {
        Some(result) => {
            let [a, b] = result.points.map(points);
            let by_seed = if result.by_seed { " by seed" } else { "" };
            let cell = Cell::new(format!("{a} : {b}{by_seed}")).strong();
            if result.by_seed { cell.tip("Level: the better seed advances") } else { cell }
        }
        None if known.hides() => Cell::new("hidden").weak(),
        None if encounter.games.is_empty() => Cell::new("to be played").weak(),
        None => Cell::new("being played").weak(),
    };
    let mut cells = vec![name(0, first), name(1, second), result];
    cells.extend((0..most).map(|index| match encounter.games.get(index) {
        Some(game) => watch(known, *game, format!("Watch game {game}, {first} – {second}")),
        None => Cell::default(),
    }));
    cells
}

/// A game's number, which opens its recording; weak if the game was watched.
pub(super) fn watch(known: &VisibleTournament<'_>, game: u64, tip: String) -> Cell {
    let cell = Cell { icon: Some(Icon::Play), ..Cell::new(game.to_string()) };
    let cell = cell.press(Some(TournamentRequest::Watch(game)));
    if known.was_watched(game) { cell.weak().tip(format!("{tip} again")) } else { cell.tip(tip) }
}
