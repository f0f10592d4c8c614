//! Zoom and pan of a board: two fingers or the wheel zoom, a finger or the mouse pans.

use egui::{Id, Rect, Response, Sense, Ui, Vec2, vec2};

/// Distance from the middle that counts as being there, in points: a board begins at a whole pixel, so that what is brought there
/// moves by a pixel in both directions with the shift.
const THERE: f32 = 1.5;

/// Zoom (1 shows the whole board) and shift from the middle, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardZoom {
    scale: f32,
    shift: Vec2,
    /// Size of the board's area in the last frame, in points.
    area: Vec2,
}

impl Default for BoardZoom {
    fn default() -> BoardZoom {
        BoardZoom { scale: 1.0, shift: Vec2::ZERO, area: Vec2::ZERO }
    }
}

/// Visible part of a board: the distance of its middle from the board's middle, and its size, both in widths and
/// heights of the board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VisiblePart {
    middle: Vec2,
    size: Vec2,
}

impl VisiblePart {
    /// Rectangle for the board such that `area` shows the whole part, as large as possible. `shape` is the board's
    /// width divided by its height.
    pub fn place(self, area: Rect, shape: f32) -> Rect {
        let board = fitted(area.size(), shape);
        let scale = (area.size() / (self.size * board)).min_elem().max(1.0);
        let mut view = BoardZoom { scale, shift: -self.middle * board * scale, area: area.size() };
        view.keep_within(area.size());
        Rect::from_center_size(area.center() + view.shift, area.size() * scale)
    }
}

/// Size of the largest board of a shape that fits into an area.
fn fitted(area: Vec2, shape: f32) -> Vec2 {
    let height = area.y.min(area.x / shape);
    vec2(height * shape, height)
}

impl BoardZoom {
    /// Handles fingers and mouse in `area`; returns the rectangle for the board, enlarged at most `closest` times, and
    /// the response of the area. Parts outside of `area` are not visible.
    /// A double click resets the zoom. With `moves`, dragging pans the board.
    pub fn place(&mut self, ui: &Ui, area: Rect, closest: f32, moves: bool) -> (Rect, Response) {
        let response = ui.interact(area, BoardZoom::id(), Sense::click_and_drag());
        // Read before the input is locked below, since it locks the input itself.
        let dragged = response.drag_delta();
        let (zoom, at, moved) = ui.input(|input| match input.multi_touch() {
            Some(touch) => (touch.zoom_delta, Some(touch.center_pos), touch.translation_delta),
            None => {
                (input.zoom_delta(), input.pointer.latest_pos(), if moves { dragged } else { Vec2::ZERO })
            }
        });
        if response.double_clicked() {
            *self = BoardZoom::default();
        }
        if let Some(at) = at.filter(|at| area.contains(*at)) {
            self.zoom(zoom, at - area.center(), closest);
            self.shift += moved;
        }
        self.keep_within(area.size());
        self.area = area.size();
        (self.rect(area), response)
    }

    /// Where the board is drawn that is shown in `area`.
    pub fn rect(&self, area: Rect) -> Rect {
        Rect::from_center_size(area.center() + self.shift, area.size() * self.scale)
    }

    /// Brings a point into the middle, which is so far from the middle of the board, in widths and heights of it: `part` of the way there at
    /// once. It stays at an edge of the board that nothing lies beyond. Returns whether it is there.
    pub fn bring_to_middle(&mut self, from_middle: Vec2, part: f32) -> bool {
        let whole = self.area * self.scale;
        let mut end = BoardZoom { shift: -from_middle * whole, ..*self };
        end.keep_within(self.area);
        let is_there = |shift: Vec2| (end.shift - shift).length() < THERE;
        if !is_there(self.shift) {
            self.shift += (end.shift - self.shift) * part.clamp(0.0, 1.0);
        }
        is_there(self.shift)
    }

