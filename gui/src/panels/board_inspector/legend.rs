//! Legend of the bots' drawings: authors, and the choice of those that are shown.

use eframe::egui::{
    Align2, PopupCloseBehavior, Rect, RichText, Sense, Ui, UiBuilder,
    containers::menu::{MenuButton, MenuConfig},
    vec2,
};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_board::{BoardOptions, Hidden, overlay};
use grandstand_protocol::Scene;
use grandstand_story::sides::Side;

use crate::actions::Action;
use crate::layout::ScreenLayout;
use crate::panels::board_controls;
use crate::widgets::add_enabled;

/// Shows the button in a corner of the board, if anything is drawn. Returns an action that shows or hides all drawings.
pub(super) fn show(
    ui: &mut Ui,
    area: Rect,
    scene: &Scene,
    sides: &[Side],
    hidden: &mut Hidden,
    options: BoardOptions,
) -> Option<Action> {
    let corner = corner(ui, area, scene)?;
    let mut action = None;
    ui.scope_builder(UiBuilder::new().max_rect(corner).id_salt("overlays"), |ui| {
        let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let text = if options.overlays { "Overlays" } else { "Overlays off" };
        let button = MenuButton::new(RichText::new(text).size(SMALL)).config(stays);
        button.ui(ui, |ui| {
            let mut all = options.overlays;
            if ui.checkbox(&mut all, "Overlays").on_hover_text(Action::ToggleOverlays.tooltip()).changed() {
                action = Some(Action::ToggleOverlays);
            }
            ui.add_enabled_ui(options.overlays, |ui| authors(ui, scene, sides, hidden));
        });
    });
    action
}

/// The place of the button beside the controls of the board, if anything is drawn.
pub(super) fn corner(ui: &Ui, area: Rect, scene: &Scene) -> Option<Rect> {
    if scene.overlays().is_empty() {
        return None;
    }
    let layout = ScreenLayout::of(ui.ctx());
    let size = vec2(92.0, layout.control(26.0));
    let corner = Align2::RIGHT_BOTTOM.align_size_within_rect(size, area.shrink(4.0));
    Some(corner.translate(vec2(-board_controls::strip(board_controls::button(layout)), 0.0)))
}

/// A checkbox for each team and for each of its bots.
fn authors(ui: &mut Ui, scene: &Scene, sides: &[Side], hidden: &mut Hidden) {
    let palette = Palette::of(ui.ctx());
    let mut teams: Vec<&str> = scene.overlays().iter().map(|overlay| &*overlay.team).collect();
    teams.sort_unstable();
    teams.dedup();
    for team in teams {
        let side = sides.iter().find(|side| side.key == team);
        let name = match side {
            Some(side) => side.name.as_str(),
            None if team.is_empty() => "Nobody's",
            None => team,
        };
        let mut shown = !hidden.hides_team(team);
        ui.horizontal(|ui| {
            let (sign, _) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
            overlay::paint_sign(ui.painter(), palette, sign.center(), team, sides);
            if ui.checkbox(&mut shown, RichText::new(name).family(semibold())).changed() {
                hidden.set_team(team, shown);
            }
        });
        for drawn in
            scene.overlays().iter().filter(|overlay| &*overlay.team == team && !overlay.by.is_empty())
        {
            ui.horizontal(|ui| {
                ui.add_space(26.0);
                let mut bot = !hidden.hides(drawn);
                let text = format!("{} {}", name, drawn.by);
                if add_enabled(ui, shown, eframe::egui::Checkbox::new(&mut bot, text)).changed() {
                    hidden.set_bot(drawn, bot);
                }
            });
        }
    }
}
