//! Marks on the board: places of a line, pins, the cursor.

use std::f32::consts::TAU;

use eframe::egui::layers::ShapeIdx;
use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2};
use grandstand_board::CellShape;
use grandstand_board::theme::{Palette, semibold};
use grandstand_protocol::Place;
use grandstand_replays::Log;

/// Colours of the crosshair around a followed unit, on a dark and on a light ground: of no team, and no mark of a game.
const FOLLOWED: (Color32, Color32) =
    (Color32::from_rgb(0xff, 0x6a, 0xe6), Color32::from_rgb(0xa8, 0x00, 0x8c));
/// Radius of the number of a pin with its rim, in points.
const BADGE: f32 = 9.0;
/// Size of the plate below that number, in points.
const PLATE: Vec2 = vec2(19.0, 14.0);
/// Number of distances from its place at which room for it is looked for.
const FARTHER: u8 = 8;
/// Number of places marked for one line at most.
const PLACES: usize = 64;

/// Frames of places, which lie below the names and signs of a board that has a place for them there.
pub(super) struct Frames<'a> {
    painter: &'a Painter,
    below: Option<ShapeIdx>,
    shapes: Vec<Shape>,
}

impl<'a> Frames<'a> {
    pub(super) fn new(painter: &'a Painter, below: Option<ShapeIdx>) -> Frames<'a> {
        Frames { painter, below, shapes: Vec::new() }
    }

    /// Whether they lie below names and signs.
    pub(super) fn are_below(&self) -> bool {
        self.below.is_some()
    }

    /// Adds a frame around a place, `outside` points from its edge.
    fn add(&mut self, (area, shape): &(Rect, CellShape), outside: f32, pens: &[Stroke]) {
        for pen in pens {
            let frame = shape.frame_shapes(*area, outside, *pen);
            match self.below {
                Some(_) => self.shapes.extend(frame),
                None => self.painter.extend(frame),
            }
        }
    }

    /// Adds a line with these pens, of which the part within the board lies below names and signs.
    pub(super) fn line(&mut self, ui: &Painter, [from, to]: [Pos2; 2], pens: &[Stroke]) {
        if self.below.is_none() {
            pens.iter().for_each(|pen| _ = ui.line_segment([from, to], *pen));
            return;
        }
        let entry = entry(self.painter.clip_rect(), from, to);
        for pen in pens {
            if entry != from {
                ui.line_segment([from, entry], *pen);
            }
            self.shapes.push(Shape::line_segment([entry, to], *pen));
        }
    }

    /// Paints the frames that lie below names.
    pub(super) fn paint(self) {
        if let Some(below) = self.below.filter(|_| !self.shapes.is_empty()) {
            self.painter.set(below, self.shapes);
        }
    }
}

/// Where a line that ends in `area` enters it.
fn entry(area: Rect, from: Pos2, to: Pos2) -> Pos2 {
    let way = to - from;
    let part = |at: f32, way: f32, least: f32, most: f32| match () {
        () if at < least && way > 0.0 => (least - at) / way,
        () if at > most && way < 0.0 => (most - at) / way,
        () => 0.0,
    };
    let across = part(from.x, way.x, area.left(), area.right());
    let down = part(from.y, way.y, area.top(), area.bottom());
    from + way * across.max(down).min(1.0)
}

/// Places that a line touches.
#[derive(Debug)]
pub(super) struct Touched {
    seq: u64,
    places: Vec<Place>,
    way: Option<[Place; 2]>,
}

impl Touched {
    /// Places of a line of the log; `kept` is used again for the same line.
    pub(super) fn by(kept: Option<Touched>, log: &Log, seq: u64) -> Option<Touched> {
        if let Some(kept) = kept.filter(|kept| kept.seq == seq) {
            return Some(kept);
        }
        let command = log.command(seq)?;
        let before = log.scene_at(seq.checked_sub(1)?);
        let places = before.places(&command).take(PLACES).collect();
        Some(Touched { seq, places, way: before.movement(&command) })
    }