    /// Brings a part of the board into view, as large as it fits: `part` of the way there at once. Middle and size of it are in widths
    /// and heights of the board, the middle from that of the board. Returns whether it is there.
    pub fn frame(&mut self, (from_middle, size): (Vec2, Vec2), closest: f32, part: f32) -> bool {
        let scale = (1.0 / size.max_elem().max(f32::EPSILON)).clamp(1.0, closest.max(1.0));
        let mut end = BoardZoom { scale, shift: -from_middle * self.area * scale, ..*self };
        end.keep_within(self.area);
        let middle = |view: &BoardZoom| -view.shift / (view.area * view.scale).max(Vec2::splat(1.0));
        let is_there = |view: &BoardZoom| {
            (end.scale / view.scale - 1.0).abs() < 0.01 && (end.shift - view.shift).length() < THERE
        };
        if !is_there(self) {
            let part = part.clamp(0.0, 1.0);
            let next = middle(self) + (middle(&end) - middle(self)) * part;
            self.scale *= (end.scale / self.scale).powf(part);
            self.shift = -next * self.area * self.scale;
            self.keep_within(self.area);
        }
        is_there(self)
    }

    /// Enlarges the board to a scale, unless it is that large already.
    pub fn at_least(&mut self, scale: f32, closest: f32) {
        if self.scale < scale {
            self.zoom_by(scale / self.scale, closest);
        }
    }

    /// Enlarges the board by a factor around the middle of the visible part, at most `closest` times.
    pub fn zoom_by(&mut self, factor: f32, closest: f32) {
        self.zoom_at(factor, Vec2::ZERO, closest);
    }

    /// The same around a point, which is so far from the middle of the visible part.
    pub fn zoom_at(&mut self, factor: f32, from_middle: Vec2, closest: f32) {
        self.zoom(factor, from_middle, closest);
        self.keep_within(self.area);
    }

    /// Id of the widget that has the focus while arrow keys move the cursor.
    pub fn id() -> Id {
        Id::unique("board view")
    }

    /// Whether the whole board is visible.
    pub fn is_whole(&self) -> bool {
        self.scale <= 1.0
    }

    /// The visible part; `None` if that is the whole board.
    pub fn part(&self, shape: f32) -> Option<VisiblePart> {
        let board = fitted(self.area, shape) * self.scale;
        let known = !self.is_whole() && board.min_elem() > 0.0;
        known.then(|| VisiblePart { middle: -self.shift / board, size: self.area / board })
    }

    /// Zooms so that the point `from_middle` of the area stays in place.
    fn zoom(&mut self, factor: f32, from_middle: Vec2, closest: f32) {
        let scale = (self.scale * factor).clamp(1.0, closest.max(1.0));
        self.shift = from_middle + (self.shift - from_middle) * (scale / self.scale);
        self.scale = scale;
    }

