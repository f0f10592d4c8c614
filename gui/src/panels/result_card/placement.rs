//! Placement of the result card over a board: its form, the edge where it hides the least, and the place of the unfolded card.

use std::rc::Rc;

use eframe::egui::{Align2, Rect, Vec2, vec2};

use crate::layout::ScreenLayout;

/// Largest width of the card over a board, in points.
pub(super) const WIDEST: f32 = 640.0;
/// Height of the whole card until it is known, in points.
pub(super) const HIGH: f32 = 150.0;
/// Where the card may lie over a board, the preferred place first.
const EDGES: [Align2; 8] = [
    Align2::CENTER_BOTTOM,
    Align2::LEFT_BOTTOM,
    Align2::RIGHT_BOTTOM,
    Align2::CENTER_TOP,
    Align2::LEFT_TOP,
    Align2::RIGHT_TOP,
    Align2::LEFT_CENTER,
    Align2::RIGHT_CENTER,
];
/// Forms of the card over a board, the preferred one first.
pub(super) const FORMS: [Form; 6] = [
    Form::Whole,
    Form::Row,
    Form::Strip { is_column: false, has_words: true },
    Form::Strip { is_column: true, has_words: true },
    Form::Strip { is_column: false, has_words: false },
    Form::Strip { is_column: true, has_words: false },
];
/// Distance of the places that are tried for an unfolded card, in points.
const STRIDE: f32 = 16.0;
/// Number of buttons of a strip until its size is known.
const BUTTONS: f32 = 6.0;
/// The least size of a button with a word, until the size of a strip is known, in points.
const WORDED: Vec2 = vec2(48.0, 8.0);

/// Form of the card over a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    Row,
    Strip { is_column: bool, has_words: bool },
}

/// What is around the card where the panel is closed.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// The room for the board and the card.
    pub area: Rect,
    /// The board with its names.
    pub board: Rect,
    /// Pieces and other things on the board, names, and marks of pins.
    pub things: Vec<Rect>,
    /// The land on a board whose rest is free.
    pub land: Rc<[Rect]>,
    /// Buttons of the board, and what stands beside it.
    pub taken: Vec<Rect>,
    /// Where the buttons of the timeline begin.
    pub controls: f32,
    /// Whether the match ended in the board's lower half.
    pub ends_below: bool,
}

impl Surroundings {
    /// The room for the card: the rims of the area are free.
    pub(super) fn inside(&self) -> Rect {
        self.area.expand2(vec2(4.0, 3.0))
    }

    /// The place of an unfolded card of this size over what is free on a board with land, as near to the middle of its lower edge as it
    /// goes.
    pub(super) fn over_free(&self, size: Vec2) -> Option<Rect> {
        let room = self.area.size() - size;
        if self.land.is_empty() || room.min_elem() < 0.0 {
            return None;
        }
        let steps = |length: f32| (length / STRIDE).floor() as u16;
        let places = (0..=steps(room.y)).flat_map(|row| {
            (0..=steps(room.x)).map(move |column| vec2(f32::from(column), f32::from(row)) * STRIDE)
        });
        // They are counted from the lower edge.
        let from = self.area.left_bottom() - vec2(0.0, size.y);
        let mut places: Vec<Rect> =
            places.map(|at| Rect::from_min_size(from + vec2(at.x, -at.y), size)).collect();
        let far = |place: &Rect| place.center_bottom().distance_sq(self.area.center_bottom());
        places.sort_by(|a, b| far(a).total_cmp(&far(b)));
        let is_free = |place: &Rect| {
            let place = place.expand(2.0);
            let mut all = self.land.iter().chain(&self.things).chain(&self.taken);
            !all.any(|other| other.intersects(place))
        };
        places.into_iter().find(is_free)
    }

    /// The place of an unfolded card of this size where none is free: below all that stands on the board, and over the
    /// timeline's track as far as it needs its room. Its texts scroll in what it gets.
    pub(super) fn below(&self, size: Vec2, window: Rect) -> Rect {
        let end = self.area.bottom();
        let places = [Align2::CENTER_BOTTOM, Align2::LEFT_BOTTOM, Align2::RIGHT_BOTTOM];
        let places = places.map(|edge| {
            let column = edge.align_size_within_rect(size, self.area).x_range();
            let stands = |other: &&Rect| other.left() < column.max && column.min < other.right();
            let all = self.things.iter().chain(&self.taken).chain(&*self.land);
            let lowest = all.filter(stands).map(Rect::bottom);
            let top = lowest.fold(self.area.top(), f32::max).min(end - 4.0) + 4.0;
            let bottom = (top + size.y).max(end).min((window.bottom() - 2.0).max(end));
            Rect::from_x_y_ranges(column, top.max(bottom - size.y)..=bottom)
        });
        // Where it is whole, and covers least of the track.
        let cost = |place: &Rect| (size.y - place.height()).max(0.0) * 1e3 + place.bottom();
        places.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(places[0])
    }

