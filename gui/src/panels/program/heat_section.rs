//! Heat map: number of steps by bot and turn, and by line.

use std::collections::BTreeMap;

use eframe::egui::{FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{MONO, Palette, SMALL, mix};
use grandstand_protocol::insight::{HeatMap, SideLine};
use grandstand_story::format;

use super::ProgramPanel;
use super::state_section::heading;
use crate::widgets::add_enabled;

/// Largest and smallest height of a bot's row, in points.
const ROW: (f32, f32) = (14.0, 3.0);
/// Width of the column of bots' numbers, in points.
const LEFT: f32 = 34.0;

/// The last heat map, and its filter.
#[derive(Debug, Default)]
pub(super) struct HeatSection {
    pub heat: Option<HeatMap>,
    /// The line that the map is of; `None` for all lines.
    pub of: Option<SideLine>,
}

impl HeatSection {
    /// Heat of a file's lines, from 0 to 1, relative to the side's hottest line.
    pub(super) fn of_file(&self, side: usize, file: &str) -> BTreeMap<u32, f32> {
        let Some(heat) = &self.heat else { return BTreeMap::new() };
        let own = || heat.lines.iter().filter(|line| line.side == side);
        let most = own().map(|line| line.reductions).max().unwrap_or(1).max(1);
        // The square root keeps lines apart that are cold beside a few hot ones.
        own()
            .filter(|line| line.file == file)
            .map(|line| (line.line, (line.reductions as f32 / most as f32).sqrt()))
            .collect()
    }
}

impl ProgramPanel {
    pub(super) fn heat_section(&mut self, ui: &mut Ui) {
        let Some(heat) = self.heat.heat.take() else {
            ui.add_space(4.0);
            ui.weak(format!("Plays the match once more and counts the steps of every {}.", self.word()));
            let free = self.asking.progress().is_none();
            if add_enabled(ui, free, eframe::egui::Button::new("Count steps")).clicked() {
                self.ask_heat(None);
            }
            return;
        };
        let mut all = false;
        ui.horizontal(|ui| {
            match &self.heat.of {
                None => ui.label(format!("All lines, by {} and {}", self.word(), self.beat())),
                Some(of) => {
                    ui.label(format!("{}:{}, by {} and {}", of.file, of.line, self.word(), self.beat()))
                }
            };
            all = self.heat.of.is_some() && ui.small_button("Show all lines").clicked();
        });
        let chosen = self.grid(ui, &heat);
        let line = self.lines(ui, &heat);
        self.heat.heat = Some(heat);
        if let Some((bot, column)) = chosen
            && let Some(facts) = &self.facts
        {
            let turns = self.heat.heat.as_ref().map_or(1, |heat| heat.turns);
            self.go_to(bot, column as u64 * turns * facts.ticks);
        }
        if all {
            self.ask_heat(None);
        } else if let Some(line) = line {
            if let Some(facts) = &self.facts
                && let Some(source) =
                    facts.sides[line.side].files.iter().find(|source| source.name == line.file)
            {
                self.source.open(line.side, source);
                self.source.reveal(line.line);
            }
            self.ask_heat(Some(line));
        }
    }

    /// The map; returns the bot and the column that were clicked.
    fn grid(&self, ui: &mut Ui, heat: &HeatMap) -> Option<(u32, usize)> {
        let palette = Palette::of(ui.ctx());
        let columns = heat.bots.iter().map(|bot| bot.reductions.len()).max().unwrap_or(0).max(1);
        let most = heat.bots.iter().flat_map(|bot| &bot.reductions).max().copied().unwrap_or(1).max(1);
        let room = (ui.available_height() - 40.0) * 0.6;
        let row = (room / heat.bots.len().max(1) as f32).clamp(ROW.1, ROW.0);
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), row * heat.bots.len() as f32), Sense::click());
        let width = (rect.width() - LEFT) / columns as f32;
        let painter = ui.painter();
        let font = FontId::proportional((row - 2.0).clamp(7.0, SMALL - 1.0));
        for (index, bot) in heat.bots.iter().enumerate() {
            let top = rect.top() + index as f32 * row;
            if row > 8.0 {
                let ink = if self.bot == Some(bot.bot) { palette.accent } else { palette.weak };
                let number = painter.layout_no_wrap(bot.bot.to_string(), font.clone(), ink);
                painter.galley(pos2(rect.left() + LEFT - 5.0 - number.size().x, top), number, ink);
            }
            for (column, count) in bot.reductions.iter().enumerate().filter(|(_, count)| **count > 0) {
                let left = rect.left() + LEFT + column as f32 * width;
                let part = (*count as f32 / most as f32).sqrt();
                let cell = Rect::from_min_size(pos2(left, top), vec2(width.max(1.0), row - 1.0));
                painter.rect_filled(cell, 0.0, mix(palette.raised, palette.warning, 0.1 + 0.9 * part));
            }
        }
        response.widget_info(|| {
            let words = format!("Steps of {} {}s in {columns} columns", heat.bots.len(), self.word());
            WidgetInfo::labeled(Role::Image, true, words)
        });
        let at = response.hover_pos().or(response.interact_pointer_pos())?;
        let bot = heat.bots.get(((at.y - rect.top()) / row) as usize)?;
        let column = ((at.x - rect.left() - LEFT) / width).max(0.0) as usize;
        let count = bot.reductions.get(column).copied()?;
        let (first, last) = (column as u64 * heat.turns + 1, (column as u64 + 1) * heat.turns);
        let beat = self.facts.as_ref().map_or("turn", |facts| facts.beat.as_str());
        let when =
            if first == last { format!("{beat} {first}") } else { format!("{beat}s {first} to {last}") };
        let who = format::capitalised(self.word());
        let words = format!("{who} {}, {when}: {}", bot.bot, format::count(count, "step", "steps"));
        let clicked = response.clicked();
        response.on_hover_text_at_pointer(words);
        clicked.then_some((bot.bot, column))
    }

    /// The hottest lines; returns the one that was clicked.
    fn lines(&self, ui: &mut Ui, heat: &HeatMap) -> Option<SideLine> {
        heading(ui, "The hottest lines");
        let palette = Palette::of(ui.ctx());
        let side = self.view.as_ref().map(|view| view.state.side);
        let shown: Vec<_> =
            heat.lines.iter().filter(|line| side.is_none_or(|side| line.side == side)).collect();
        let all = shown.iter().map(|line| line.reductions).sum::<u64>().max(1);
        let mut chosen = None;
        ui.spacing_mut().item_spacing.y = 1.0;
        for line in shown.into_iter().take(100) {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::click());
            let part = line.reductions as f32 / all as f32;
            let percent = format!("{:.1} %", part * 100.0);
            let place = format!("{}:{}", line.file, line.line);
            let words = format!("{place}: {percent}, {}", format::count(line.reductions, "step", "steps"));
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words.clone()));
            let bar = Rect::from_min_size(rect.min, vec2(rect.width() * part, rect.height()));
            ui.painter().rect_filled(bar, 2.0, mix(palette.panel, palette.warning, 0.3));
            let text = grandstand_board::text::paint_left;
            let middle = rect.left_center();
            let mono = || FontId::monospace(MONO);
            text(ui.painter(), middle + vec2(4.0, 0.0), &percent, mono(), palette.text, 60.0);
            text(ui.painter(), middle + vec2(70.0, 0.0), &place, mono(), palette.text, rect.width() - 74.0);
            if response.on_hover_text(words).clicked() {
                chosen = Some(SideLine { side: line.side, file: line.file.clone(), line: line.line });
            }
        }
        chosen
    }
}