    /// Keeps the board's edges outside of the area.
    fn keep_within(&mut self, area: Vec2) {
        // Without room for the board, what stands around it makes the area's size negative.
        let most = area.max(Vec2::ZERO) * (self.scale - 1.0) / 2.0;
        self.shift = self.shift.clamp(-most, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn what_is_between_the_fingers_stays_between_them() {
        let mut view = BoardZoom::default();
        let fingers = vec2(40.0, -10.0);
        view.zoom(2.0, fingers, 6.0);
        // A point of the board below the fingers: at `fingers` before, at twice that plus the shift now.
        assert_eq!(fingers * 2.0 + view.shift, fingers);
        view.zoom(0.5, fingers, 6.0);
        assert_eq!(view, BoardZoom::default());
    }

    #[test]
    fn what_is_followed_comes_to_the_middle_and_the_board_keeps_its_edges() {
        let mut view = BoardZoom { scale: 4.0, area: vec2(400.0, 300.0), ..BoardZoom::default() };
        assert!(!view.bring_to_middle(vec2(0.1, -0.1), 0.5));
        assert_eq!(view.shift, vec2(-80.0, 60.0));
        assert!(view.bring_to_middle(vec2(0.1, -0.1), 1.0));
        assert_eq!(view.shift, vec2(-160.0, 120.0));
        assert!(view.bring_to_middle(vec2(0.5, 0.5), 1.0), "as far as there is board");
        assert_eq!(view.shift, vec2(-600.0, -450.0));
    }

    #[test]
    fn a_part_of_the_board_is_framed_step_by_step_as_large_as_it_fits() {
        let mut view = BoardZoom { area: vec2(400.0, 300.0), ..BoardZoom::default() };
        let part = (vec2(0.2, -0.1), vec2(0.25, 0.1));
        assert!(!view.frame(part, 6.0, 0.5));
        assert!((view.scale - 2.0).abs() < 1e-3, "half of the way from 1 to 4: {view:?}");
        assert!(view.frame(part, 6.0, 1.0));
        assert!((view.scale - 4.0).abs() < 1e-3 && (view.shift - vec2(-320.0, 120.0)).length() < 0.1);
        assert!(view.frame((vec2(0.0, 0.0), vec2(0.01, 0.01)), 6.0, 1.0), "no closer than the closest");
        assert_eq!(view.scale, 6.0);
        assert!(view.frame((vec2(0.5, 0.5), vec2(3.0, 3.0)), 6.0, 1.0), "never less than the whole");
        assert!(view.is_whole());
    }

    #[test]
    fn a_button_enlarges_what_is_in_the_middle() {
        let mut view = BoardZoom { area: vec2(400.0, 300.0), ..BoardZoom::default() };
        view.zoom_by(2.0, 6.0);
        assert_eq!((view.scale, view.shift), (2.0, Vec2::ZERO));
        view.shift = vec2(100.0, 0.0);
        view.zoom_by(1.5, 6.0);
        assert_eq!((view.scale, view.shift), (3.0, vec2(150.0, 0.0)));
        view.zoom_by(0.1, 6.0);
        assert!(view.is_whole() && view.shift == Vec2::ZERO);
    }

    #[test]
    fn the_board_is_never_lost_nor_too_small() {
        let mut view = BoardZoom::default();
        view.zoom(0.1, vec2(3.0, 3.0), 6.0);
        view.shift += vec2(500.0, 500.0);
        view.keep_within(vec2(100.0, 80.0));
        assert_eq!(view, BoardZoom::default());
        assert!(view.is_whole());
        view.zoom(100.0, Vec2::ZERO, 6.0);
        view.shift += vec2(1e6, -1e6);
        view.keep_within(vec2(100.0, 80.0));
        assert_eq!((view.scale, view.shift), (6.0, vec2(250.0, -200.0)));
        // What stands around the board has left less than nothing for it.
        view.keep_within(vec2(100.0, -8.0));
        assert_eq!(view.shift, vec2(250.0, 0.0));
    }

    #[test]
    fn the_part_that_is_seen_is_seen_in_a_place_of_any_shape() {
        let window = vec2(800.0, 400.0);
        for shape in [0.5, 1.0, 2.0] {
            let view = BoardZoom { scale: 3.0, shift: vec2(-120.0, 90.0), area: window };
            let part = view.part(shape).expect("a part");
            assert_eq!(BoardZoom { scale: 1.0, ..view }.part(shape), None);
            // The same area shows the same.
            let area = Rect::from_min_size(egui::pos2(7.0, 9.0), window);
            let same = part.place(area, shape);
            assert!(
                (same.width() - 2400.0).abs() < 0.1
                    && (same.center() - area.center() - view.shift).length() < 0.1
            );
            for size in [vec2(300.0, 300.0), vec2(640.0, 100.0), vec2(90.0, 800.0)] {
                let area = Rect::from_min_size(egui::pos2(0.0, 0.0), size);
                let rect = part.place(area, shape);
                assert!(
                    rect.expand(0.1).contains_rect(area),
                    "nothing beside the board is shown: {rect} {area}"
                );
                // Corners of the part that the window showed, on this board.
                let board = fitted(rect.size(), shape);
                for corner in [vec2(-0.5, -0.5), vec2(0.5, 0.5)] {
                    let at = rect.center() + (part.middle + part.size * corner) * board;
                    let seen = area.expand(0.1).contains(at);
                    // Beyond the board's edge there is nothing to see.
                    let beyond = !Rect::from_center_size(rect.center(), board).expand(-0.1).contains(at);
                    assert!(seen || beyond, "{shape} {size}: {at}");
                }
            }
        }
    }
}
