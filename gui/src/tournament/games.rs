//! List of games, filtered by player, opponent, stage and result; each opens its recording.

use eframe::egui::{ComboBox, Role, Ui, WidgetInfo};
use grandstand_protocol::tournament::{GameLine, OutcomeFilter};
use grandstand_story::format;

use super::TournamentRequest;
use super::answers::loaded;
use super::known::VisibleTournament;
use super::rounds::watch;
use super::standings::{note, player_cell};
use super::table::{Cell, Column, Table};
use crate::address::tournament::TournamentView;
use crate::layout::ScreenLayout;

/// Games on one page.
const PAGE: usize = 100;
/// Number of watched games that are requested by number at most.
const WATCHED: usize = 200;
/// Width of a choice under a pointer.
const CHOICE: f32 = 160.0;

/// Path of a view's games on the server; in spoiler mode only watched ones.
pub(super) fn path(known: &VisibleTournament<'_>, place: TournamentView) -> String {
    let mut path = format!("api/tournament/games?from={}&limit={}", place.from, PAGE + 1);
    for (name, number) in [("player", place.player), ("opponent", place.opponent), ("stage", place.stage)] {
        if let Some(number) = number {
            path += &format!("&{name}={number}");
        }
    }
    let whose = |outcome: &OutcomeFilter| place.player.is_some() || !outcome.is_of_a_player();
    if let Some(outcome) = place.outcome.filter(whose) {
        path += &format!("&result={}", outcome.name());
    }
    if known.hides() {
        let numbers: Vec<String> = known.watched(WATCHED).iter().map(u64::to_string).collect();
        // An empty list would mean all games.
        path += &format!(
            "&numbers={}",
            if numbers.is_empty() { u64::MAX.to_string() } else { numbers.join(",") }
        );
    }
    path
}

/// Shows the filter and the games; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    place: TournamentView,
    answer: Result<Option<&[GameLine]>, &str>,
) -> Option<TournamentRequest> {
    let mut asked = filter(ui, known, place);
    if known.hides() {
        ui.weak("The games that you have watched. All others are in the rounds.");
    }
    ui.add_space(4.0);
    let Some(games) = loaded(ui, answer) else { return asked };
    if games.is_empty() {
        ui.weak("No game fits.");
    } else {
        let shown = &games[..games.len().min(PAGE)];
        asked = table(known, shown).show(ui, "games").or(asked);
        let all = TournamentView { from: place.from, ..TournamentView::of(place.tab, None) } == place;
        let has_gaps = shown.windows(2).any(|two| two[1].number > two[0].number + 1);
        if all && has_gaps && !known.hides() {
            note(
                ui,
                "Games have the numbers of the schedule. A missing number is a game that was not needed.",
            );
        }
    }
    ui.horizontal(|ui| {
        if place.from > 0 && ui.button("From the first").clicked() {
            asked = Some(TournamentRequest::Go(TournamentView { from: 0, ..place }));
        }
        if let Some(next) = games.get(PAGE)
            && ui.button("Later games").clicked()
        {
            asked = Some(TournamentRequest::Go(TournamentView { from: next.number, ..place }));
        }
    });
    ui.add_space(16.0);
    asked
}

/// The filter; returns a change.
fn filter(ui: &mut Ui, known: &VisibleTournament<'_>, place: TournamentView) -> Option<TournamentRequest> {
    let mut chosen = TournamentView { from: 0, ..place };
    let players: Vec<&str> = known.players().iter().map(|player| player.name.as_str()).collect();
    let stages: Vec<&str> = known.stages().map(|stage| stage.name).collect();
    ui.horizontal_wrapped(|ui| {
        choice(ui, "player", &players, &mut chosen.player);
        choice(ui, "opponent", &players, &mut chosen.opponent);
        if stages.len() > 1 {
            choice(ui, "stage", &stages, &mut chosen.stage);
        }
        let text = |outcome: Option<OutcomeFilter>| outcome.map_or("Any result", OutcomeFilter::label);
        let offered = |outcome: &OutcomeFilter| chosen.player.is_some() || !outcome.is_of_a_player();
        let offered: Vec<OutcomeFilter> = OutcomeFilter::ALL.into_iter().filter(offered).collect();
        combo(ui, "result", text(chosen.outcome), |ui| {
            ui.selectable_value(&mut chosen.outcome, None, text(None));
            for outcome in offered {
                ui.selectable_value(&mut chosen.outcome, Some(outcome), text(Some(outcome)));
            }
        });
        let chose = [chosen.player, chosen.opponent, chosen.stage].iter().any(Option::is_some);
        if (chose || chosen.outcome.is_some()) && ui.button("All games").clicked() {
            chosen = TournamentView::of(place.tab, None);
        }
    });
    (TournamentView { from: place.from, ..chosen } != place).then_some(TournamentRequest::Go(chosen))
}

