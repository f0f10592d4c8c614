//! Page of one player: results by opponent, map and side, causes of its results, and its worst losses.

use eframe::egui::{RichText, Ui};
use grandstand_board::theme::{BODY, semibold};
use grandstand_protocol::tournament::{Opposition, OutcomeFilter, PlayerReport};
use grandstand_story::format::ended_by;

use super::TournamentRequest;
use super::answers::loaded;
use super::games;
use super::head;
use super::known::VisibleTournament;
use super::standings::{heading, note, player_cell};
use super::table::{Cell, Column, Figure, Table};
use crate::address::tournament::{Tab, TournamentView};

/// Shows the page of a player, by its number from 1; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    number: u32,
    answer: Result<Option<&PlayerReport>, &str>,
) -> Option<TournamentRequest> {
    let Some(player) = known.player(number) else {
        ui.weak(format!("There is no player {number}."));
        return None;
    };
    let games = TournamentView { tab: Tab::Games, player: Some(number), ..TournamentView::default() };
    let mut asked = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&player.name).family(semibold()).size(BODY + 4.0));
        let words = format!("plays as {}", program_name(&player.play));
        ui.label(RichText::new(words).weak()).on_hover_text(&player.play);
    });
    if known.hides() {
        if ui.button("Its games that you have watched").clicked() {
            asked = Some(TournamentRequest::Go(games));
        }
        return head::hidden(ui, known).or(asked);
    }
    let Some(report) = loaded(ui, answer) else { return asked };
    let total = &report.total;
    ui.horizontal_wrapped(|ui| {
        let games_of = |outcome| TournamentRequest::Go(TournamentView { outcome, ..games });
        for (count, words, outcome) in [
            (total.games(), "games", None),
            (total.wins, "won", Some(OutcomeFilter::Won)),
            (total.draws, "drawn", Some(OutcomeFilter::Drawn)),
            (total.losses, "lost", Some(OutcomeFilter::Lost)),
        ] {
            if ui.button(format!("{count} {words}")).on_hover_text("Lists them").clicked() {
                asked = Some(games_of(outcome));
            }
        }
    });
    // The columns of all three tables stand below each other.
    let all = [&report.opponents, &report.sides, &report.maps].into_iter().flatten();
    let names: Vec<String> = all.map(|row| row.name.clone()).collect();
    heading(ui, "By opponent");
    let opponents = shares(known, ("Opponent", &names), &report.opponents, Some(number));
    asked = opponents.show(ui, "by opponent").or(asked);
    for (title, column, rows, id) in
        [("By side", "Side", &report.sides, "by side"), ("By map", "Map", &report.maps, "by map")]
    {
        if rows.iter().any(|row| row.games() > 0) {
            heading(ui, title);
            asked = shares(known, (column, &names), rows, None).show(ui, id).or(asked);
        }
    }
    if !report.endings.is_empty() {
        heading(ui, "How its games ended");
        asked = endings(report).show(ui, "endings").or(asked);
    }
    if !report.faults.is_empty() {
        let faults: Vec<String> =
            report.faults.iter().map(|(by, count)| format!("{} {count}", ended_by(by))).collect();
        note(ui, &format!("By its own fault: {}.", faults.join(", ")));
    }
    if !report.worst_losses.is_empty() {
        heading(ui, "Worst losses");
        ui.weak("Those that took the opponent the shortest time.");
        asked = games::table(known, &report.worst_losses).show(ui, "worst losses").or(asked);
    }
    ui.add_space(16.0);
    asked
}

/// What a player plays as: of a program in a file, the file's name.
fn program_name(play: &str) -> &str {
    let is_path = !play.contains([' ', ':', '=']);
    play.rsplit(['/', '\\']).next().filter(|name| is_path && !name.is_empty()).unwrap_or(play)
}

/// Results by category, with a bar. The numbers against an opponent open the games of `player`.
fn shares(
    known: &VisibleTournament<'_>,
    (title, names): (&str, &[String]),
    rows: &[Opposition],
    player: Option<u32>,
) -> Table {
    let played = rows.iter().filter(|row| row.games() > 0);
    let rows = played.map(|row| {
        let opponent = known.number(&row.name).filter(|_| player.is_some());
        let open = |outcome: OutcomeFilter, count: u32| {
            let games = TournamentView {
                outcome: Some(outcome),
                ..TournamentView::games_between([player, opponent], None)
            };
            let cell = Cell::new(count.to_string());
            if count == 0 {
                return cell.weak();
            }
            let tip = format!("{count} {} against {}", outcome.name(), row.name);
            if opponent.is_some() { cell.press(Some(TournamentRequest::Go(games))).tip(tip) } else { cell }
        };
        let all = row.games().max(1) as f32;
        let (won, drawn) = (row.wins as f32 / all, row.draws as f32 / all);
        let name = match opponent {
            Some(_) => player_cell(known, &row.name),
            None => Cell::new(&row.name),
        };
        vec![
            name,
            open(OutcomeFilter::Won, row.wins),
            open(OutcomeFilter::Drawn, row.draws),
            open(OutcomeFilter::Lost, row.losses),
            Cell::default().figure(Figure::Share { won, drawn }, format!("{:.0} % won", won * 100.0)),
        ]
    });
    Table {
        columns: vec![
            Column::text(title).fits(names),
            Column::number("Won"),
            Column::number("Drawn"),
            Column::number("Lost"),
            Column::text("Share"),
        ],
        rows: rows.collect(),
        main: Some(0),
        ..Table::default()
    }
}

fn endings(report: &PlayerReport) -> Table {
    let rows = report
        .endings
        .iter()
        .map(|(won, by, count)| vec![Cell::new(won), Cell::new(ended_by(by)), Cell::new(count.to_string())]);
    Table {
        columns: vec![Column::text("Result"), Column::text("By"), Column::number("Games")],
        rows: rows.collect(),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests {
    use super::program_name;

    #[test]
    fn a_program_is_named_without_the_folders_above_it() {
        assert_eq!(program_name("/home/ada/bots/team.cl"), "team.cl");
        for whole in ["random", "search:depth=2", "engine ./pbrain-ours --fast", "bots/"] {
            assert_eq!(program_name(whole), whole);
        }
    }
}
