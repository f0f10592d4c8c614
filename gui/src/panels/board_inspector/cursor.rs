//! Cursor for the keyboard: moves from a place to the next one in the direction of an arrow key.

use eframe::egui::{Key, Modifiers, Pos2, Rect, Ui, Vec2, vec2};
use grandstand_protocol::Place;

use super::Shown;

/// Distance of the first step, and of the following ones, in sizes of a place.
const BEGIN: f32 = 0.75;
const STRIDE: f32 = 0.25;
/// Number of points tried on each side of a step, up to 45 degrees.
const SIDES: i32 = 8;

/// Directions of the arrow keys pressed in this frame.
pub(super) fn ways(ui: &Ui) -> Vec<Vec2> {
    let arrows = [
        (Key::ArrowLeft, vec2(-1.0, 0.0)),
        (Key::ArrowRight, vec2(1.0, 0.0)),
        (Key::ArrowUp, vec2(0.0, -1.0)),
        (Key::ArrowDown, vec2(0.0, 1.0)),
    ];
    ui.input_mut(|input| {
        let pressed = arrows.into_iter().flat_map(|(key, way)| {
            let times = input.count_and_consume_key(Modifiers::NONE, key);
            std::iter::repeat_n(way, times)
        });
        pressed.collect()
    })
}

/// The next place in a direction: straight ahead, or else a little to a side.
pub(super) fn step(shown: &Shown<'_>, from: Place, way: Vec2) -> Option<Place> {
    let area = shown.area_of(from)?;
    next(shown.rect, area, way, |at| shown.place_at(at).filter(|place| *place != from))
}

fn next<P>(board: Rect, area: Rect, way: Vec2, place_at: impl Fn(Pos2) -> Option<P>) -> Option<P> {
    let size = area.size().min_elem().max(6.0);
    let far = board.size().max_elem();
    let mut along = size * BEGIN;
    while along < far {
        let ahead = area.center() + way * along;
        let aside = way.rot90() * (along / SIDES as f32);
        let points = (0..=SIDES).flat_map(|n| [ahead + aside * n as f32, ahead - aside * n as f32]);
        if let Some(place) = points.filter(|at| board.contains(*at)).find_map(&place_at) {
            return Some(place);
        }
        along += size * STRIDE;
    }
    None
}

/// First place of the cursor: the one nearest to the middle of the board.
pub(super) fn first(shown: &Shown<'_>) -> Option<Place> {
    let middle = shown.rect.center();
    let far = shown.rect.size().max_elem() / 2.0;
    let rings = (0..).map(|ring| ring as f32 * 6.0).take_while(|radius| *radius < far);
    let points = rings.flat_map(|radius| {
        (0..16).map(move |part| middle + Vec2::angled(part as f32 * std::f32::consts::TAU / 16.0) * radius)
    });
    points.filter_map(|at| shown.place_at(at)).find(|place| shown.area_of(*place).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    /// A board of squares of 20 points, with one missing.
    fn at(at: Pos2) -> Option<(i32, i32)> {
        let place = ((at.x / 20.0).floor() as i32, (at.y / 20.0).floor() as i32);
        let there = (0..6).contains(&place.0) && (0..6).contains(&place.1) && place != (3, 2);
        there.then_some(place)
    }

    #[test]
    fn an_arrow_leads_to_the_next_place_and_over_what_is_no_place() {
        let board = Rect::from_min_size(Pos2::ZERO, vec2(120.0, 120.0));
        let go = |(x, y): (i32, i32), way: Vec2| {
            let area = Rect::from_min_size(pos2(x as f32, y as f32) * 20.0, vec2(20.0, 20.0));
            next(board, area, way, |point| at(point).filter(|place| *place != (x, y)))
        };
        assert_eq!(go((1, 1), vec2(1.0, 0.0)), Some((2, 1)));
        assert_eq!(go((1, 1), vec2(0.0, 1.0)), Some((1, 2)));
        assert_eq!(go((1, 1), vec2(-1.0, 0.0)), Some((0, 1)));
        assert_eq!(go((0, 1), vec2(-1.0, 0.0)), None, "the board ends here");
        let over = go((2, 2), vec2(1.0, 0.0)).expect("a place");
        assert!(over.0 > 2, "{over:?}");
    }
}
