//! Field to open an address, a file or a folder.

use eframe::egui::{Id, Key, Role, Ui, WidgetInfo, vec2};
use grandstand_board::theme::Palette;

use crate::actions::Action;
use crate::address::{Target, TargetError};
use crate::layout::ScreenLayout;
use crate::widgets::{line_edit, main_button};

/// Width of the button beside the field, in points.
const BUTTON: f32 = 80.0;

/// The field's text, and the error of the last attempt.
#[derive(Debug, Default)]
pub(super) struct OpenField {
    pub address: String,
    mistake: Option<TargetError>,
}

impl OpenField {
    /// Id of the field, for the keyboard focus.
    pub(super) fn id() -> Id {
        Id::unique("address")
    }

    /// Shows the field; returns the target that was entered.
    pub(super) fn show(&mut self, ui: &mut Ui) -> Option<Target> {
        let palette = Palette::of(ui.ctx());
        let mut go = false;
        ui.horizontal(|ui| {
            let height = ScreenLayout::of(ui.ctx()).control(32.0);
            let room = ui.available_width() - BUTTON - ui.spacing().item_spacing.x;
            let field = line_edit(&mut self.address)
                .id(Self::id())
                .hint_text("Address of a server or a match, a .replay file, or a folder")
                .desired_width(room)
                .min_size(vec2(0.0, height))
                .margin(vec2(10.0, 7.0));
            let field = ui.add(field);
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Address or file"));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let open = main_button("Open", palette).min_size(vec2(BUTTON, height));
            go = ui.add(open).on_hover_text(Action::Open.tooltip()).clicked() || entered;
            if field.changed() {
                self.mistake = None;
            }
        });
        let mut wanted = None;
        if go {
            match self.address.parse() {
                Ok(target) => wanted = Some(target),
                Err(mistake) => self.mistake = Some(mistake),
            }
        }
        if let Some(mistake) = &self.mistake {
            ui.colored_label(palette.error, mistake.to_string());
        }
        wanted
    }
}
