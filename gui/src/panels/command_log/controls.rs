//! Controls above the lines: the filter's field and menu, the active conditions, and copying.

use std::time::Duration;

use eframe::egui::{
    Button, Id, Key, PopupCloseBehavior, RichText, Role, ScrollArea, Ui, WidgetInfo,
    containers::menu::{MenuButton, MenuConfig},
};
use grandstand_board::theme::{Palette, SMALL, mix, semibold};
use grandstand_replays::Log;
use grandstand_story::format;
use grandstand_story::sides::Side;

use super::CommandLog;
use super::copy::{CopyFormat, Copying, LINES_MAX};
use super::filter::{LineStatus, Query};
use crate::layout::ScreenLayout;
use crate::panels::board_inspector::place_name;
use crate::session::Session;
use crate::widgets::{add_enabled, line_edit};

/// Time for counting words in one frame.
const WORD_COUNTS_BUDGET: Duration = Duration::from_millis(2);

impl CommandLog {
    /// Id of the filter's field, for the keyboard focus.
    pub(crate) fn filter_id() -> Id {
        Id::unique("inspector filter")
    }

    pub(super) fn controls(&mut self, ui: &mut Ui, session: &Session, sides: &[Side]) {
        let log = session.log();
        // In a phone's sheet the lines of a place have the room of all but one row.
        let Query { verdict, word, team, place, .. } = &self.query;
        let by_place = place.is_some() && word.is_none() && team.is_none() && *verdict == LineStatus::Any;
        let missing = self.filter.missing() > 0 && log.is_fetched();
        let is_low = ScreenLayout::of(ui.ctx()).is_touched() && by_place && !missing;
        let is_low = is_low && self.copying.is_none();
        ui.horizontal(|ui| {
            if is_low {
                self.chips(ui, session, sides);
            }
            let count = format::count(self.filter.count(log) as u64, "line", "lines");
            let hint = if is_low { count } else { "Filter lines".to_owned() };
            let edit = line_edit(&mut self.query.text)
                .id(Self::filter_id())
                .hint_text(hint)
                .desired_width((ui.available_width() - 132.0).max(60.0));
            let edit = ui.add(edit);
            if edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                self.query.text.clear();
            }
            edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter lines"));
            let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
            MenuButton::new("Filter").config(stays).ui(ui, |ui| self.menu(ui, log, sides));
            if !(is_low && self.offer_to_follow(ui)) {
                ui.menu_button("Copy", |ui| self.copy_menu(ui, session));
            }
        });
        if is_low {
            return;
        }
        self.chips(ui, session, sides);
        let total = format::count(log.last_seq(), "line", "lines");
        ui.horizontal(|ui| {
            let text = match &self.copying {
                Some(copying) => copying.progress(),
                None if self.query.is_empty() => total,
                None => {
                    let searched = if self.filter.is_done(log) { "" } else { ", searching…" };
                    format!("{} of {total}{searched}", format::number(self.filter.count(log) as u64))
                }
            };
            ui.weak(text);
            self.offer_missing(ui, log);
            self.offer_to_follow(ui);
        });
    }

    /// Offers the way back to the moment shown, where the list was scrolled away from it. Returns whether it was.
    fn offer_to_follow(&mut self, ui: &mut Ui) -> bool {
        let away = self.away;
        if away && ui.small_button("Follow").on_hover_text("Back to the moment shown").clicked() {
            self.away = false;
            self.revealed = None;
        }
        away
    }

    /// Offers to fetch and search lines that are not in memory.
    fn offer_missing(&mut self, ui: &mut Ui, log: &Log) {
        let missing = self.filter.missing();
        if self.query.is_empty() || missing == 0 || !log.is_fetched() {
            return;
        }
        let number = format::number(missing);
        if self.fetches.as_ref() == Some(&self.query) {
            ui.weak(format!("fetching {number} more"));
            return;
        }
        let button = ui.small_button(format!("Search {number} more"));
        let tip = "So many lines are not in memory: they are fetched from the server and searched";
        if button.on_hover_text(tip).clicked() {
            self.fetches = Some(self.query.clone());
        }
    }

    /// Menu of the filter: verdict, team, command.
    fn menu(&mut self, ui: &mut Ui, log: &Log, sides: &[Side]) {
        if self.word_counts.advance(log, WORD_COUNTS_BUDGET) {
            ui.ctx().request_repaint();
        }
        ui.set_min_width(170.0);
        let heading = |ui: &mut Ui, text: &str| {
            ui.label(RichText::new(text).family(semibold()).size(SMALL).color(Palette::of(ui.ctx()).weak));
        };
        heading(ui, "Verdict");
        for (verdict, text) in [
            (LineStatus::Any, "All lines"),
            (LineStatus::Understood, "Understood"),
            (LineStatus::Problem, "Problems"),
        ] {
            ui.radio_value(&mut self.query.verdict, verdict, text);
        }
        if sides.len() > 1 {
            heading(ui, "Team");
            ui.radio_value(&mut self.query.team, None, "Any team");
            for side in sides {
                ui.radio_value(&mut self.query.team, Some(side.key.clone()), &side.name);
            }
        }
        heading(ui, "Command");
        ScrollArea::vertical().max_height(220.0).show(ui, |ui| {
            ui.radio_value(&mut self.query.word, None, "Any command");
            for (word, count) in &self.word_counts.words {
                let text = format!("{word}  ({})", format::number(*count));
                ui.radio_value(&mut self.query.word, Some(word.clone()), text);
            }
        });
    }

    fn copy_menu(&mut self, ui: &mut Ui, session: &Session) {
        let log = session.log();
        let count = self.filter.count(log).min(LINES_MAX) as u64;
        let these = if self.query.is_empty() { "All" } else { "These" };
        for (form, name) in [(CopyFormat::Text, "text"), (CopyFormat::Json, "JSON")] {
            if ui.button(format!("This line as {name}")).clicked() {
                self.wants = Some(form);
            }
            let button = Button::new(format!("{these} {} as {name}", format::count(count, "line", "lines")));
            if add_enabled(ui, count > 0, button).clicked() {
                let rows = self.filter.count(log);
                let seqs = (0..rows.min(LINES_MAX)).map(|row| self.filter.seq_of(row)).collect();
                self.copying = Some(Copying::new(form, seqs, rows > LINES_MAX || !self.filter.is_done(log)));
            }
        }
    }

    /// Chips of the active conditions; a click removes one.
    fn chips(&mut self, ui: &mut Ui, session: &Session, sides: &[Side]) {
        let Query { verdict, word, team, place, .. } = self.query.clone();
        let place = place.map(|place| place_name(session.scene(), place));
        let team = team.map(|key| {
            let side = sides.iter().find(|side| side.key == key);
            side.map_or(key, |side| side.name.clone())
        });
        let verdict = match verdict {
            LineStatus::Any => None,
            LineStatus::Understood => Some("Understood".to_owned()),
            LineStatus::Problem => Some("Problems".to_owned()),
        };
        let chips = [place.map(|place| format!("at {place}")), word, team, verdict];
        if chips.iter().all(Option::is_none) {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = eframe::egui::vec2(5.0, 4.0);
            for (index, text) in chips.into_iter().enumerate() {
                let Some(text) = text else { continue };
                if chip(ui, &text) {
                    match index {
                        0 => self.query.place = None,
                        1 => self.query.word = None,
                        2 => self.query.team = None,
                        _ => self.query.verdict = LineStatus::Any,
                    }
                }
            }
        });
    }
}

/// A condition; returns whether it was clicked.
fn chip(ui: &mut Ui, text: &str) -> bool {
    let palette = Palette::of(ui.ctx());
    let shown = RichText::new(format!("{text}  ×")).size(SMALL).color(palette.text);
    let button = Button::new(shown).fill(mix(palette.panel, palette.accent, 0.22)).corner_radius(10.0);
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Without: {text}")));
    response.on_hover_text("Remove this condition").clicked()
}