    /// What a card here hides: buttons count most, then things, then land, then the board.
    fn cost(&self, card: Rect) -> f32 {
        let shared = |other: &Rect| {
            let both = card.intersect(*other);
            if both.is_positive() { both.area() } else { 0.0 }
        };
        let all = |others: &[Rect]| others.iter().map(shared).sum::<f32>();
        let half = self.board.with_min_y(self.board.center().y);
        let end = if self.ends_below { 100.0 * shared(&half) } else { 0.0 };
        let hidden = 20.0 * all(&self.things) + 4.0 * all(&self.land) + shared(&self.board);
        1e3 * all(&self.taken) + hidden + end
    }
}

/// The form of the card over a board, and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    /// Index of its form.
    pub form: usize,
    /// The corner or edge of `inside` where it lies.
    pub edge: Align2,
    pub inside: Rect,
    /// Whether the whole card hides nothing there.
    pub is_free: bool,
}

impl Placement {
    /// All of the card where it hides nothing, else the row or the strip that hides the least of what is around it, each at its
    /// best place.
    /// `sizes` are those that it was shown with in each form.
    pub(super) fn of(
        around: &Surroundings,
        layout: ScreenLayout,
        sizes: &[Option<Vec2>; FORMS.len()],
    ) -> Placement {
        let inside = around.inside();
        let width = around.area.width().min(WIDEST);
        // What stands beside the board may leave the room over the board.
        let places = [inside, inside.with_min_x(around.board.left().max(inside.left()))];
        let side = layout.control(30.0);
        let room = |index: usize| {
            let usual = match FORMS[index] {
                Form::Whole => vec2(width, HIGH),
                Form::Row => vec2(width, side + 7.0),
                Form::Strip { is_column, has_words } => {
                    let button = match has_words {
                        true => vec2(side.max(WORDED.x), side + WORDED.y),
                        false => Vec2::splat(side),
                    };
                    let count = if is_column { vec2(1.0, BUTTONS) } else { vec2(BUTTONS, 1.0) };
                    (button + Vec2::splat(4.0)) * count + Vec2::splat(3.0)
                }
            };
            let size = sizes[index].unwrap_or(usual);
            let edges = places.into_iter().flat_map(|place| EDGES.map(|edge| (edge, place)));
            let cost = |edge: Align2, place: Rect| around.cost(edge.align_size_within_rect(size, place));
            let costs = edges.map(|(edge, place)| (edge, place, cost(edge, place)));
            costs.min_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((EDGES[0], inside, 0.0))
        };
        let rooms: [_; FORMS.len()] = std::array::from_fn(room);
        let is_free = !layout.low && rooms[0].2 < 1.0;
        let form = match () {
            () if is_free => 0,
            () => (1..FORMS.len()).min_by(|a, b| rooms[*a].2.total_cmp(&rooms[*b].2)).unwrap_or(1),
        };
        let (edge, inside, _) = rooms[form];
        Placement { form, edge, inside, is_free }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    fn around(land: &[Rect]) -> Surroundings {
        let board = Rect::from_min_size(pos2(10.0, 100.0), vec2(1400.0, 600.0));
        Surroundings {
            area: board,
            board,
            things: Vec::new(),
            land: land.into(),
            taken: Vec::new(),
            controls: 860.0,
            ends_below: false,
        }
    }

    #[test]
    fn an_unfolded_card_lies_over_the_sea_where_that_is_free() {
        let size = vec2(600.0, 120.0);
        // The lower half of the map but for its left part.
        let land = Rect::from_min_max(pos2(650.0, 300.0), pos2(1410.0, 690.0));
        let there = around(&[land]).over_free(size).expect("a place");
        assert!(!there.intersects(land) && there.max.y > 680.0, "{there}");
        // Without room over the sea it is below all land.
        let all = around(&[Rect::from_min_max(pos2(10.0, 150.0), pos2(1410.0, 690.0))]);
        assert_eq!(all.over_free(size), None);
        let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(1440.0, 860.0));
        assert!(all.below(size, window).top() >= 690.0);
        // Where all of the board counts there is no sea.
        assert_eq!(around(&[]).over_free(size), None);
    }
}
