//! Dock of the card of a place that is pointed at: beside the board if there is room, else in the corner of the board that is
//! farthest from the place. It hides neither the place nor its neighbours.

use eframe::egui::{Align2, Area, Frame, Id, Margin, Order, Rect, Stroke, Ui, Vec2, vec2};
use grandstand_board::theme::Palette;

use super::Shown;

/// The corners, the preferred one first.
const CORNERS: [Align2; 4] = [Align2::LEFT_BOTTOM, Align2::RIGHT_BOTTOM, Align2::LEFT_TOP, Align2::RIGHT_TOP];
/// How far the neighbours of a place reach beyond it: so many of its sizes, and at least so many points.
const NEIGHBOURS: (f32, f32) = (1.6, 34.0);
/// What a corner gains where the card is already, so that it does not jump to and fro, in areas of the card.
const STAYS: f32 = 0.1;
/// What a corner over the board costs more where the place is near, in areas of the card.
const NEAR: f32 = 0.5;

/// The place and what is around it.
fn around(place: Rect) -> Rect {
    let (sizes, least) = NEIGHBOURS;
    place.expand2(Vec2::max(place.size() * sizes, vec2(least, least)))
}

/// The corner of `area` for a card of this size: it hides as little of the `board` as can be, far from the place, and nothing
/// around the place or of its `neighbours`. `last` is where the card was before.
fn corner(
    (area, board): (Rect, Rect),
    (place, neighbours): (Rect, &[Rect]),
    size: Vec2,
    last: Option<Align2>,
) -> Align2 {
    let cost = |corner: &Align2| {
        let card = corner.align_size_within_rect(size, area);
        let shared = |rect: Rect| {
            let both = card.intersect(rect);
            if both.is_positive() { both.area() } else { 0.0 }
        };
        let near = 1.0 - (card.center() - place.center()).length() / area.size().length().max(1.0);
        let gain = if last == Some(*corner) { STAYS * size.x * size.y } else { 0.0 };
        let hidden: f32 = neighbours.iter().map(|neighbour| shared(*neighbour)).sum();
        // Nothing outweighs what is around the place, and nothing else the neighbours.
        1e6 * shared(around(place)) + 1e3 * hidden + shared(board) * (1.0 + NEAR * near) - gain
    };
    CORNERS.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(CORNERS[0])
}

/// Shows the card of a place that is drawn in `place`, with its neighbours; returns where it stands and how large it is. `last`
/// is the same of the frame before.
pub(super) fn show(
    ui: &Ui,
    shown: &Shown<'_>,
    place: (Rect, &[Rect]),
    last: (Option<Align2>, Vec2),
    contents: impl FnOnce(&mut Ui),
) -> (Option<Align2>, Vec2) {
    let palette = Palette::of(ui.ctx());
    let view = grandstand_board::view(shown.picture.scene);
    let shape = view.shape_with(shown.options);
    let head = shown.rect.top() + view.head(shown.rect);
    let area = shown.area.with_min_y(head.max(shown.area.top())).shrink(2.0);
    let height = shown.rect.height().min(shown.rect.width() / shape);
    let board = Rect::from_center_size(shown.rect.center(), vec2(height * shape, height));
    let corner = corner((area, board), place, last.1, last.0);
    let card = Area::new(Id::unique("card of the place"))
        .order(Order::Tooltip)
        .pivot(corner)
        .fixed_pos(corner.pos_in_rect(&area))
        .constrain(false)
        .interactable(false);
    let frame = Frame::new()
        .fill(palette.panel.gamma_multiply(0.96))
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(8.0)
        .inner_margin(Margin::symmetric(9, 6));
    let response = card.show(ui.ctx(), |ui| frame.show(ui, contents)).response;
    (Some(corner), response.rect.size())
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Pos2, pos2};

    use super::*;

    #[test]
    fn the_card_hides_no_neighbour_wherever_the_pointer_is() {
        let size = vec2(230.0, 84.0);
        for (width, height) in [(740.0, 560.0), (1100.0, 800.0), (370.0, 560.0)] {
            let area = Rect::from_min_size(pos2(10.0, 90.0), vec2(width, height));
            let side = width.min(height);
            let board = Rect::from_center_size(area.center(), Vec2::splat(side));
            let cell = side / 15.0;
            let mut last = None;
            for n in 0..225 {
                let at = board.min + vec2((n % 15) as f32 + 0.5, (n / 15) as f32 + 0.5) * cell;
                let place = Rect::from_center_size(at, Vec2::splat(cell));
                let corner = corner((area, board), (place, &[]), size, last);
                let card = corner.align_size_within_rect(size, area);
                let near = place.expand(cell);
                assert!(!card.intersects(near), "{width}×{height}, {at}: {card} over {near}");
                last = Some(corner);
            }
        }
    }

    #[test]
    fn it_stands_beside_the_board_where_there_is_room_and_stays_there() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(1200.0, 600.0));
        let board = Rect::from_center_size(area.center(), vec2(600.0, 600.0));
        let place = |x: f32| Rect::from_center_size(pos2(x, 560.0), Vec2::splat(40.0));
        let size = vec2(230.0, 84.0);
        let dock = |x, last| corner((area, board), (place(x), &[]), size, last);
        assert_eq!(dock(600.0, None), Align2::LEFT_BOTTOM);
        assert_eq!(dock(400.0, Some(Align2::LEFT_BOTTOM)), Align2::LEFT_BOTTOM);
        assert_eq!(dock(600.0, Some(Align2::RIGHT_TOP)), Align2::RIGHT_TOP);
    }

    #[test]
    fn over_a_board_that_fills_its_area_it_stands_in_the_farthest_corner() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let size = vec2(230.0, 84.0);
        for (x, y, nearest, farthest) in [
            (200.0, 150.0, Align2::LEFT_TOP, Align2::RIGHT_BOTTOM),
            (600.0, 150.0, Align2::RIGHT_TOP, Align2::LEFT_BOTTOM),
            (200.0, 350.0, Align2::LEFT_BOTTOM, Align2::RIGHT_TOP),
            (600.0, 350.0, Align2::RIGHT_BOTTOM, Align2::LEFT_TOP),
        ] {
            let place = Rect::from_center_size(pos2(x, y), Vec2::splat(30.0));
            // Where it was in a corner that is about as far, it stays there.
            for last in [None, Some(nearest), Some(farthest)] {
                assert_eq!(corner((area, area), (place, &[]), size, last), farthest, "{x}, {y}");
            }
        }
    }

    #[test]
    fn it_hides_no_neighbour_that_is_far_away() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let square = |x, y| Rect::from_center_size(pos2(x, y), Vec2::splat(30.0));
        let (alaska, kamchatka) = (square(60.0, 100.0), square(740.0, 420.0));
        let dock = |neighbours: &[Rect]| corner((area, area), (alaska, neighbours), vec2(230.0, 84.0), None);
        assert_eq!(dock(&[]), Align2::RIGHT_BOTTOM);
        assert_ne!(dock(&[kamchatka]), Align2::RIGHT_BOTTOM);
    }
}