    /// Paints a frame around each place, and an arrow for a line that leads from one place to another.
    pub(super) fn paint(
        &self,
        frames: &mut Frames<'_>,
        palette: &Palette,
        area_of: impl Fn(Place) -> Option<Rect>,
        shape_of: impl Fn(Place) -> CellShape,
    ) {
        let places = self.places.iter().filter_map(|place| Some((area_of(*place)?, shape_of(*place))));
        for place in places {
            // Small places have a larger frame.
            let outside = (6.5 - place.0.height() / 2.0).max(0.0);
            let dark = Stroke::new(5.0, palette.ground.gamma_multiply(0.75));
            frames.add(&place, outside, &[dark, Stroke::new(2.5, palette.accent)]);
        }
        let ends = self.way.and_then(|[from, to]| Some((area_of(from)?, area_of(to)?)));
        if let Some((from, to)) = ends {
            let gap = |area: Rect| (area.height() * 0.54).max(7.0);
            let (start, end) = (from.center(), to.center());
            let way = (end - start).normalized();
            let (start, end) = (start + way * gap(from), end - way * gap(to));
            if (end - start).dot(way) > 6.0 {
                arrow(frames.painter, palette, start, end);
            }
        }
    }
}

fn arrow(painter: &Painter, palette: &Palette, from: Pos2, to: Pos2) {
    let way = (to - from).normalized();
    let (neck, side) = (to - way * 11.0, way.rot90() * 6.0);
    let dark = palette.ground.gamma_multiply(0.75);
    painter.line_segment([from, neck], Stroke::new(6.0, dark));
    painter.add(Shape::convex_polygon(
        vec![to, neck + side, neck - side],
        palette.accent,
        Stroke::new(1.5, dark),
    ));
    painter.line_segment([from, neck], Stroke::new(2.5, palette.accent));
}

/// Frame of a pinned place, with its number at the corner where it hides the least of the `texts`.
pub(super) fn pin(
    frames: &mut Frames<'_>,
    palette: &Palette,
    (area, shape): (Rect, CellShape),
    number: usize,
    texts: &[Rect],
) {
    let area = framed(area);
    let dark = Stroke::new(4.5, palette.ground.gamma_multiply(0.75));
    frames.add(&(area, shape), 0.0, &[dark, Stroke::new(2.0, palette.text)]);
    let at = corner(area, texts);
    if area.distance_to_pos(at) > BADGE + 4.0 {
        let pens = [dark, Stroke::new(2.0, palette.text)];
        frames.line(frames.painter, [at, area.center()], &pens);
    }
    badge(frames.painter, palette, at, number);
}

/// The area that the frame of a pinned place is around.
fn framed(area: Rect) -> Rect {
    area.expand((10.0 - area.height() / 2.0).max(1.0))
}

/// The area of the mark of a pinned place, with its number.
pub(super) fn area_of_pin(area: Rect, texts: &[Rect]) -> Rect {
    let area = framed(area);
    area.expand(2.0).union(Rect::from_center_size(corner(area, texts), Vec2::splat(19.0)))
}

/// Where the number of a pinned place stands: at its upper right corner, at another one, or farther off, where it hides the least.
/// Of what stands on the place itself only the middle is an obstacle.
fn corner(area: Rect, texts: &[Rect]) -> Pos2 {
    let center = area.center();
    let corners = [
        area.right_top() + vec2(1.0, -1.0),
        area.left_top() + vec2(-1.0, -1.0),
        area.right_bottom() + vec2(1.0, 1.0),
        area.left_bottom() + vec2(-1.0, 1.0),
    ];
    let near = area.width() / 2.0 + BADGE + 1.0;
    let around = (0..FARTHER).flat_map(|step| {
        let far = f32::from(step) * 5.0;
        (0..16_u8).map(move |n| {
            let way = Vec2::angled(TAU * (f32::from(n) / 16.0 - 0.125));
            (center + way * (near + far), 2.0 + 2.0 * far)
        })
    });
    let middle = |text: &Rect| match text.contains(center) {
        true => Rect::from_center_size(text.center(), text.size() * vec2(0.62, 0.55)),
        false => *text,
    };
    let hidden = |at: Pos2| -> f32 {
        let badge = Rect::from_center_size(at, Vec2::splat(2.0 * BADGE));
        let touched = texts.iter().map(middle).filter(|text| text.distance_to_pos(at) < BADGE - 0.5);
        touched.map(|text| text.intersect(badge).area()).sum()
    };
    let places = corners.map(|at| (at, 0.0)).into_iter().chain(around);
    let costs = places.map(|(at, cost)| (at, cost + hidden(at)));
    costs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(corners[0], |(at, _)| at)
}

/// A crosshair around the unit that is followed, in a colour of its own. Its arcs leave the corners free, where numbers and
/// flags are.
pub(super) fn followed(painter: &Painter, palette: &Palette, area: Rect) {
    let ink = if palette.is_dark { FOLLOWED.0 } else { FOLLOWED.1 };
    let radius = (area.height() * 0.62).max(12.0);
    for (width, color) in [(6.0, palette.ground), (3.0, ink)] {
        let pen = Stroke::new(width, color);
        for quarter in 0..4_u8 {
            let middle = f32::from(quarter) * TAU / 4.0;
            let arc = (0..=8_u8).map(|n| {
                let turn = middle + (f32::from(n) / 8.0 - 0.5) * TAU * 0.12;
                area.center() + Vec2::angled(turn) * radius
            });
            painter.add(Shape::line(arc.collect(), pen));
            let way = Vec2::angled(middle);
            painter.line_segment([area.center() + way * radius, area.center() + way * (radius + 7.0)], pen);
        }
    }
}

/// Frame of the place of the bot whose program is shown.
pub(super) fn bot(frames: &mut Frames<'_>, palette: &Palette, place: &(Rect, CellShape)) {
    let dark = Stroke::new(6.0, palette.ground.gamma_multiply(0.75));
    frames.add(place, 2.0, &[dark, Stroke::new(3.0, palette.text)]);
}

/// Number of a pin: dark on a light plate with round ends. No team has this form, or this colour.
pub(super) fn badge(painter: &Painter, palette: &Palette, at: Pos2, number: usize) {
    let plate = Rect::from_center_size(at, PLATE);
    let (fill, ink) = match palette.is_dark {
        true => (palette.text, palette.ground),
        false => (palette.ground, palette.text),
    };
    painter.rect(plate, PLATE.y / 2.0, fill, Stroke::new(1.5, ink), StrokeKind::Outside);
    painter.text(at, Align2::CENTER_CENTER, number, FontId::new(11.0, semibold()), ink);
}

/// Frame of the cursor's place.
pub(super) fn cursor(frames: &mut Frames<'_>, palette: &Palette, place: &(Rect, CellShape)) {
    let dark = Stroke::new(6.0, palette.ground.gamma_multiply(0.8));
    frames.add(place, 1.0, &[dark, Stroke::new(3.0, palette.text)]);
}

/// Frame of the place of a better move.
pub(super) fn better(frames: &mut Frames<'_>, palette: &Palette, place: &(Rect, CellShape)) {
    let dark = Stroke::new(6.0, palette.ground.gamma_multiply(0.75));
    frames.add(place, 0.0, &[dark, Stroke::new(3.0, palette.good)]);
}

/// Frame of the place under the pointer.
pub(super) fn pointed(frames: &mut Frames<'_>, palette: &Palette, place: &(Rect, CellShape)) {
    frames.add(place, -0.75, &[Stroke::new(1.5, palette.text.gamma_multiply(0.6))]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    #[test]
    fn the_number_of_a_pin_hides_no_name() {
        let sign = Rect::from_center_size(pos2(100.0, 100.0), vec2(26.0, 26.0));
        let right = corner(sign, &[sign]);
        assert_eq!(right, pos2(114.0, 86.0));
        let name = Rect::from_min_max(pos2(80.0, 72.0), pos2(122.0, 86.0));
        let below = corner(sign, &[sign, name]);
        assert_eq!(below, pos2(114.0, 114.0));
        assert!(!Rect::from_center_size(below, vec2(18.0, 18.0)).intersects(name));
    }

    #[test]
    fn among_other_signs_the_number_of_a_pin_hides_the_number_of_none() {
        let sign = |x: f32, y: f32| Rect::from_center_size(pos2(x, y), vec2(19.0, 19.0));
        let all = [
            (0.0, 0.0),
            (20.0, 0.0),
            (-20.0, 0.0),
            (10.0, 17.5),
            (-10.0, 17.5),
            (10.0, -17.5),
            (-10.0, -17.5),
        ];
        let signs = all.map(|(x, y)| sign(100.0 + x, 100.0 + y));
        let at = corner(framed(signs[0]), &signs);
        for sign in signs {
            let number = Rect::from_center_size(sign.center(), vec2(11.0, 10.0));
            assert!(number.distance_to_pos(at) >= 8.0, "{at} on {sign}");
        }
        assert!(at.distance(signs[0].center()) < 60.0, "{at}");
    }

    #[test]
    fn a_line_from_beside_a_board_enters_it_at_its_edge() {
        let board = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 80.0));
        assert_eq!(entry(board, pos2(50.0, 120.0), pos2(50.0, 40.0)), pos2(50.0, 80.0));
        assert_eq!(entry(board, pos2(-50.0, 40.0), pos2(50.0, 40.0)), pos2(0.0, 40.0));
        assert_eq!(entry(board, pos2(20.0, 20.0), pos2(50.0, 40.0)), pos2(20.0, 20.0));
    }
}
