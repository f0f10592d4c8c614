//! Columns of a table that have no room on a phone.

use eframe::egui::{Button, FontId, Rect, Ui, pos2, vec2};
use grandstand_board::text::fitted;
use grandstand_board::theme::{Palette, SMALL};

use super::{Cell, Column, Figure, MARGIN, PAD, Table};
use crate::layout::ScreenLayout;
use crate::tournament::TournamentRequest;

/// How far the texts of a row with a second line stand above its middle, in points.
pub(super) const RISE: f32 = 8.0;
/// Part of the screen's width that the main column may take from the others.
const MAIN: f32 = 0.45;
/// Width below which a column of names is not narrowed, in points.
const LEAST_NAME: f32 = 76.0;

impl Table {
    /// Columns without room on a phone: their widths become 0, and the main column gets the room that is left. What is
    /// pressed keeps its column.
    pub(super) fn fold(&self, ui: &Ui, widths: &mut [f32]) -> Vec<usize> {
        let room = ui.clip_rect().width() - MARGIN;
        let Some(main) = self.main.filter(|_| ScreenLayout::of(ui.ctx()).is_touched()) else {
            return Vec::new();
        };
        if widths.iter().sum::<f32>() <= room {
            return Vec::new();
        }
        let is_pressed = |column: usize| {
            self.rows.iter().any(|cells| cells.get(column).is_some_and(|cell| cell.press.is_some()))
        };
        let stays: Vec<bool> = (0..widths.len()).map(|column| column == main || is_pressed(column)).collect();
        widths[main] = widths[main].min(room * MAIN);
        let mut left = room
            - widths.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(width, _)| width).sum::<f32>();
        let mut folded = Vec::new();
        for (column, width) in widths.iter_mut().enumerate().filter(|(column, _)| !stays[*column]) {
            // The first columns are the most important ones.
            if folded.is_empty() && *width <= left {
                left -= *width;
            } else {
                folded.push(column);
                *width = 0.0;
            }
        }
        widths[main] += left.max(0.0);
        if left < 0.0 {
            self.narrow(widths, &stays, -left);
        }
        folded
    }

    /// Takes `excess` points from the columns of names that stay, from the widest first.
    fn narrow(&self, widths: &mut [f32], stays: &[bool], excess: f32) {
        let has_sign = |column: usize| {
            self.rows.iter().any(|cells| cells.get(column).is_some_and(|cell| cell.icon.is_some()))
        };
        let is_name = |column: &usize| {
            let of = &self.columns[*column];
            stays[*column] && !of.right && !of.narrow && !has_sign(*column)
        };
        let names: Vec<usize> = (0..widths.len()).filter(is_name).collect();
        let aim = names.iter().map(|column| widths[*column]).sum::<f32>() - excess;
        // The common width of the widest columns that gives the sum, found from above.
        let mut widest = names.iter().map(|column| widths[*column]).fold(0.0, f32::max);
        let sum = |most: f32| names.iter().map(|column| widths[*column].min(most)).sum::<f32>();
        while widest > LEAST_NAME && sum(widest) > aim {
            widest -= 1.0;
        }
        for column in names {
            widths[column] = widths[column].min(widest);
        }
    }

    /// Buttons for the folded columns by which the table can be sorted; returns what was pressed.
    pub(super) fn sort_by(&self, ui: &mut Ui, folded: &[usize]) -> Option<TournamentRequest> {
        let columns = || folded.iter().map(|column| &self.columns[*column]);
        columns().find(|column| column.press.is_some())?;
        let mut asked = None;
        ui.horizontal_wrapped(|ui| {
            // Not as wide as the area, which a wider table may have made larger than the screen.
            ui.set_max_width(ui.clip_rect().width() - MARGIN);
            ui.weak("Sort by");
            for column in columns() {
                let Some(press) = &column.press else { continue };
                let finger = vec2(ScreenLayout::of(ui.ctx()).control(0.0), 0.0);
                let button = ui.add(Button::selectable(column.sorted, &column.title).min_size(finger));
                if button.clicked() {
                    asked = Some(press.clone());
                }
            }
        });
        asked
    }

    /// The second line of a row: titles and texts of the folded columns, without what says nothing.
    pub(super) fn paint_folded(&self, ui: &Ui, room: Rect, cells: &[Cell], folded: &[usize]) {
        let palette = Palette::of(ui.ctx());
        let words = folded.iter().filter_map(|column| {
            let cell = cells.get(*column).filter(|cell| !cell.weak)?;
            if let Some(Figure::Share { .. }) = cell.figure {
                return Some(cell.tip.clone());
            }
            let Column { title, untitled, .. } = &self.columns[*column];
            let words = || if *untitled { cell.text.clone() } else { format!("{title} {}", cell.text) };
            (!cell.text.is_empty()).then(words)
        });
        let words = words.collect::<Vec<_>>().join("  ·  ");
        let font = FontId::proportional(SMALL);
        let line = fitted(ui.painter(), &words, font, palette.weak, room.width() - 2.0 * PAD);
        let at = pos2(room.left() + PAD, room.center().y + 11.0 - line.size().y / 2.0);
        ui.painter().galley(at, line, palette.weak);
    }
}
