//! Screen positions of a stone board's points.

use std::ops::RangeInclusive;

use egui::{Pos2, Rect, Vec2, vec2};
use grandstand_protocol::stones::{Point, Size};

use crate::BoardOptions;

/// The board in its rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Geometry {
    /// Rectangle of the wood.
    pub board: Rect,
    /// Distance between neighbouring points, in points of the screen.
    pub step: f32,
    /// The upper left point.
    origin: Pos2,
    pub size: u16,
    /// Whether the first row is on top and the first column at the right.
    flipped: bool,
}

/// Margin beyond the outermost lines, in distances between points.
const EDGE: f32 = 0.62;
/// How wide the strip for the coordinates is, in points of the screen: for names of two and of three characters.
const NAMES: (f32, f32) = (24.0, 32.0);

impl Geometry {
    /// The largest board that fits into `rect`, with room for the names of columns below and of rows at the left where they are shown.
    pub(super) fn fit(rect: Rect, size: Size, options: BoardOptions, pixels: f32) -> Geometry {
        let BoardOptions { coordinates, flipped, .. } = options;
        let size = size.get();
        let side = rect.width().min(rect.height());
        let strip = if size < 100 { NAMES.0 } else { NAMES.1 };
        let names = if coordinates { strip.min(side * 0.06) } else { 0.0 };
        let gaps = f32::from(size - 1);
        let step = ((side - names) / (gaps + 2.0 * EDGE)).max(0.01);
        let whole = |points: f32| (points * pixels).round() / pixels;
        // Lines on whole pixels are sharp.
        let step = if step * pixels > 8.0 { (step * pixels).floor() / pixels } else { step };
        let half = step * gaps / 2.0;
        let corner = rect.center() - Vec2::splat(half) + vec2(names, -names) / 2.0;
        let origin = Pos2::new(whole(corner.x), whole(corner.y));
        let lines = Rect::from_min_size(origin, Vec2::splat(2.0 * half));
        let edge = lines.expand(step * EDGE);
        let board = Rect::from_min_max(edge.min - vec2(names, 0.0), edge.max + vec2(0.0, names));
        Geometry { board, step, origin, size, flipped }
    }

    /// Rectangle from the first to the last line.
    pub(super) fn lines(&self) -> Rect {
        Rect::from_min_size(self.origin, Vec2::splat(self.step * f32::from(self.size - 1)))
    }

    /// The column from the left and the row from the top of a point, or the point of such a column and row.
    fn cell(&self, x: u16, y: u16) -> (u16, u16) {
        let last = self.size - 1;
        if self.flipped { (last - x, y) } else { (x, last - y) }
    }

    /// Where a point is.
    pub(super) fn at(&self, point: Point) -> Pos2 {
        let (column, row) = self.cell(point.x(), point.y());
        self.origin + vec2(f32::from(column), f32::from(row)) * self.step
    }

    /// Square around the contents of a point.
    pub(super) fn area(&self, point: Point) -> Rect {
        Rect::from_center_size(self.at(point), Vec2::splat(self.step))
    }

    /// The nearest point of the board, if it is near.
    pub(super) fn point_at(&self, at: Pos2) -> Option<Point> {
        let offset = (at - self.origin) / self.step;
        let (column, row) = (offset.x.round(), offset.y.round());
        let inside = |value: f32| (0.0..f32::from(self.size)).contains(&value);
        if !inside(column) || !inside(row) {
            return None;
        }
        let (x, y) = match self.flipped {
            true => (self.size - 1 - column as u16, row as u16),
            false => (column as u16, self.size - 1 - row as u16),
        };
        Point::new(x, y)
    }

    /// Columns and rows visible in `clip`, including those whose stones reach into it.
    pub(super) fn seen(&self, clip: Rect) -> (RangeInclusive<u16>, RangeInclusive<u16>) {
        let last = f32::from(self.size - 1);
        let from = (clip.min - self.origin) / self.step;
        let to = (clip.max - self.origin) / self.step;
        let range = |from: f32, to: f32| {
            ((from - 1.0).floor().clamp(0.0, last) as u16)..=((to + 1.0).ceil().clamp(0.0, last) as u16)
        };
        match self.flipped {
            true => (range(last - to.x, last - from.x), range(from.y, to.y)),
            false => (range(from.x, to.x), range(last - to.y, last - from.y)),
        }
    }

