//! Bots' drawings over a board: the same on every board, switched on and off by author.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, vec2};
use grandstand_protocol::{Mark, Overlay};
use grandstand_story::sides::Side;

use super::{BoardInput, BoardOptions};
use crate::text::fitted;
use crate::theme::{Palette, ink_on};

/// Least size of a place that marks are made for, in points; on smaller places they reach beyond it.
const UNIT_MIN: f32 = 28.0;

/// Paints the marks. `unit` is the size of a place in points; `place` gives the position of a named place.
pub fn paint(
    painter: &Painter,
    palette: &Palette,
    picture: &BoardInput<'_>,
    options: BoardOptions,
    unit: f32,
    place: impl Fn(&str) -> Option<Pos2>,
) {
    if !options.overlays {
        return;
    }
    let overlays = picture.scene.overlays();
    let shown = || overlays.iter().filter(|overlay| !picture.hidden.hides(overlay));
    // Texts lie above all other marks.
    for words in [false, true] {
        for overlay in shown() {
            let author = Author::of(overlay, picture.sides, palette);
            let pen = Pen { painter, palette, unit: unit.max(UNIT_MIN), shape: author.shape };
            for mark in overlay.marks() {
                let color = |color: &Option<grandstand_protocol::Color>| {
                    color.map_or(author.ink, |color| palette.color(color))
                };
                match mark {
                    Mark::Dot { at, color: own } if !words => {
                        if let Some(at) = place(at) {
                            pen.dot(at, color(own));
                        }
                    }
                    Mark::Arrow { from, to, color: own } if !words => {
                        if let (Some(from), Some(to)) = (place(from), place(to)) {
                            pen.arrow(from, to, color(own));
                        }
                    }
                    Mark::Text { at, text, color: own } if words => {
                        if let Some(at) = place(at) {
                            pen.plate(at, text, color(own));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Style of an author's marks: the team's colour, and a shape that tells the team apart from colour.
struct Author {
    ink: Color32,
    shape: usize,
}

impl Author {
    fn of(overlay: &Overlay, sides: &[Side], palette: &Palette) -> Author {
        let shape = shape_of(&overlay.team, sides);
        let ink = sides.get(shape).map_or(palette.accent, |side| palette.side(side));
        Author { ink, shape }
    }
}

/// Number of the shape of a team's marks.
fn shape_of(team: &str, sides: &[Side]) -> usize {
    sides.iter().position(|side| side.key == team).unwrap_or(sides.len())
}

/// Sign of a team's marks for the legend, as on the board.
pub fn paint_sign(painter: &Painter, palette: &Palette, at: Pos2, team: &str, sides: &[Side]) {
    let shape = shape_of(team, sides);
    let ink = sides.get(shape).map_or(palette.accent, |side| palette.side(side));
    Pen { painter, palette, unit: UNIT_MIN * 1.5, shape }.dot(at, ink);
}

struct Pen<'a> {
    painter: &'a Painter,
    palette: &'a Palette,
    unit: f32,
    shape: usize,
}

impl Pen<'_> {
    /// Rim that separates a mark from any ground.
    fn rim(&self, ink: Color32) -> Stroke {
        Stroke::new((self.unit * 0.045).clamp(1.5, 3.0), ink_on(ink))
    }

    /// A dot in the team's shape: a circle, a diamond, a square, a triangle.
    fn dot(&self, at: Pos2, ink: Color32) {
        let radius = self.unit * 0.15;
        let rim = self.rim(ink);
        match self.shape % 4 {
            0 => {
                self.painter.circle(at, radius, ink, rim);
            }
            shape => {
                let (corners, turned) = match shape {
                    1 => (4, 0.0),
                    2 => (4, 0.125),
                    _ => (3, -0.25),
                };
                let corner = |n: i32| {
                    let turn = n as f32 / corners as f32 + turned;
                    at + crate::angle::angled(std::f32::consts::TAU * turn) * radius * 1.25
                };
                self.painter.add(Shape::convex_polygon((0..corners).map(corner).collect(), ink, rim));
            }
        }
    }

    /// An arrow that begins with the team's shape.
    fn arrow(&self, from: Pos2, to: Pos2, ink: Color32) {
        let length = from.distance(to);
        if length < 1.0 {
            return self.dot(from, ink);
        }
        let way = (to - from) / length;
        let width = (self.unit * 0.07).max(2.0);
        let rim = self.rim(ink);
        let (head, side) = ((width * 4.0).min(length * 0.7), way.rot90() * (width * 2.0).min(length * 0.4));
        let neck = to - way * head;
        let behind = Stroke::new(width + 2.0 * rim.width, rim.color);
        self.painter.line_segment([from, neck + way], behind);
        let tip = vec![to, neck + side, neck - side];
        self.painter.add(Shape::convex_polygon(tip, ink, rim));
        self.painter.line_segment([from, neck + way], Stroke::new(width, ink));
        let small = Pen { unit: self.unit * 0.7, ..*self };
        small.dot(from, ink);
    }

    /// A text on a plate. At the board's edge it is moved inside, and cut only if the board is narrower than the text.
    fn plate(&self, at: Pos2, text: &str, ink: Color32) {
        let font = FontId::proportional((self.unit * 0.26).clamp(11.0, 18.0));
        let bounds = self.painter.clip_rect().shrink(2.0);
        let galley = fitted(self.painter, text, font, ink_on(ink), bounds.width() - 10.0);
        let plate = Align2::CENTER_CENTER.anchor_size(at, galley.size()).expand2(vec2(5.0, 2.0));
        let plate = within(plate, bounds);
        let rim = Stroke::new(1.5, self.palette.ground.gamma_multiply(0.8));
        self.painter.rect(plate, 4.0, ink, rim, egui::StrokeKind::Outside);
        self.painter.galley(plate.min + vec2(5.0, 2.0), galley, ink_on(ink));
    }
}

/// The rectangle, moved by as little as needed to lie within `bounds`.
pub fn within(rect: Rect, bounds: Rect) -> Rect {
    let by = |low: f32, high: f32, min: f32, max: f32| {
        if low < min { min - low } else { (max - high).min(0.0).max(min - low) }
    };
    rect.translate(vec2(
        by(rect.left(), rect.right(), bounds.left(), bounds.right()),
        by(rect.top(), rect.bottom(), bounds.top(), bounds.bottom()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn words_at_the_edge_are_moved_inside() {
        let bounds = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 50.0));
        let at = |x: f32, y: f32| within(Rect::from_center_size(pos2(x, y), vec2(30.0, 10.0)), bounds);
        assert_eq!(at(50.0, 25.0).center(), pos2(50.0, 25.0));
        assert_eq!(at(2.0, 48.0).center(), pos2(15.0, 45.0));
        assert_eq!(at(99.0, 1.0).center(), pos2(85.0, 5.0));
    }
}
