//! Dock of the cards of places: beside the board if there is room, else where they hide the least of it. They hide neither
//! the places nor their neighbours, no names, no buttons, and no other card.

use eframe::egui::{Area, Frame, Id, Margin, Order, Pos2, Rect, Stroke, Ui, Vec2, vec2};
use grandstand_board::BoardOptions;
use grandstand_board::theme::Palette;

use super::Shown;

/// Where a card stands: parts of the way from the left to the right edge of the room, and from the upper to the lower one.
pub(super) type Spot = Vec2;

/// The corners, the preferred one first.
const CORNERS: [Spot; 4] = [vec2(0.0, 1.0), vec2(1.0, 1.0), vec2(0.0, 0.0), vec2(1.0, 0.0)];
/// Number of further spots in each direction.
const SPOTS: u8 = 13;
/// How far the neighbours of a place reach beyond it: so many of its sizes, and at least so many points.
const NEIGHBOURS: (f32, f32) = (1.6, 34.0);
/// What a spot gains where the card is already, so that it does not jump to and fro, in areas of the card.
const STAYS: f32 = 0.1;
/// What a spot over the board costs more where the place is near, in areas of the card.
const NEAR: f32 = 0.5;
/// Distance of the samples that tell where the board has places, in points.
const SAMPLE: f32 = 12.0;
/// The least width of a card beside the board, in points.
const NARROW: f32 = 140.0;

/// The place and what is around it.
fn around(place: Rect) -> Rect {
    let (sizes, least) = NEIGHBOURS;
    place.expand2(Vec2::max(place.size() * sizes, vec2(least, least)))
}

/// The area that two rectangles share.
fn shared(a: Rect, b: Rect) -> f32 {
    let both = a.intersect(b);
    if both.is_positive() { both.area() } else { 0.0 }
}

/// Where a board has places, as samples of its area.
#[derive(Debug, Default)]
struct Cells {
    origin: Pos2,
    columns: usize,
    /// Number of samples with a place above and left of each one.
    sums: Vec<u32>,
    /// Bounds of the places.
    bounds: Option<Rect>,
}

impl Cells {
    fn of(area: Rect, is_place: impl Fn(Pos2) -> bool) -> Cells {
        let count = |length: f32| (length.max(0.0) / SAMPLE).ceil() as usize;
        let (columns, rows) = (count(area.width()), count(area.height()));
        let mut cells =
            Cells { origin: area.min, columns, sums: vec![0; (columns + 1) * (rows + 1)], bounds: None };
        for row in 0..rows {
            for column in 0..columns {
                let at = area.min + vec2(column as f32 + 0.5, row as f32 + 0.5) * SAMPLE;
                let has = area.contains(at) && is_place(at);
                if has {
                    let sample = Rect::from_center_size(at, Vec2::splat(SAMPLE));
                    cells.bounds = Some(cells.bounds.map_or(sample, |bounds| bounds.union(sample)));
                }
                let (above, own) = (row * (columns + 1) + column, (row + 1) * (columns + 1) + column);
                cells.sums[own + 1] =
                    cells.sums[own] + cells.sums[above + 1] - cells.sums[above] + u32::from(has);
            }
        }
        cells
    }

    /// Area of the places that a card hides.
    fn hidden(&self, card: Rect) -> f32 {
        let sum = |at: Pos2| self.sum((at - self.origin) / SAMPLE);
        let count = sum(card.max) + sum(card.min) - sum(card.right_top()) - sum(card.left_bottom());
        count.max(0.0) * SAMPLE * SAMPLE
    }

    /// Number of samples with a place above and left of a point, which is given in samples.
    fn sum(&self, at: Vec2) -> f32 {
        let stride = self.columns + 1;
        let rows = (self.sums.len() / stride).saturating_sub(1);
        let x = at.x.clamp(0.0, self.columns as f32);
        let y = at.y.clamp(0.0, rows as f32);
        let (column, row) = (x as usize, y as usize);
        let known = |row: usize, column: usize| {
            let index = row.min(rows) * stride + column.min(self.columns);
            self.sums.get(index).map_or(0.0, |sum| *sum as f32)
        };
        let line =
            |row: usize| known(row, column) + (known(row, column + 1) - known(row, column)) * x.fract();
        line(row) + (line(row + 1) - line(row)) * y.fract()
    }
}

