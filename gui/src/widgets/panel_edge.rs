//! Edge of a panel: dragged by the viewer, moved by the arrow keys, and remembered as a part of the window.

use eframe::egui::{
    Context, CursorIcon, EventFilter, Id, Key, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo,
};
use grandstand_board::theme::Palette;
use serde::{Deserialize, Serialize};

/// The width of an edge for the pointer, in points.
const GRIP: f32 = 10.0;
/// One press of an arrow moves an edge by so many points.
const STEP: f32 = 24.0;
/// The sizes are kept in these parts of the room.
const PARTS: f32 = 1000.0;

/// The sizes that the viewer gave to panels, in thousandths of the room that they share with the board; `None` as at the first start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PanelSizes {
    /// Beside the board.
    pub beside: Option<u16>,
    /// Beside the board, with a program.
    pub program: Option<u16>,
    /// Below the board.
    pub below: Option<u16>,
    /// Below the board, with a program.
    pub program_below: Option<u16>,
    /// The protocol at the left.
    pub lines: Option<u16>,
}

/// The side of the board on which a panel lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelSide {
    Left,
    Right,
    Bottom,
}

impl PanelSide {
    fn id(self) -> Id {
        Id::unique(("panel edge", self as u8))
    }

    fn is_vertical(self) -> bool {
        self != PanelSide::Bottom
    }
}

/// Whether the arrow keys belong to an edge.
pub(crate) fn has_focus(ctx: &Context) -> bool {
    let sides = [PanelSide::Left, PanelSide::Right, PanelSide::Bottom];
    ctx.memory(|memory| sides.into_iter().any(|side| memory.has_focus(side.id())))
}

/// The size of a panel in so much room, in points: what the viewer chose, or `usual`, within the `range`.
pub(crate) fn size(chosen: Option<u16>, room: f32, usual: f32, range: (f32, f32)) -> f32 {
    let size = chosen.map_or(usual, |part| room * f32::from(part) / PARTS);
    size.clamp(range.0, range.1.max(range.0)).round()
}

/// Shows the edge between a panel in `panel` and the board, and takes what the viewer does with it. `room` is what both have, in points.
pub(crate) fn show(ui: &Ui, side: PanelSide, panel: Rect, room: f32, chosen: &mut Option<u16>) {
    let palette = Palette::of(ui.ctx());
    let edge = match side {
        PanelSide::Left => panel.with_min_x(panel.right()),
        PanelSide::Right => panel.with_max_x(panel.left()),
        PanelSide::Bottom => panel.with_max_y(panel.top()),
    };
    let reach = if side.is_vertical() { Vec2::new(GRIP / 2.0, 0.0) } else { Vec2::new(0.0, GRIP / 2.0) };
    let response = ui.interact(edge.expand2(reach), side.id(), Sense::click_and_drag());
    let now = if side.is_vertical() { panel.width() } else { panel.height() };
    let name = match side {
        PanelSide::Left => "Width of the protocol",
        PanelSide::Right => "Width of the side panel",
        PanelSide::Bottom => "Height of the panel",
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, format!("{name}: {now:.0} px")));
    let mut wanted = None;
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        wanted = Some(match side {
            PanelSide::Left => at.x - panel.left(),
            PanelSide::Right => panel.right() - at.x,
            PanelSide::Bottom => panel.bottom() - at.y,
        });
    }
    if response.has_focus() {
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        // The edge goes where the arrow points.
        let (larger, smaller) = match side {
            PanelSide::Left => (Key::ArrowRight, Key::ArrowLeft),
            PanelSide::Right => (Key::ArrowLeft, Key::ArrowRight),
            PanelSide::Bottom => (Key::ArrowUp, Key::ArrowDown),
        };
        let steps = ui.input(|input| input.num_presses(larger) as f32 - input.num_presses(smaller) as f32);
        if steps != 0.0 {
            wanted = Some(now + steps * STEP);
        }
    }
    if let Some(wanted) = wanted.filter(|_| room > 1.0) {
        *chosen = Some((wanted / room * PARTS).round().clamp(1.0, PARTS) as u16);
        ui.ctx().request_repaint();
    }
    if response.double_clicked() {
        *chosen = None;
    }
    let hot = response.hovered() || response.dragged() || response.has_focus();
    let painter = ui.painter();
    if hot {
        let line = Stroke::new(2.0, palette.accent);
        match side.is_vertical() {
            true => painter.vline(edge.center().x, edge.y_range(), line),
            false => painter.hline(edge.x_range(), edge.center().y, line),
        };
    } else {
        let line = Stroke::new(1.0, palette.line);
        match side.is_vertical() {
            true => painter.vline(edge.center().x, edge.y_range(), line),
            false => painter.hline(edge.x_range(), edge.center().y, line),
        };
        // Three dots within the panel say that it can be moved.
        let middle = match side {
            PanelSide::Left => edge.center() - Vec2::new(4.0, 0.0),
            PanelSide::Right => edge.center() + Vec2::new(4.0, 0.0),
            PanelSide::Bottom => edge.center() + Vec2::new(0.0, 4.0),
        };
        for n in [-1.0, 0.0, 1.0] {
            let off = if side.is_vertical() { Vec2::new(0.0, 7.0 * n) } else { Vec2::new(7.0 * n, 0.0) };
            painter.circle_filled(middle + off, 1.5, palette.weak);
        }
    }
    let cursor = if side.is_vertical() { CursorIcon::ResizeHorizontal } else { CursorIcon::ResizeVertical };
    response.on_hover_cursor(cursor);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_part_of_the_room_and_stays_in_its_range() {
        let range = (250.0, 600.0);
        assert_eq!(size(None, 1000.0, 320.0, range), 320.0);
        assert_eq!(size(Some(400), 1000.0, 320.0, range), 400.0);
        assert_eq!(size(Some(400), 1400.0, 320.0, range), 560.0, "the same part of another window");
        assert_eq!(size(Some(40), 1000.0, 320.0, range), 250.0);
        assert_eq!(size(Some(900), 1000.0, 320.0, range), 600.0);
        // A window with less room than the least.
        assert_eq!(size(None, 200.0, 320.0, (250.0, 110.0)), 250.0);
    }
}
