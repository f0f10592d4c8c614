//! Ruler: distance between two places.

use eframe::egui::{Align2, FontId, Painter, Pos2, Rect, Response, Role, Stroke, Ui, Vec2};
use grandstand_board::node;
use grandstand_board::overlay::within;
use grandstand_board::theme::{BODY, Palette, semibold};
use grandstand_protocol::{Place, Scene};
use grandstand_story::story;

/// State of the ruler.
#[derive(Debug, Default)]
pub(super) struct Ruler {
    pub on: bool,
    from: Option<Place>,
    to: Option<Place>,
}

impl Ruler {
    /// Turns the ruler on or off.
    pub(super) fn toggle(&mut self) {
        *self = Ruler { on: !self.on, ..Ruler::default() };
    }

    /// Handles a drag or two clicks. `place_at` gives the place at a point.
    pub(super) fn take(&mut self, response: &Response, place_at: impl Fn(Pos2) -> Option<Place>) {
        let at = response.interact_pointer_pos().and_then(&place_at);
        if response.drag_started() {
            let pressed = response.ctx.input(|input| input.pointer.press_origin());
            (self.from, self.to) = (pressed.and_then(&place_at), None);
        }
        if response.dragged() && self.from.is_some() {
            self.to = at.or(self.to);
        }
        if response.clicked() {
            match (self.from, self.to) {
                (Some(_), None) => self.to = at,
                _ => (self.from, self.to) = (at, None),
            }
        }
    }

    /// Paints the path and its length. Without an end, the place `pointed` under the pointer is the end.
    pub(super) fn show(
        &self,
        ui: &Ui,
        painter: &Painter,
        scene: &Scene,
        pointed: Option<Place>,
        area_of: impl Fn(Place) -> Option<Rect>,
    ) {
        let Some(from) = self.from else { return };
        let palette = Palette::of(ui.ctx());
        let dark = Stroke::new(6.0, palette.ground.gamma_multiply(0.8));
        let pen = Stroke::new(2.5, palette.accent);
        let Some(to) = self.to.or(pointed).filter(|to| *to != from) else {
            if let Some(area) = area_of(from) {
                end(painter, area, dark, pen);
            }
            return;
        };
        let Some(distance) = story(scene).distance(from, to) else { return };
        let areas: Vec<Rect> = distance.path.iter().filter_map(|place| area_of(*place)).collect();
        let points: Vec<Pos2> = areas.iter().map(Rect::center).collect();
        for pen in [dark, pen] {
            for pair in points.windows(2) {
                painter.line_segment([pair[0], pair[1]], pen);
            }
        }
        let (Some(first), Some(last)) = (areas.first(), areas.last()) else { return };
        end(painter, *first, dark, pen);
        end(painter, *last, dark, pen);
        let middle =
            if points.len() > 2 { points[points.len() / 2] } else { first.center().lerp(last.center(), 0.5) };
        let words = format!("{} to {}: {}", name(scene, from), name(scene, to), distance.words);
        let font = FontId::new(BODY, semibold());
        let galley = painter.layout_no_wrap(words.clone(), font, palette.text);
        let up = Vec2::new(0.0, -first.height().clamp(18.0, 40.0));
        let plate =
            Align2::CENTER_CENTER.anchor_size(middle + up, galley.size()).expand2(Vec2::new(8.0, 4.0));
        let plate = within(plate, painter.clip_rect().shrink(2.0));
        painter.rect(
            plate,
            6.0,
            palette.panel,
            Stroke::new(1.5, palette.accent),
            eframe::egui::StrokeKind::Inside,
        );
        painter.galley(plate.min + Vec2::new(8.0, 4.0), galley, palette.text);
        node::show(ui, plate, "measure", Role::Label, words);
    }
}

fn end(painter: &Painter, area: Rect, dark: Stroke, pen: Stroke) {
    let radius = (area.height() * 0.16).clamp(4.0, 9.0);
    painter.circle(area.center(), radius, pen.color, Stroke::new(2.0, dark.color));
}

/// Name of a place.
pub(crate) fn name(scene: &Scene, place: Place) -> String {
    let words = story(scene).describe(place);
    words.and_then(|words| Some(words.split_once(':')?.0.to_owned())).unwrap_or_else(|| place.to_string())
}
