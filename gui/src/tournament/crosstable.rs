//! Crosstable: results of each pair; a cell opens the pair's games.

use eframe::egui::Ui;
use grandstand_board::theme::{Palette, mix};
use grandstand_protocol::tournament::{CrossCell, StageReport};

use super::TournamentRequest;
use super::known::VisibleTournament;
use super::standings::{player_cell, points};
use super::table::{Cell, Column, Table};
use crate::address::tournament::TournamentView;

/// Shows the table; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    stage: usize,
    tables: &StageReport,
) -> Option<TournamentRequest> {
    let palette = Palette::of(ui.ctx());
    let rows = &tables.crosstable;
    if rows.is_empty() {
        ui.weak("No games yet.");
        return None;
    }
    ui.weak("Points of the player at the left against the one above, by their places in the table. A cell opens the games.");
    ui.add_space(4.0);
    let mut columns = vec![Column::number("#").tip("Place"), Column::text("Player")];
    columns.extend(
        rows.iter().enumerate().map(|(index, row)| {
            Column::narrow(&(index + 1).to_string()).tip(format!("against {}", row.player))
        }),
    );
    let lines = rows.iter().enumerate().map(|(index, row)| {
        let mut cells =
            vec![Cell::new((index + 1).to_string()).weak(), player_cell(known, &row.player).strong()];
        cells.extend(row.cells.iter().zip(rows).map(|(cell, other)| {
            let pair = [row.player.as_str(), other.player.as_str()];
            match cell {
                None => Cell { fill: Some(palette.line), ..Cell::default() },
                Some(cell) if cell.games.is_empty() => Cell::default(),
                Some(cell) => met(palette, known, (stage, pair), cell),
            }
        }));
        cells
    });
    let table = Table { columns, rows: lines.collect(), fixed: 2, ..Table::default() };
    table.show(ui, "crosstable")
}

fn met(
    palette: &Palette,
    known: &VisibleTournament<'_>,
    (stage, pair): (usize, [&str; 2]),
    cell: &CrossCell,
) -> Cell {
    let fill = match cell.wins.cmp(&cell.losses) {
        _ if cell.left_out => None,
        std::cmp::Ordering::Greater => Some(palette.good),
        std::cmp::Ordering::Less => Some(palette.error),
        std::cmp::Ordering::Equal => None,
    };
    let games =
        TournamentView::games_between(pair.map(|name| known.number(name)), u32::try_from(stage + 1).ok());
    let tip =
        format!("{} – {}: {} won, {} drawn, {} lost", pair[0], pair[1], cell.wins, cell.draws, cell.losses);
    let shown = Cell::new(points(cell.points.0)).press(Some(TournamentRequest::Go(games))).tip(tip);
    let shown = Cell { fill: fill.map(|ink| mix(palette.raised, ink, 0.2)), ..shown };
    if cell.left_out { shown.weak() } else { shown }
}
