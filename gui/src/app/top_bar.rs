//! Top bar: the way back, the title, and the permanent buttons.

use eframe::egui::{Align, Label, Layout, Rect, RichText, ThemePreference, Ui, UiBuilder, vec2};
use grandstand_board::theme::{BODY, semibold};

use super::App;
use crate::actions::Action;
use crate::icons::Icon;
use crate::panels::compare;
use crate::panels::status;
use crate::session::Stage;
use crate::widgets::IconButton;

impl App {
    pub(super) fn top_bar(&mut self, ui: &mut Ui) {
        let mut action = None;
        let layout = self.layout(ui.ctx());
        let size = layout.control(30.0);
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if self.session.is_some() || self.wall.is_some() || self.tournament.is_some() {
                let list = IconButton::new(Icon::List, Action::ShowMatchList);
                if ui.add(list).clicked() {
                    action = Some(Action::ShowMatchList);
                }
                ui.add_space(4.0);
            }
            let behind = self.session.is_some() && self.wall.is_some();
            let wall = IconButton::new(Icon::Wall, Action::ShowWall).label("Back to the wall");
            if behind && ui.add(wall).clicked() {
                action = Some(Action::ShowWall);
            }
            let behind = self.tournament.is_some() && !self.shows_tournament();
            let tournament =
                IconButton::new(Icon::Cup, Action::ShowTournament).label("Back to the tournament");
            if behind && ui.add(tournament).clicked() {
                action = Some(Action::ShowTournament);
            }
            // Touched screens have fewer and larger buttons; the menu has the others.
            let count = match layout.phone {
                true if self.shows_tournament() => 1.0,
                true if self.shows_list() => 4.0,
                true => 2.0,
                false => 4.0,
            } + f32::from(u8::from(self.is_projected()));
            let right = count * (size + 4.0) + 12.0;
            let room = Rect::from_min_size(
                ui.cursor().min,
                vec2(ui.available_width() - right, ui.available_height()),
            );
            let title = ui.scope_builder(
                UiBuilder::new().max_rect(room).layout(Layout::left_to_right(Align::Center)),
                |ui| match (&self.session, &mut self.wall) {
                    (Some(session), _) if let Some(compare) = &self.compare => {
                        compare::title(ui, compare, session)
                    }
                    (Some(session), _) => status::title(ui, session),
                    (None, Some(wall)) => wall.show_title(ui),
                    (None, None) if self.tournament.is_some() => {
                        ui.add_space(6.0);
                        // Elsewhere the name has a line of its own below.
                        let name = self.tournament.as_ref().map_or("", |tournament| tournament.name());
                        let name = if layout.phone && !name.is_empty() { name } else { "Tournament" };
                        let title = RichText::new(name).family(semibold()).size(BODY + 1.0);
                        ui.add(Label::new(title).truncate());
                    }
                    (None, None) => {
                        ui.add_space(6.0);
                        let name = RichText::new("Grandstand").family(semibold()).size(BODY + 3.0);
                        ui.add(Label::new(name).truncate());
                    }
                },
            );
            let beside =
                Rect::from_x_y_ranges(title.response.rect.right() + 12.0..=room.right(), room.y_range());
            self.notice_room = Some([beside, room]);
            // In the order in which they stand, which is that of the focus.
            let mut buttons = Vec::new();
            let open = self.session.as_ref().is_some_and(|session| matches!(session.stage, Stage::Open));
            if open && self.compare.is_none() && !self.is_projected() {
                let side = IconButton::new(Icon::Side, Action::ToggleSide);
                buttons.push((side.selected(self.side_panel.is_open(layout)), Action::ToggleSide));
            }
            let lists = self.session.is_none() && self.wall.is_none();
            let has_listed = self.match_list.for_wall().next().is_some();
            if lists && (self.match_list.server.base().is_some() || has_listed) {
                buttons.push((IconButton::new(Icon::Wall, Action::ShowWall), Action::ShowWall));
            }
            if !layout.phone {
                let icon = match self.settings.theme {
                    ThemePreference::System => Icon::System,
                    ThemePreference::Dark => Icon::Moon,
                    ThemePreference::Light => Icon::Sun,
                };
                buttons.push((IconButton::new(icon, Action::NextTheme), Action::NextTheme));
                buttons.push((IconButton::new(Icon::Help, Action::ToggleHelp), Action::ToggleHelp));
            }
            if self.is_projected() {
                let end = IconButton::new(Icon::Close, Action::ToggleProjector).label("End projector mode");
                buttons.push((end, Action::ToggleProjector));
            }
            if layout.phone && self.shows_list() {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let menu = ui.add(IconButton::plain(Icon::Menu, "Menu"));
                    action = action.or(self.menu(&menu));
                    for (button, pressed) in buttons.into_iter().rev() {
                        if ui.add(button).clicked() {
                            action = Some(pressed);
                        }
                    }
                    self.match_list.show_in_top_bar(ui, self.settings.spoiler_free);
                });
            } else {
                let width = (buttons.len() + 1) as f32 * (size + 4.0) - 4.0;
                ui.add_space((ui.available_width() - width).max(0.0));
                for (button, pressed) in buttons {
                    if ui.add(button).clicked() {
                        action = Some(pressed);
                    }
                }
                let menu = ui.add(IconButton::plain(Icon::Menu, "Menu"));
                action = action.or(self.menu(&menu));
            }
        });
        if let Some(action) = action {
            self.perform(&ui.ctx().clone(), action);
        }
    }
}
