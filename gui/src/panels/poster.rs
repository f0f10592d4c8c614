//! Poster of a match in a frame of another page: a large sign on the board that starts playback.

use eframe::egui::{Color32, CursorIcon, Id, Key, Rect, Role, Sense, Stroke, Ui, WidgetInfo};
use grandstand_board::theme::Palette;

use crate::icons::{self, Icon};

/// Radius of the sign, in points, and the part of the board's shorter side that it has at most.
const RADIUS: f32 = 38.0;
const PART: f32 = 0.22;

/// Shows the sign in the middle of the board; returns whether the viewer starts playback: by a press anywhere on the board, or
/// by Enter.
pub(crate) fn show(ui: &Ui, board: Rect) -> bool {
    let response = ui.interact(board, Id::unique("poster"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Play the match"));
    let is_free = ui.memory(|memory| memory.focused().is_none());
    let entered = is_free && ui.input(|input| input.key_pressed(Key::Enter));
    let (middle, palette) = (board.center(), Palette::of(ui.ctx()));
    let radius = RADIUS.min(board.size().min_elem() * PART);
    let hot = response.hovered() || response.has_focus();
    // Dark with a light rim: it is seen on every board, in either theme.
    let fill = if hot { palette.accent } else { Color32::from_black_alpha(190) };
    let ink = if hot { palette.panel } else { Color32::WHITE };
    ui.painter().circle(middle, radius, fill, Stroke::new(2.0, Color32::from_white_alpha(220)));
    if response.has_focus() {
        ui.painter().circle_stroke(middle, radius + 5.0, Stroke::new(2.0, palette.accent));
    }
    icons::paint(ui.painter(), Icon::Play, icons::square(middle, radius), ink);
    response.on_hover_cursor(CursorIcon::PointingHand).clicked() || entered
}
