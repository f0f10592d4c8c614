//! Row of step buttons: forward and back in the shown bot's program.

use eframe::egui::{ComboBox, RichText, Role, Ui, WidgetInfo, vec2};
use grandstand_board::theme::{self, SMALL};
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

/// Width of the choice of a unit in a list that drops down, in points.
const CHOICE: f32 = 92.0;

impl ProgramPanel {
    pub(super) fn steps_row(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(1.0, 1.0);
            ui.spacing_mut().button_padding.x = 5.0;
            self.arrows(ui);
            ui.add_space(3.0);
            for (unit, name, tip) in UNITS {
                let name = RichText::new(name).size(SMALL);
                if ui.selectable_label(self.unit == unit, name).on_hover_text(tip).clicked() {
                    self.unit = unit;
                }
            }
        });
    }

    /// The same in little room: the unit is chosen from a list that drops down.
    pub(super) fn short_steps(&mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.x = 2.0;
        self.arrows(ui);
        let name = self.unit_name();
        let list = ComboBox::from_id_salt("unit").width(CHOICE - 2.0).truncate().selected_text(name);
        let list = list.show_ui(ui, |ui| {
            for (unit, name, tip) in UNITS {
                if ui.selectable_label(self.unit == unit, name).on_hover_text(tip).clicked() {
                    self.unit = unit;
                }
            }
        });
        list.response
            .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("Length of a step: {name}")));
    }

    /// Width of [`ProgramPanel::short_steps`] with the gap before it.
    pub(super) fn steps_width(&self, ui: &Ui) -> f32 {
        2.0 * ScreenLayout::of(ui.ctx()).control(theme::CONTROL) + CHOICE + ui.spacing().item_spacing.x + 4.0
    }

    fn unit_name(&self) -> &'static str {
        UNITS.iter().find(|(of, ..)| *of == self.unit).map_or("", |(_, name, _)| name)
    }

    fn arrows(&mut self, ui: &mut Ui) {
        let (can_step, name) = (self.view.is_some(), self.unit_name());
        for (back, icon) in [(true, Icon::PreviousCommand), (false, Icon::NextCommand)] {
            let way = if back { "Back" } else { "Forward" };
            let label = format!("{way} by {name}");
            if ui.add(IconButton::plain(icon, &label).enabled(can_step)).clicked() {
                self.step(self.unit, back);
            }
        }
    }
}