/// A choice among names, which are numbered from 1.
fn choice(ui: &mut Ui, what: &str, names: &[&str], number: &mut Option<u32>) {
    let index = number.and_then(|number| (number as usize).checked_sub(1));
    let any = format!("Any {what}");
    let shown = index.and_then(|index| names.get(index)).copied().unwrap_or(&any);
    combo(ui, what, shown, |ui| {
        ui.selectable_value(number, None, &any);
        for (number_of, name) in (1..).zip(names) {
            ui.selectable_value(number, Some(number_of), *name);
        }
    });
}

/// A box with a choice; on a phone two stand beside each other.
fn combo(ui: &mut Ui, what: &str, shown: &str, choices: impl FnOnce(&mut Ui)) {
    let width = match ScreenLayout::of(ui.ctx()).phone {
        true => (ui.max_rect().width() - ui.spacing().item_spacing.x) / 2.0,
        false => CHOICE,
    };
    let combo = ComboBox::from_id_salt(what).width(width).truncate().selected_text(shown);
    let shown = format!("{}: {shown}", format::capitalised(what));
    combo.show_ui(ui, choices).response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &shown));
}

/// Games as a table.
pub(super) fn table(known: &VisibleTournament<'_>, games: &[GameLine]) -> Table {
    let mapped = games.iter().any(|game| game.map.is_some());
    let staged = known.stages().count() > 1;
    let mut columns = vec![Column::text("Watch").tip("Game")];
    // A phone has the last ones below the first side, as far as there is room.
    columns.extend([Column::text("First side"), Column::text("Second side")]);
    columns.extend([Column::text("Result"), Column::number("Round"), Column::text("Ended by").untitled()]);
    columns.extend(mapped.then(|| Column::text("Map")));
    columns.push(Column::number("Length").untitled());
    columns.extend(staged.then(|| Column::text("Stage")));
    let rows = games.iter().map(|game| {
        let [first, second] = &game.players;
        let side = |index: usize| {
            let cell = player_cell(known, &game.players[index]);
            if game.winner.map(usize::from) == Some(index) { cell.strong() } else { cell }
        };
        let mut cells = vec![match game.recorded {
            true => watch(known, game.number, format!("Watch game {}, {first} – {second}", game.number)),
            false => Cell::new(game.number.to_string()).tip("Not recorded").weak(),
        }];
        cells.extend([side(0), side(1)]);
        cells.push(Cell::new(game.result.as_deref().map_or("to be replayed".to_owned(), score)).strong());
        cells.push(Cell::new(game.round.to_string()));
        cells.push(ended_by(game));
        cells.extend(mapped.then(|| Cell::new(game.map.as_deref().unwrap_or("–"))));
        cells.push(match (game.length, &game.unit) {
            (Some(length), Some(unit)) => Cell::new(format!("{} {unit}", format::number(length))),
            _ => Cell::new("–").weak(),
        });
        cells.extend(staged.then(|| Cell::new(&game.stage)));
        cells
    });
    Table { columns, rows: rows.collect(), main: Some(1), ..Table::default() }
}

/// A result as scores are written everywhere in the interface: `1 : 0`, `½ : ½`.
fn score(result: &str) -> String {
    result.replace("1/2", "½").replace('-', " : ")
}

/// The termination, with notes on the result.
fn ended_by(game: &GameLine) -> Cell {
    let mut tip: Vec<String> = game.reason.iter().cloned().collect();
    let mut text = format::ended_by(&game.termination);
    if let Some(ruling) = &game.ruling {
        text += ", ruling";
        tip.push(format!("Ruling: {ruling}"));
    }
    if let Some(same) = game.same_as {
        text += &format!(", same as {same}");
        tip.push(format!("The same as game {same}, command for command"));
    }
    if !game.counts {
        text += ", does not count yet";
    }
    Cell::new(text).tip(tip.join(". "))
}
