//! Row of step buttons: forward and back in the shown bot's program.

use eframe::egui::{RichText, Ui};
use grandstand_board::theme::SMALL;
use grandstand_protocol::insight::StepUnit;

use super::ProgramPanel;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::widgets::IconButton;

/// Units of a step, each with its name and the tip of its button.
const UNITS: [(StepUnit, &str, &str); 7] = [
    (StepUnit::Operation, "operation", "By one operation"),
    (StepUnit::Line, "line", "To another line, into functions that are called"),
    (StepUnit::Over, "over", "To another line of this function, over what it calls"),
    (StepUnit::Out, "out", "To the function that called this one"),
    (StepUnit::Call, "call", "To a function that is called"),
    (StepUnit::Action, "action", "To an action, a `do`"),
    (StepUnit::Turn, "turn", "To the end of a turn, before its moves are made"),
];

impl ProgramPanel {
    pub(super) fn steps_row(&mut self, ui: &mut Ui) {
        let can_step = self.view.is_some();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = eframe::egui::vec2(1.0, 1.0);
            // On a phone the shortest word is as wide as a finger.
            ui.spacing_mut().button_padding.x =
                if ScreenLayout::of(ui.ctx()).is_touched() { 13.0 } else { 5.0 };
            let unit = self.unit;
            let name = UNITS.iter().find(|(of, ..)| *of == unit).map_or("", |(_, name, _)| name);
            for (back, icon) in [(true, Icon::PreviousCommand), (false, Icon::NextCommand)] {
                let way = if back { "Back" } else { "Forward" };
                let label = format!("{way} by {name}");
                if ui.add(IconButton::plain(icon, &label).enabled(can_step)).clicked() {
                    self.step(unit, back);
                }
            }
            ui.add_space(3.0);
            for (unit, name, tip) in UNITS {
                let name = RichText::new(name).size(SMALL);
                if ui.selectable_label(self.unit == unit, name).on_hover_text(tip).clicked() {
                    self.unit = unit;
                }
            }
        });
    }
}
