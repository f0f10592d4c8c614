//! Menu: what is looked for most, and below it every other action of the table by group, with its keys. Impossible actions
//! are grey.

use eframe::egui::{
    self, Align, FontId, Id, Popup, PopupCloseBehavior, RectAlign, Response, Role, ScrollArea, Sense, Ui,
    WidgetInfo, pos2, vec2,
};
use grandstand_board::text::paint_left;
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};

use crate::actions::{ACTIONS, Action, Entry, Group, key_text};
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;

/// The actions above the groups: sharing, settings, and what explains the rest.
const FIRST: [Action; 12] = [
    Action::Find,
    Action::Share,
    Action::Export,
    Action::Settings,
    Action::ToggleSpoilers,
    Action::NextTheme,
    Action::ToggleSound,
    Action::NextVolume,
    Action::Faster,
    Action::Slower,
    Action::ToggleFullscreen,
    Action::ToggleHelp,
];
/// Height of the line between these and the groups, with its room, in points.
const LINE: f32 = 9.0;

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
    let opens = button.clicked();
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
        if opens {
            // What is looked for most is seen first, whatever was open before.
            unfold(ui, None);
        }
        let unfolded = unfolded(ui);
        // The menu is as high as what it shows. Without the least height the area would keep that of a group before.
        let most = content_height(unfolded, layout).min(height);
        let mut list = ScrollArea::vertical().min_scrolled_height(most).max_height(most);
        if opens {
            list = list.vertical_scroll_offset(0.0);
        }
        list.show(ui, |ui| {
            let mut item = |ui: &mut Ui, entry: &Entry| {
                let standing = standing(entry.action);
                if row(ui, entry, standing, layout).clicked() && standing.possible {
                    chosen = Some(entry.action);
                }
            };
            FIRST.iter().for_each(|action| item(ui, action.entry()));
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
            let line = egui::Stroke::new(1.0, Palette::of(ui.ctx()).line);
            ui.painter().hline(rect.x_range().shrink(6.0), rect.center().y, line);
            for group in Group::ALL {
                let open = unfolded == Some(group);
                let heading = heading(ui, group, open, layout);
                if open && reveals(ui) {
                    // Its actions lie below it, perhaps beyond the end of the window.
                    heading.scroll_to_me(Some(Align::TOP));
                }
                if heading.clicked() {
                    unfold(ui, (!open).then_some(group));
                }
                if open {
                    of_group(group).for_each(|entry| item(ui, entry));
                }
            }
        });
        if chosen.is_some() {
            ui.close();
        }
        chosen
    });
    shown.and_then(|shown| shown.inner)
}

/// The actions of a group that do not stand above the groups.
fn of_group(group: Group) -> impl Iterator<Item = &'static Entry> {
    ACTIONS.iter().filter(move |entry| entry.group == group && !FIRST.contains(&entry.action))
}

/// Height of all rows.
fn content_height(unfolded: Option<Group>, layout: ScreenLayout) -> f32 {
    let rows = FIRST.len() + Group::ALL.len() + unfolded.map_or(0, |group| of_group(group).count());
    rows as f32 * layout.row_height() + LINE
}

/// The group that the viewer opened. Only one is open, so that the menu fits any window.
fn unfolded(ui: &Ui) -> Option<Group> {
    ui.data(|data| data.get_temp::<Option<Group>>(id())).flatten()
}

fn unfold(ui: &Ui, group: Option<Group>) {
    ui.data_mut(|data| {
        data.insert_temp(id(), group);
        data.insert_temp(id().with("reveal"), true);
    });
}

/// Whether the group was opened just now.
fn reveals(ui: &Ui) -> bool {
    ui.data_mut(|data| data.remove_temp::<bool>(id().with("reveal"))).is_some()
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
    // A phone has no keys, and the names need the room.
    let keys = entry.keys.first().filter(|_| !layout.phone).map(key_text).unwrap_or_default();
    let keys = ui.painter().layout_no_wrap(keys, small, faded(palette.weak));
    let keys_at = pos2(rect.right() - 10.0 - keys.size().x, rect.center().y - keys.size().y / 2.0);
    let font = FontId::proportional(BODY);
    let room = keys_at.x - rect.left() - 42.0;
    let name_at = rect.left_center() + vec2(30.0, 0.0);
    paint_left(ui.painter(), name_at, entry.name, font, faded(palette.text), room);
    ui.painter().galley(keys_at, keys, palette.weak);
    response
}
