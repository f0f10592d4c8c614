//! Search section: the next or the last time that a line was reached or an action failed.

use eframe::egui::{Role, TextEdit, Ui, WidgetInfo};
use serde_json::{Value, json};

use super::ProgramPanel;
use super::state_section::heading;

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
        let condition = Some(self.find.condition.trim()).filter(|text| !text.is_empty());
        let what = json!({
            "line": { "file": file, "line": line, "condition": condition, "bot": self.own_bot() }
        });
        self.find(what, back);
    }

    fn own_bot(&self) -> Option<u32> {
        self.bot.filter(|_| self.find.own)
    }

    pub(super) fn find_section(&mut self, ui: &mut Ui) {
        if self.find.line.is_empty()
            && let Some(call) = self.view.as_ref().and_then(|view| view.calls.first())
        {
            self.find.line = format!("{}:{}", call.place.file, call.place.line);
        }
        ui.checkbox(&mut self.find.own, "Only this bot");
        heading(ui, "A line was reached");
        field(ui, &mut self.find.line, "Line to find", "FILE:LINE");
        field(ui, &mut self.find.condition, "Condition", "condition, like n = 0");
        if let Some(back) = ways(ui, "line") {
            self.find_typed(back);
        }
        if self.find.wrong {
            ui.weak("A line is meant as FILE:LINE, like team.cl:31.");
        }
        heading(ui, "An action, a move or a spawn failed");
        if let Some(back) = ways(ui, "failure") {
            let what: Value = json!({ "failure": { "bot": self.own_bot() } });
            self.find(what, back);
        }
        heading(ui, "A cell was written, or its lock changed hands");
        ui.weak("Click the cell, under State.");
    }
}

/// The buttons "Last" and "Next"; `Some(true)` when "Last" was clicked.
fn ways(ui: &mut Ui, what: &str) -> Option<bool> {
    let mut way = None;
    ui.horizontal(|ui| {
        for (back, word) in [(true, "Last"), (false, "Next")] {
            let button = ui.button(word);
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{word} {what}")));
            if button.clicked() {
                way = Some(back);
            }
        }
    });
    way
}

pub(super) fn field(ui: &mut Ui, text: &mut String, name: &str, hint: &str) -> bool {
    let edit = TextEdit::singleline(text).hint_text(hint).char_limit(400).desired_width(f32::INFINITY);
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