/// The room for cards, and what they should not hide.
#[derive(Debug)]
pub(super) struct Room {
    /// What it was made for.
    by: (Rect, Rect, BoardOptions),
    pub area: Rect,
    board: Rect,
    cells: Cells,
    /// Names, labels and signs.
    pub texts: Vec<Rect>,
}

impl Room {
    /// The room on a board; `kept` is used again for the same one.
    pub(super) fn of(kept: Option<Room>, shown: &Shown<'_>) -> Room {
        let by = (shown.area, shown.rect, shown.options);
        if let Some(kept) = kept.filter(|kept| kept.by == by) {
            return kept;
        }
        let view = grandstand_board::view(shown.picture.scene);
        let head = shown.rect.top() + view.head(shown.rect);
        let area = shown.area.with_min_y(head.max(shown.area.top())).shrink(2.0);
        let board = view.drawn(shown.rect, shown.options).intersect(shown.area);
        let cells = Cells::of(area, |at| board.contains(at) && shown.place_at(at).is_some());
        let along_edges = || edges(board, cells.bounds.filter(|_| shown.options.coordinates));
        let texts = shown.board.texts(shown.rect, shown.picture, shown.options).unwrap_or_else(along_edges);
        Room { by, area, board, cells, texts }
    }

    /// The width of a card that would like to have `usual`: that beside the board, if it has room there.
    pub(super) fn width(&self, usual: f32) -> f32 {
        let beside = (self.board.left() - self.area.left()).max(self.area.right() - self.board.right()) - 4.0;
        if beside < NARROW { usual } else { usual.min(beside) }
    }

    /// A card of this size at a spot.
    pub(super) fn card(&self, spot: Spot, size: Vec2) -> Rect {
        Rect::from_min_size(self.area.min + (self.area.size() - size).max(Vec2::ZERO) * spot, size)
    }

    /// The spot for a card: it hides as little of the board as can be, and nothing that is kept.
    pub(super) fn spot(&self, wanted: &Wanted<'_>) -> Spot {
        let steps = || (0..SPOTS).map(|n| f32::from(n) / f32::from(SPOTS - 1));
        let others = steps().flat_map(|y| steps().map(move |x| vec2(x, y)));
        let cost = |spot: &Spot| self.cost(*spot, wanted);
        let spots = CORNERS.into_iter().chain(others).map(|spot| (cost(&spot), spot));
        spots.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(CORNERS[0], |(_, spot)| spot)
    }

    fn cost(&self, spot: Spot, wanted: &Wanted<'_>) -> f32 {
        let card = self.card(spot, wanted.size);
        let all = |rects: &[Rect]| rects.iter().map(|rect| shared(card, *rect)).sum::<f32>();
        let far = (card.center() - wanted.place.center()).length() / self.area.size().length().max(1.0);
        let whole = wanted.size.x * wanted.size.y;
        let (nearness, leader) = if wanted.is_pinned { (0.0, far) } else { (NEAR * (1.0 - far), 0.0) };
        let gain = if wanted.last == Some(spot) { STAYS * whole } else { 0.0 };
        // Nothing outweighs what is around the place, then come other cards, and then the neighbours.
        1e6 * (shared(card, around(wanted.place)) + all(wanted.kept))
            + 1e5 * all(wanted.taken)
            + 1e3 * all(wanted.neighbours)
            + 20.0 * all(&self.texts)
            + 2.0 * self.cells.hidden(card)
            + shared(card, self.board) * (1.0 + nearness)
            + leader * whole * 0.5
            - gain
    }