    /// Distance between named lines, in lines, at which names of width `room` don't touch.
    pub(super) fn names_every(&self, room: f32) -> u16 {
        let steps = [1, 2, 5, 10, 20, 50, 100, 200];
        steps.into_iter().find(|every| f32::from(*every) * self.step >= room).unwrap_or(500)
    }

    /// Star points: the centre and one near each corner; on boards larger than common ones every tenth line, or every
    /// hundredth where that would be crowded.
    pub(super) fn stars(&self) -> Vec<Point> {
        let (last, middle) = (self.size - 1, self.size / 2);
        let lines: Vec<u16> = match self.size {
            ..9 => vec![middle],
            9..=11 => vec![2, middle, last - 2],
            12..=25 => vec![3, middle, last - 3],
            _ => {
                let every = if self.step * 10.0 < 40.0 { 100 } else { 10 };
                (0..self.size).filter(|n| n % every == every - 1).collect()
            }
        };
        let corners_only = self.size <= 15;
        let pairs = lines.iter().flat_map(|x| lines.iter().map(move |y| (*x, *y)));
        let wanted = |&(x, y): &(u16, u16)| !corners_only || (x == middle) == (y == middle);
        pairs.filter(wanted).filter_map(|(x, y)| Point::new(x, y)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    fn geometry(size: u16, side: f32) -> Geometry {
        seen_from(size, side, false)
    }

    fn seen_from(size: u16, side: f32, flipped: bool) -> Geometry {
        let rect = Rect::from_min_size(pos2(7.0, 9.0), vec2(side, side * 1.3));
        let options = BoardOptions { flipped, ..BoardOptions::default() };
        Geometry::fit(rect, Size::new(size).expect("a size"), options, 1.0)
    }

    #[test]
    fn a_place_on_the_screen_finds_its_point_on_boards_of_any_size() {
        for (size, flipped) in
            [5, 15, 19, 255, 999].into_iter().flat_map(|size| [(size, false), (size, true)])
        {
            let geometry = seen_from(size, 700.0, flipped);
            for (x, y) in [(0, 0), (size - 1, 0), (size / 2, size - 1), (size - 1, size - 1)] {
                let point = Point::new(x, y).expect("a point");
                assert_eq!(geometry.point_at(geometry.at(point)), Some(point), "{size}");
                assert!(geometry.board.contains(geometry.at(point)));
            }
            assert_eq!(geometry.point_at(geometry.lines().min - Vec2::splat(geometry.step)), None);
        }
    }

    #[test]
    fn the_first_row_is_at_the_bottom() {
        let geometry = geometry(15, 500.0);
        let at = |name: &str| geometry.at(name.parse().expect("a point"));
        assert!(at("a1").y > at("a15").y && at("a1").x < at("o1").x);
        let (columns, rows) = geometry.seen(Rect::from_center_size(at("c2"), Vec2::splat(1.0)));
        assert!(columns.contains(&2) && rows.contains(&1) && !rows.contains(&7), "{columns:?} {rows:?}");
    }

    #[test]
    fn on_a_board_that_is_turned_around_the_first_row_is_on_top() {
        let geometry = seen_from(15, 500.0, true);
        let at = |name: &str| geometry.at(name.parse().expect("a point"));
        assert!(at("a1").y < at("a15").y && at("a1").x > at("o1").x);
        let (columns, rows) = geometry.seen(Rect::from_center_size(at("c2"), Vec2::splat(1.0)));
        assert!(columns.contains(&2) && rows.contains(&1) && !rows.contains(&7), "{columns:?} {rows:?}");
    }

    #[test]
    fn boards_have_star_points_that_lie_on_them() {
        let stars = |size: u16| geometry(size, 500.0).stars();
        assert_eq!(stars(15).len(), 5);
        assert_eq!(stars(19).len(), 9);
        for size in [5, 7, 9, 11, 13, 99, 999] {
            assert!(
                !stars(size).is_empty() && stars(size).iter().all(|point| point.x().max(point.y()) < size)
            );
        }
    }
}
