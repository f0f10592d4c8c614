//! Search section: the next or the last time that a line was reached or an action failed.

use eframe::egui::{Align, Id, Label, Layout, RichText, Role, Ui, WidgetInfo};
use grandstand_board::theme::{SMALL, semibold};
use grandstand_protocol::insight::Target;

use super::ProgramPanel;
use super::state_section::heading;
use crate::widgets::line_edit;

/// Width from which two fields have room beside each other, in points.
const BESIDE: f32 = 300.0;

/// The search as the viewer typed it.
#[derive(Debug)]
pub(super) struct FindSection {
    /// `FILE:LINE`.
    line: String,
    condition: String,
    /// Whether only the shown bot is searched.
    own: bool,
    /// Whether `line` can't be read.
    wrong: bool,
}

impl Default for FindSection {
    fn default() -> FindSection {
        FindSection { line: String::new(), condition: String::new(), own: true, wrong: false }
    }
}

impl ProgramPanel {
    /// Searches the next or the last time that a line was reached. The typed condition holds for the line it was typed
    /// for.
    pub(super) fn find_line(&mut self, file: &str, line: u32, back: bool) {
        let place = format!("{file}:{line}");
        if self.find.line != place {
            self.find.line = place;
            self.find.condition.clear();
        }
        self.find_typed(back);
    }

    fn find_typed(&mut self, back: bool) {
        let Some((file, line)) = place_of(&self.find.line) else {
            self.find.wrong = true;
            return;
        };
        self.find.wrong = false;
        let condition = Some(self.find.condition.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        self.find(Target::Line { file, line, condition, bot: self.own_bot() }, back);
    }

    fn own_bot(&self) -> Option<u32> {
        self.bot.filter(|_| self.find.own)
    }

    pub(super) fn find_section(&mut self, ui: &mut Ui) {
        if self.find.line.is_empty()
            && let Some(call) = self.view.as_ref().and_then(|view| view.state.calls.first())
        {
            self.find.line = format!("{}:{}", call.place.file, call.place.line);
        }
        let only = format!("Only this {}", self.word());
        ui.checkbox(&mut self.find.own, only);
        let way = ways(ui, "A line was reached", "line");
        let FindSection { line, condition, .. } = &mut self.find;
        fields(ui, (line, "Line to find", "FILE:LINE"), (condition, "Condition", "condition, like n = 0"));
        if let Some(back) = way {
            self.find_typed(back);
        }
        if self.find.wrong {
            ui.weak("A line is meant as FILE:LINE, like team.cl:31.");
        }
        if let Some(back) = ways(ui, "An action, a move or a spawn failed", "failure") {
            self.find(Target::Failure { bot: self.own_bot() }, back);
        }
        heading(ui, "A cell was written, or its lock changed hands");
        ui.weak("Click the cell, under State.");
    }
}

/// A heading with the buttons "Last" and "Next" of `what`; `Some(true)` when "Last" was clicked.
fn ways(ui: &mut Ui, title: &str, what: &str) -> Option<bool> {
    let mut way = None;
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (back, word) in [(false, "Next"), (true, "Last")] {
                let button = ui.button(word);
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{word} {what}")));
                if button.clicked() {
                    way = Some(back);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(title).size(SMALL).family(semibold())).truncate());
            });
        });
    });
    way
}

/// Two fields, beside each other where they have room; returns whether Enter was pressed in one.
pub(super) fn fields(
    ui: &mut Ui,
    (line, line_name, line_hint): (&mut String, &str, &str),
    (text, text_name, text_hint): (&mut String, &str, &str),
) -> bool {
    if ui.available_width() < BESIDE {
        let entered = field(ui, line, line_name, line_hint);
        return field(ui, text, text_name, text_hint) || entered;
    }
    ui.columns(2, |columns| {
        let entered = field(&mut columns[0], line, line_name, line_hint);
        field(&mut columns[1], text, text_name, text_hint) || entered
    })
}

fn field(ui: &mut Ui, text: &mut String, name: &str, hint: &str) -> bool {
    let edit = line_edit(text).hint_text(hint).char_limit(400).desired_width(f32::INFINITY);
    // The card of a match that ends comes before it, and must not take the focus away.
    let edit = edit.id(Id::unique(("program panel", name)));
    let edit = ui.add(edit);
    edit.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, name);
        info.current_text_value = Some(text.clone());
        info
    });
    edit.lost_focus() && ui.input(|input| input.key_pressed(eframe::egui::Key::Enter))
}

/// Parses `FILE:LINE`; lines count from 1.
pub(super) fn place_of(text: &str) -> Option<(String, u32)> {
    let (file, line) = text.trim().rsplit_once(':')?;
    let line = line.trim().parse().ok().filter(|line| *line > 0)?;
    (!file.is_empty()).then(|| (file.to_owned(), line))
}