    /// Whether a card hides a place, a name, or what is kept.
    pub(super) fn hides(&self, card: Rect, wanted: &Wanted<'_>) -> bool {
        let any = |rects: &[Rect]| rects.iter().any(|rect| shared(card, *rect) > 1.0);
        self.cells.hidden(card) > 2.0 * SAMPLE * SAMPLE
            || any(&self.texts)
            || any(wanted.kept)
            || any(wanted.taken)
            || any(wanted.neighbours)
            || any(&[wanted.place])
    }
}

/// The strips between the edge of a board and its places, where its names are.
fn edges(board: Rect, places: Option<Rect>) -> Vec<Rect> {
    let Some(places) = places else { return Vec::new() };
    vec![
        board.with_max_x(places.left()),
        board.with_min_x(places.right()),
        board.with_max_y(places.top()),
        board.with_min_y(places.bottom()),
    ]
}

/// A card that needs a spot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub size: Vec2,
    /// Its place on the screen.
    pub place: Rect,
    pub neighbours: &'a [Rect],
    /// Other places that are pinned.
    pub kept: &'a [Rect],
    /// Other cards, and buttons.
    pub taken: &'a [Rect],
    /// Where it was before.
    pub last: Option<Spot>,
    /// Whether a line leads from it to its place, which is short where the place is near; other cards stand far from it.
    pub is_pinned: bool,
}

/// Shows the card of a place that is pointed at; returns its spot and how large it is.
pub(super) fn show(
    ui: &Ui,
    room: &Room,
    wanted: &Wanted<'_>,
    contents: impl FnOnce(&mut Ui),
) -> (Option<Spot>, Vec2) {
    let palette = Palette::of(ui.ctx());
    let spot = room.spot(wanted);
    let card = Area::new(Id::unique("card of the place"))
        .order(Order::Tooltip)
        .fixed_pos(room.card(spot, wanted.size).min)
        .constrain(false)
        .interactable(false);
    let frame = Frame::new()
        .fill(palette.panel.gamma_multiply(0.96))
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(8.0)
        .inner_margin(Margin::symmetric(9, 6));
    let response = card.show(ui.ctx(), |ui| frame.show(ui, contents)).response;
    (Some(spot), response.rect.size())
}

