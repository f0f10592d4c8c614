//! Prints after the event: the values of an expression each time a line was reached, as a table and on the timeline.

use eframe::egui::{FontId, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};
use grandstand_board::theme::{MONO, Palette, SMALL};
use grandstand_protocol::insight::{PrintRow, PrintTable};
use grandstand_story::format;

use super::ProgramPanel;
use super::find_section::{fields, place_of};
use crate::widgets::add_enabled;

/// Height of a row, in points.
const ROW: f32 = 19.0;
/// Height of the section from which the table alone scrolls, in points.
pub(super) const WHOLE: f32 = 170.0;

/// The print as the viewer typed it, and its values.
#[derive(Debug, Default)]
pub(super) struct PrintSection {
    /// `FILE:LINE`.
    line: String,
    expression: String,
    own: bool,
    /// File and line of the table's values.
    printed: Option<(String, u32)>,
    table: Option<PrintTable>,
    seqs: Vec<u64>,
    /// The row that was last scrolled to.
    revealed: Option<usize>,
}

impl PrintSection {
    /// Chooses another line, without values yet.
    pub(super) fn at(&mut self, file: &str, line: u32) {
        self.line = format!("{file}:{line}");
        (self.table, self.printed, self.seqs, self.revealed) = (None, None, Vec::new(), None);
    }

    /// The printed line, if it is in this file.
    pub(super) fn line_in(&self, file: &str) -> Option<u32> {
        self.printed.as_ref().filter(|(of, _)| of == file).map(|(_, line)| *line)
    }

    /// Shows the values of a line.
    pub(super) fn take(&mut self, at: (String, u32), table: PrintTable) {
        self.printed = Some(at);
        self.seqs = table.rows.iter().map(|row| row.seq).collect();
        self.seqs.dedup();
        (self.table, self.revealed) = (Some(table), None);
    }

    pub(super) fn seqs(&self) -> &[u64] {
        &self.seqs
    }
}

impl ProgramPanel {
    pub(super) fn print_section(&mut self, ui: &mut Ui) {
        if self.print.line.is_empty()
            && let Some(call) = self.view.as_ref().and_then(|view| view.state.calls.first())
        {
            self.print.line = format!("{}:{}", call.place.file, call.place.line);
        }
        let only = format!("Only this {}", self.word());
        let PrintSection { line, expression, .. } = &mut self.print;
        let hint = "expression, like (r, d)";
        let mut entered =
            fields(ui, (line, "Line to print at", "FILE:LINE"), (expression, "Expression", hint));
        ui.horizontal(|ui| {
            let can = place_of(&self.print.line).is_some() && !self.print.expression.trim().is_empty();
            let button = add_enabled(ui, can, eframe::egui::Button::new("Print"));
            button.widget_info(|| WidgetInfo::labeled(Role::Button, can, "Print the expression"));
            entered = can && (entered || button.clicked());
            ui.checkbox(&mut self.print.own, only);
            if let Some(table) = &self.print.table {
                let shown = table.rows.len() as u64;
                let count = format::count(table.count, "value", "values");
                let words =
                    if shown < table.count { format!("{} of {count}", format::number(shown)) } else { count };
                let words = match &self.print.printed {
                    Some((file, line)) => format!("{words} at {file}:{line}"),
                    None => words,
                };
                ui.weak(words);
            }
        });
        if entered && let Some((file, line)) = place_of(&self.print.line) {
            let bot = self.bot.filter(|_| self.print.own);
            let expression = self.print.expression.trim().to_owned();
            self.ask_print(file, line, expression, bot);
        }
        // With room the fields stay in view above the table; else all of the section scrolls.
        if ui.clip_rect().height() < WHOLE {
            return self.table(ui);
        }
        let scroll = ScrollArea::vertical().id_salt("print table").min_scrolled_height(0.0);
        scroll.auto_shrink(false).show(ui, |ui| self.table(ui));
    }

    fn table(&mut self, ui: &mut Ui) {
        let Some(table) = &self.print.table else { return };
        let (view, palette) = (self.view.as_deref(), Palette::of(ui.ctx()));
        let beat = self.facts.as_ref().map_or("turn", |facts| facts.beat.as_str());
        let word = self.facts.as_ref().map_or("bot", |facts| facts.word.as_str());
        let mut clicked = None;
        let size = vec2(ui.available_width(), ROW * table.rows.len() as f32);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        // The value of the bot that is shown, else the last one up to the shown moment, comes into view.
        let is_here = |row: &PrintRow| {
            view.is_some_and(|view| (view.state.bot, view.state.cycle) == (row.bot, row.cycle))
        };
        let shown = self.seq.unwrap_or(0);
        let reached = || table.rows.partition_point(|row| row.seq <= shown).checked_sub(1);
        let current = table.rows.iter().position(is_here).or_else(reached);
        if current != self.print.revealed {
            self.print.revealed = current;
            let top = area.top() + ROW * current.unwrap_or(0) as f32;
            ui.scroll_to_rect(Rect::from_x_y_ranges(area.x_range(), top..=top + ROW), None);
        }
        let index = |y: f32| ((y - area.top()) / ROW).max(0.0) as usize;
        let seen = ui.clip_rect().y_range();
        for index in index(seen.min)..(index(seen.max) + 1).min(table.rows.len()) {
            let row = &table.rows[index];
            let top = area.top() + ROW * index as f32;
            let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + ROW);
            let response = ui.interact(rect, ui.scope_id().with(("print", index)), Sense::click());
            let moment = format::moment(beat, row.turn, row.cycle);
            // A step is a cycle.
            let cycle = match beat {
                "turn" => format!("  cycle {}", format::number(row.cycle)),
                _ => String::new(),
            };
            let lead = format!("{moment}{cycle}  {word} {}", row.bot);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{lead}: {}", row.text)));
            let is_here = is_here(row);
            let painter = ui.painter();
            if response.hovered() || is_here || Some(index) == current || response.has_focus() {
                painter.rect_filled(rect, 3.0, palette.raised);
            }
            let middle = rect.left_center();
            let small = FontId::proportional(SMALL);
            let room = (rect.width() * 0.5).min(190.0);
            let text = grandstand_board::text::paint_left;
            text(painter, middle + vec2(4.0, 0.0), &lead, small, palette.weak, room - 8.0);
            let ink = match (row.failed, is_here) {
                (true, _) => palette.warning,
                (_, true) => palette.accent,
                _ => palette.text,
            };
            let mono = FontId::monospace(MONO);
            text(painter, middle + vec2(room, 0.0), &row.text, mono, ink, rect.width() - room - 4.0);
            if response.on_hover_text(&row.text).clicked() {
                clicked = Some((row.bot, row.cycle));
            }
        }
        if let Some((bot, cycle)) = clicked {
            self.go_to(bot, cycle);
        }
    }
}
