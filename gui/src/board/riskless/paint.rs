//! The map and the armies on it on the screen.

use eframe::egui::{Align2, FontId, Painter, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use grandstand_protocol::riskless::{Scene, Territory};
use grandstand_protocol::team::Squad;

use crate::board::squad as look;
use crate::theme::{Palette, SMALL, semibold};

pub(super) fn show(ui: &mut Ui, rect: Rect, scene: &Scene) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter().clone();
    painter.rect_filled(rect, 6.0, palette.tray);
    let inner = rect.shrink(24.0);
    let at =
        |place: &Territory| inner.min + vec2(f32::from(place.x), f32::from(place.y)) / 1000.0 * inner.size();
    for road in scene.roads() {
        if let (Some(a), Some(b)) = (scene.territory(road.a), scene.territory(road.b)) {
            painter.line_segment([at(a), at(b)], Stroke::new(1.5, palette.line));
        }
    }
    for place in scene.territories() {
        let center = at(place);
        let Some(held) = scene.holding(place.id) else {
            painter.circle(center, 9.0, palette.cell, Stroke::new(1.0, palette.weak));
            continue;
        };
        let squad = super::squad(held.team);
        let colors = palette.squad(squad);
        look::paint_token(&painter, center, 11.0, squad, colors.piece, Stroke::new(1.5, colors.accent));
        let font = FontId::new(SMALL, semibold());
        painter.text(center, Align2::CENTER_CENTER, held.armies, font, colors.mark);
    }
    let node = ui.interact(rect, ui.scope_id().with("riskless"), Sense::hover());
    let text = format!("Riskless map: {} territories", scene.territories().len());
    node.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
}

pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect) {
    let places = [(0.2, 0.3, Squad::Red), (0.75, 0.25, Squad::Blue), (0.5, 0.75, Squad::Red)];
    let at = |x: f32, y: f32| square.min + vec2(x, y) * square.width();
    for pair in [(0, 1), (1, 2), (0, 2)] {
        let (a, b) = (places[pair.0], places[pair.1]);
        painter.line_segment([at(a.0, a.1), at(b.0, b.1)], Stroke::new(1.0, palette.weak));
    }
    for (x, y, squad) in places {
        look::paint_badge(painter, palette, at(x, y), square.width() * 0.15, squad);
    }
}
