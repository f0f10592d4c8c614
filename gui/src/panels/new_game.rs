//! New game: the settings of the match that the viewer wants to play next.

use eframe::egui::{Button, Context, Frame, Id, Margin, Modal, RichText, ScrollArea, Ui, vec2};
use grandstand_board::theme::{Palette, SMALL};
use grandstand_protocol::{ChosenSettings, Setting};

use crate::address::Target;
use crate::layout::ScreenLayout;
use crate::panels::seat_bar::NAME_MAX;
use crate::widgets::{line_edit, main_button};

/// The dialog.
#[derive(Debug)]
pub(crate) struct NewGame {
    /// The match that the new one takes the place of.
    target: Target,
    settings: Vec<Setting>,
}

/// Request of the viewer.
#[derive(Debug)]
pub(crate) enum NewGameRequest {
    /// Play a match with these settings in place of that one.
    Start(Target, ChosenSettings),
    /// Close the dialog.
    Cancel,
}

impl NewGame {
    /// A dialog with the settings that a match offers.
    pub(crate) fn new(target: Target, settings: Vec<Setting>) -> NewGame {
        NewGame { target, settings }
    }

    /// Shows the dialog; `name` is the viewer's.
    pub(crate) fn show(&mut self, ctx: &Context, name: &mut String) -> Option<NewGameRequest> {
        let palette = Palette::of(ctx);
        let layout = ScreenLayout::of(ctx);
        let height = layout.control(28.0);
        let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20)).fill(palette.panel);
        let modal = Modal::new(Id::unique("new game")).frame(frame).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 60.0).min(460.0));
            ui.heading("New game");
            ui.add_space(8.0);
            let most = (ctx.content_rect().height() - 170.0).max(80.0);
            ScrollArea::vertical().max_height(most).show(ui, |ui| {
                for setting in &mut self.settings {
                    choose(ui, setting, height);
                }
                let label = ui.label(RichText::new("Your name").size(SMALL + 1.0).color(palette.weak));
                let field = line_edit(name).hint_text("Optional").char_limit(NAME_MAX);
                ui.add(field.desired_width(200.0)).labelled_by(label.id);
            });
            ui.add_space(14.0);
            let mut request = None;
            ui.horizontal(|ui| {
                if ui.add(main_button("Start", palette).min_size(vec2(0.0, height))).clicked() {
                    let chosen = self.settings.iter();
                    let chosen =
                        chosen.map(|setting| (setting.name.clone(), setting.value.clone())).collect();
                    request = Some(NewGameRequest::Start(self.target.clone(), chosen));
                }
                if ui.add(Button::new("Cancel").min_size(vec2(0.0, height))).clicked() {
                    request = Some(NewGameRequest::Cancel);
                }
            });
            request
        });
        let closes = modal.should_close().then_some(NewGameRequest::Cancel);
        modal.inner.or(closes)
    }
}

/// One setting: its name, and its values to choose from.
fn choose(ui: &mut Ui, setting: &mut Setting, height: f32) {
    let weak = Palette::of(ui.ctx()).weak;
    ui.label(RichText::new(&*setting.label).size(SMALL + 1.0).color(weak));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for value in &setting.values {
            let button = Button::selectable(setting.value == value.value, &*value.label);
            if ui.add(button.frame_when_inactive(true).min_size(vec2(0.0, height))).clicked() {
                setting.value = value.value.clone();
            }
        }
    });
    ui.add_space(8.0);
}
