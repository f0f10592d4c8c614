//! Row of step buttons: forward and back in the shown bot's program.

use eframe::egui::{RichText, Ui};
use grandstand_board::theme::SMALL;

use super::ProgramPanel;
use crate::icons::Icon;
use crate::widgets::IconButton;

/// Unit of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Unit {
    Operation,
    #[default]
    Line,
    Over,
    Out,
    Call,
    Action,
    Turn,
}

impl Unit {
    const ALL: [Unit; 7] =
        [Unit::Operation, Unit::Line, Unit::Over, Unit::Out, Unit::Call, Unit::Action, Unit::Turn];

    /// Name of the unit, in questions and on its button.
    pub(super) fn key(self) -> &'static str {
        match self {
            Unit::Operation => "operation",
            Unit::Line => "line",
            Unit::Over => "over",
            Unit::Out => "out",
            Unit::Call => "call",
            Unit::Action => "action",
            Unit::Turn => "turn",
        }
    }

    fn tip(self) -> &'static str {
        match self {
            Unit::Operation => "By one operation",
            Unit::Line => "To another line, into functions that are called",
            Unit::Over => "To another line of this function, over what it calls",
            Unit::Out => "To the function that called this one",
            Unit::Call => "To a function that is called",
            Unit::Action => "To an action, a `do`",
            Unit::Turn => "To the end of a turn, before its moves are made",
        }
    }
}

impl ProgramPanel {
    pub(super) fn steps_row(&mut self, ui: &mut Ui) {
        let can_step = self.view.is_some();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = eframe::egui::vec2(1.0, 1.0);
            ui.spacing_mut().button_padding.x = 5.0;
            let unit = self.unit;
            for (back, icon) in [(true, Icon::PreviousCommand), (false, Icon::NextCommand)] {
                let way = if back { "Back" } else { "Forward" };
                let label = format!("{way} by {}", unit.key());
                if ui.add(IconButton::plain(icon, &label).enabled(can_step)).clicked() {
                    self.step(unit, back);
                }
            }
            ui.add_space(3.0);
            for unit in Unit::ALL {
                let name = RichText::new(unit.key()).size(SMALL);
                if ui.selectable_label(self.unit == unit, name).on_hover_text(unit.tip()).clicked() {
                    self.unit = unit;
                }
            }
        });
    }
}