/// Paints the line from a card to its place, unless they are close together.
pub(super) fn leader(ui: &Ui, card: Rect, place: Rect) {
    let middle = card.clamp(place.center());
    let way = place.center() - middle;
    let far = way.length() - place.width() / 2.0;
    if far < 16.0 {
        return;
    }
    let palette = Palette::of(ui.ctx());
    let end = middle + way.normalized() * (far - 2.0);
    for pen in [Stroke::new(3.5, palette.ground.gamma_multiply(0.6)), Stroke::new(1.5, palette.accent)] {
        ui.painter().line_segment([middle, end], pen);
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Align2, pos2};

    use super::*;

    fn room(area: Rect, board: Rect) -> Room {
        let by = (area, board, BoardOptions::default());
        Room { by, area, board, cells: Cells::of(area, |at| board.contains(at)), texts: Vec::new() }
    }

    /// The card of a place that is pointed at.
    fn card(room: &Room, (place, neighbours): (Rect, &[Rect]), size: Vec2, last: Option<Rect>) -> Rect {
        let last = last.and_then(|last| {
            let at = |spot: &Spot| (room.card(*spot, size).min - last.min).length() < 1.0;
            CORNERS.into_iter().find(at)
        });
        let wanted = Wanted { size, place, neighbours, kept: &[], taken: &[], last, is_pinned: false };
        room.card(room.spot(&wanted), size)
    }

    #[test]
    fn the_card_hides_no_neighbour_wherever_the_pointer_is() {
        let size = vec2(230.0, 84.0);
        for (width, height) in [(740.0, 560.0), (1100.0, 800.0), (370.0, 560.0)] {
            let area = Rect::from_min_size(pos2(10.0, 90.0), vec2(width, height));
            let side = width.min(height);
            let board = Rect::from_center_size(area.center(), Vec2::splat(side));
            let cell = side / 15.0;
            let room = room(area, board);
            let mut last = None;
            for n in 0..225 {
                let at = board.min + vec2((n % 15) as f32 + 0.5, (n / 15) as f32 + 0.5) * cell;
                let place = Rect::from_center_size(at, Vec2::splat(cell));
                let card = card(&room, (place, &[]), size, last);
                let near = place.expand(cell);
                assert!(!card.intersects(near), "{width}×{height}, {at}: {card} over {near}");
                last = Some(card);
            }
        }
    }

    #[test]
    fn it_stands_beside_the_board_where_there_is_room_and_stays_there() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(1200.0, 600.0));
        let board = Rect::from_center_size(area.center(), vec2(600.0, 600.0));
        let place = |x: f32| Rect::from_center_size(pos2(x, 560.0), Vec2::splat(40.0));
        let size = vec2(230.0, 84.0);
        let corner = |align: Align2| align.align_size_within_rect(size, area);
        let room = room(area, board);
        let dock = |x, last: Option<Align2>| card(&room, (place(x), &[]), size, last.map(corner));
        assert_eq!(dock(600.0, None), corner(Align2::LEFT_BOTTOM));
        assert_eq!(dock(400.0, Some(Align2::LEFT_BOTTOM)), corner(Align2::LEFT_BOTTOM));
        assert_eq!(dock(600.0, Some(Align2::RIGHT_TOP)), corner(Align2::RIGHT_TOP));
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
            let corner = |align: Align2| align.align_size_within_rect(size, area);
            for last in [None, Some(nearest), Some(farthest)] {
                let card = card(&room(area, area), (place, &[]), size, last.map(corner));
                assert_eq!(card, corner(farthest), "{x}, {y}");
            }
        }
    }

    #[test]
    fn it_hides_no_neighbour_that_is_far_away() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let square = |x, y| Rect::from_center_size(pos2(x, y), Vec2::splat(30.0));
        let (alaska, kamchatka) = (square(60.0, 100.0), square(740.0, 420.0));
        let room = room(area, area);
        let dock = |neighbours: &[Rect]| card(&room, (alaska, neighbours), vec2(230.0, 84.0), None);
        assert!(dock(&[]).intersects(kamchatka));
        assert!(!dock(&[kamchatka]).intersects(kamchatka));
    }

    #[test]
    fn the_card_keeps_off_buttons_and_is_as_wide_as_the_room_beside_the_board() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let board = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 600.0));
        let room = room(area, board);
        assert!((room.width(240.0) - 196.0).abs() < 0.1);
        let buttons = Rect::from_min_max(pos2(770.0, 480.0), pos2(798.0, 598.0));
        let place = Rect::from_center_size(pos2(200.0, 200.0), Vec2::splat(30.0));
        let wanted = Wanted {
            size: vec2(196.0, 70.0),
            place,
            neighbours: &[],
            kept: &[],
            taken: &[buttons],
            last: None,
            is_pinned: false,
        };
        let card = room.card(room.spot(&wanted), wanted.size);
        assert!(!card.intersects(buttons) && !card.intersects(board), "{card}");
        assert!(!room.hides(card, &wanted));
    }

    #[test]
    fn cards_of_pins_hide_no_name_and_each_other_neither() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let mut room = room(area, area);
        // Names everywhere but in two corners.
        room.texts = vec![Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 330.0))];
        let place = Rect::from_center_size(pos2(100.0, 100.0), Vec2::splat(30.0));
        let mut taken: Vec<Rect> = Vec::new();
        for _ in 0..2 {
            let wanted = Wanted {
                size: vec2(236.0, 150.0),
                place,
                neighbours: &[],
                kept: &[],
                taken: &taken,
                last: None,
                is_pinned: true,
            };
            let card = room.card(room.spot(&wanted), wanted.size);
            assert!(!card.intersects(room.texts[0]), "{card}");
            assert!(taken.iter().all(|other| !card.intersects(*other)), "{card}");
            taken.push(card);
        }
        assert!(taken[0].left() < 10.0, "near its place");
    }
}
