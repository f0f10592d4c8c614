//! Menu: every action of the table by group, with its keys. Impossible actions are grey.

use eframe::egui::{
    self, FontId, Id, Popup, PopupCloseBehavior, RectAlign, Response, Role, ScrollArea, Sense, Ui,
    WidgetInfo, pos2, vec2,
};
use grandstand_board::text::paint_left;
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};

use crate::actions::{ACTIONS, Action, Entry, Group, key_text};
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;

/// State of a menu item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MenuItemState {
    /// Whether the action can be done now.
    pub possible: bool,
    /// State of a switch; `None` for other actions.
    pub on: Option<bool>,
}

/// Shows the menu below its button; returns the chosen action.
pub(crate) fn show(button: &Response, standing: impl Fn(Action) -> MenuItemState) -> Option<Action> {
    let layout = ScreenLayout::of(&button.ctx);
    let area = button.ctx.content_rect();
    let popup = Popup::menu(button)
        .align(RectAlign::BOTTOM_END)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .accessible_name("Menu");
    let shown = popup.show(|ui| {
        ui.set_width((area.width() - 40.0).min(330.0));
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut chosen = None;
        let height = (area.height() - button.rect.bottom() - 40.0).max(120.0);
        // The height is the same for every group: if the menu shrank under a finger, the press would count as one
        // outside.
        let sizes = Group::ALL.map(|group| ACTIONS.iter().filter(|entry| entry.group == group).count());
        let rows = 1 + Group::ALL.len() + sizes.into_iter().max().unwrap_or(0);
        ui.set_min_height((rows as f32 * layout.row_height() + 4.0).min(height));
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            let find = Action::Find.entry();
            if row(ui, find, standing(Action::Find), layout).clicked() {
                chosen = Some(Action::Find);
            }
            // Before the viewer chooses a group, the first one with a possible action is open.
            let useful = |group: &Group| {
                ACTIONS.iter().any(|entry| entry.group == *group && standing(entry.action).possible)
            };
            let unfolded = chosen_group(ui).unwrap_or_else(|| Group::ALL.into_iter().find(useful));
            for group in Group::ALL {
                let open = unfolded == Some(group);
                if heading(ui, group, open, layout).clicked() {
                    unfold(ui, (!open).then_some(group));
                }
                if !open {
                    continue;
                }
                for entry in
                    ACTIONS.iter().filter(|entry| entry.group == group && entry.action != Action::Find)
                {
                    let standing = standing(entry.action);
                    if row(ui, entry, standing, layout).clicked() && standing.possible {
                        chosen = Some(entry.action);
                    }
                }
                ui.add_space(4.0);
            }
        });
        if chosen.is_some() {
            ui.close();
        }
        chosen
    });
    shown.and_then(|shown| shown.inner)
}

/// The group that the viewer opened; `Some(None)` if all are closed. Only one is open, so that the menu fits any
/// window.
fn chosen_group(ui: &Ui) -> Option<Option<Group>> {
    ui.data(|data| data.get_temp(id()))
}

fn unfold(ui: &Ui, group: Option<Group>) {
    ui.data_mut(|data| data.insert_temp(id(), group));
}

fn id() -> Id {
    Id::unique("menu's group")
}

fn heading(ui: &mut Ui, group: Group, open: bool, layout: ScreenLayout) -> Response {
    let palette = Palette::of(ui.ctx());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), layout.row_height()), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, group.title()));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 6.0, mix(palette.panel, palette.accent, 0.12));
    }
    let icon = if open { Icon::Unfolded } else { Icon::Folded };
    icons::paint(
        ui.painter(),
        icon,
        icons::square(rect.left_center() + vec2(15.0, 0.0), 12.0),
        palette.accent,
    );
    let font = FontId::new(BODY, semibold());
    ui.painter().text(
        rect.left_center() + vec2(30.0, 0.0),
        egui::Align2::LEFT_CENTER,
        group.title(),
        font,
        palette.text,
    );
    response
}

fn row(ui: &mut Ui, entry: &Entry, standing: MenuItemState, layout: ScreenLayout) -> Response {
    let palette = Palette::of(ui.ctx());
    let sense = if standing.possible { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), layout.row_height()), sense);
    response.widget_info(|| match standing.on {
        Some(on) => WidgetInfo::selected(Role::MenuItemCheckBox, standing.possible, on, entry.name),
        None => WidgetInfo::labeled(Role::MenuItem, standing.possible, entry.name),
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    if standing.possible && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, 6.0, mix(palette.panel, palette.accent, 0.18));
    }
    let faded =
        |color: egui::Color32| if standing.possible { color } else { mix(palette.panel, color, 0.45) };
    if standing.on == Some(true) {
        let square = icons::square(rect.left_center() + vec2(15.0, 0.0), 14.0);
        icons::paint(ui.painter(), Icon::Check, square, faded(palette.accent));
    }
    let small = FontId::proportional(SMALL);
    let keys = entry.keys.first().map(key_text).unwrap_or_default();
    let keys = ui.painter().layout_no_wrap(keys, small, faded(palette.weak));
    let keys_at = pos2(rect.right() - 10.0 - keys.size().x, rect.center().y - keys.size().y / 2.0);
    let font = FontId::proportional(BODY);
    let room = keys_at.x - rect.left() - 42.0;
    let name_at = rect.left_center() + vec2(30.0, 0.0);
    paint_left(ui.painter(), name_at, entry.name, font, faded(palette.text), room);
    ui.painter().galley(keys_at, keys, palette.weak);
    response
}
