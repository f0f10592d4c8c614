//! Crosstable: results of each pair; a cell opens the pair's games.

use eframe::egui::{Align, Align2, FontId, Id, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{Palette, SMALL, mix};
use grandstand_protocol::tournament::{CrossCell, StageReport};

use super::TournamentRequest;
use super::known::VisibleTournament;
use super::standings::{player_cell, points};
use super::table::{Cell, Column, MARGIN, Table};
use crate::address::tournament::TournamentView;
use crate::layout::ScreenLayout;

/// Padding within a card, and widths of a place and of the points in it, in points.
const INSIDE: f32 = 8.0;
const NUMBER: f32 = 36.0;
const SUM: f32 = 64.0;

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
    let points_of = |player: &str| {
        let line = tables.standings.iter().find(|line| line.player == player);
        Cell::new(line.map_or_else(String::new, |line| points(line.points.0))).strong()
    };
    let mut columns = vec![Column::number("#").tip("Place"), Column::text("Player")];
    columns.extend(
        rows.iter().enumerate().map(|(index, row)| {
            Column::narrow(&(index + 1).to_string()).tip(format!("against {}", row.player))
        }),
    );
    columns.push(Column::number("Points"));
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
        cells.push(points_of(&row.player));
        cells
    });
    let table = Table { columns, rows: lines.collect(), fixed: 2, ..Table::default() };
    if ScreenLayout::of(ui.ctx()).is_touched() && !table.fits(ui, "crosstable") {
        ui.weak("Points against each other player, by places in the table. A cell opens the games.");
        return cards(ui, &table);
    }
    ui.weak("Points of the player at the left against the one above, by their places in the table. A cell opens the games.");
    ui.add_space(4.0);
    table.show(ui, "crosstable")
}

/// Each row of a table that is wider than a phone as a card: the player, and below it the results, each with the place of the
/// other player above it, in as many lines as they need.
fn cards(ui: &mut Ui, table: &Table) -> Option<TournamentRequest> {
    let palette = Palette::of(ui.ctx());
    let finger = ScreenLayout::of(ui.ctx()).control(44.0);
    let width = ui.clip_rect().width() - MARGIN;
    let across = ((width - 2.0 * INSIDE) / finger).floor().max(1.0) as usize;
    let mut asked = None;
    for (row, cells) in table.rows.iter().enumerate() {
        let [place, player, results @ .., total] = &cells[..] else { continue };
        let met: Vec<(usize, &Cell)> = (1..).zip(results).filter(|(_, cell)| cell.press.is_some()).collect();
        let lines = met.len().div_ceil(across);
        ui.add_space(8.0);
        let size = vec2(width, finger * (1 + lines) as f32 + INSIDE);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Row, true, format!("{}, {}, {}", place.text, player.text, total.text))
        });
        // Screen readers are told all cells.
        if !ui.is_rect_visible(rect) && !ui.ctx().has_accesskit_node(ui.unique_id()) {
            continue;
        }
        ui.painter().rect_filled(rect, 8.0, palette.raised);
        let id = Id::unique(("crosstable card", row));
        let line = Rect::from_min_size(rect.min, vec2(width, finger));
        let (number, rest) = line.split_left_right_at_x(line.left() + NUMBER);
        let (name, sum) = rest.split_left_right_at_x(rest.right() - SUM);
        asked = place.show(ui, id.with("place"), number, ((Align::Max, INSIDE), 0.0)).or(asked);
        asked = player.show(ui, id.with("player"), name, ((Align::Min, INSIDE), 0.0)).or(asked);
        asked = total.show(ui, id.with("points"), sum, ((Align::Max, INSIDE), 0.0)).or(asked);
        for (index, (other, cell)) in met.iter().enumerate() {
            let at = vec2((index % across) as f32 * finger + INSIDE, (1 + index / across) as f32 * finger);
            let place = Rect::from_min_size(rect.min + at, vec2(finger, finger)).shrink(1.0);
            asked = cell.show(ui, id.with(index), place, ((Align::Center, 2.0), -6.0)).or(asked);
            let above = pos2(place.center().x, place.top() + 10.0);
            let font = FontId::proportional(SMALL - 1.0);
            ui.painter().text(above, Align2::CENTER_CENTER, other, font, palette.weak);
        }
    }
    ui.add_space(16.0);
    asked
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
