//! Boards of square tiles: positions, painting helpers, movement of tokens, trails.
//!
//! A tile is a column and a row, both counted from the upper left corner. Positions "in tiles" are in these units, so
//! the centre of the first tile is (0.5, 0.5).

mod fade;
mod motion;
mod trails;

use std::f32::consts::TAU;

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Vec2, pos2, vec2};

use crate::BoardOptions;
use crate::angle::angled;
use crate::theme::{Palette, semibold};

pub(crate) use fade::paint_fade;
pub(crate) use motion::{Fade, Movers, Pose, Token};
pub(crate) use trails::Trails;

/// Screen positions of a board's tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiles {
    /// Upper left corner of the first tile.
    pub origin: Pos2,
    /// Side of a tile, in points.
    pub side: f32,
    columns: u8,
    rows: u8,
    /// Pixels in a point.
    pixels: f32,
    /// Whether the board is turned clockwise by a quarter: the first column is above, the first row at the right.
    upright: bool,
}

/// Side of a tile from which it begins and ends at whole pixels, in pixels.
const LARGE: f32 = 5.0;
/// Width of the strip for the coordinates, in points.
const NAMES: f32 = 22.0;

impl Tiles {
    /// The largest board of `columns` by `rows` that fits into `rect`, with room for coordinates if they are shown.
    /// Tiles begin and end at whole pixels where that is no more than a small part of them; `pixels` is the number of pixels in a point.
    pub(crate) fn fit(rect: Rect, columns: u8, rows: u8, options: BoardOptions, pixels: f32) -> Tiles {
        let BoardOptions { coordinates, upright, .. } = options;
        let names = if coordinates { NAMES } else { 0.0 };
        // A small tile of a wall has a small margin.
        let edge = Vec2::splat((rect.size().min_elem() * 0.05).clamp(1.0, 8.0));
        let inside = Rect::from_min_max(rect.min + edge + Vec2::splat(names), rect.max - edge);
        let (across, down) = if upright { (rows, columns) } else { (columns, rows) };
        let count = vec2(f32::from(across), f32::from(down));
        let side = (inside.width() / count.x).min(inside.height() / count.y).max(0.1);
        let whole = |points: f32| (points * pixels).floor() / pixels;
        let origin = inside.center() - count * side / 2.0;
        Tiles { origin: pos2(whole(origin.x), whole(origin.y)), side, columns, rows, pixels, upright }
    }

    /// The same tiles so many times as large, in a place that is enlarged as much from its upper left corner.
    pub(crate) fn enlarged(self, corner: Pos2, zoom: f32) -> Tiles {
        let tiles = Tiles { side: self.side * zoom, ..self };
        Tiles { origin: tiles.at_pixel(corner + (self.origin - corner) * zoom), ..tiles }
    }

    /// The nearest whole pixel, unless tiles are so small that some would be much larger than others.
    fn at_pixel(&self, at: Pos2) -> Pos2 {
        let whole = |points: f32| (points * self.pixels).round() / self.pixels;
        if self.side * self.pixels > LARGE { pos2(whole(at.x), whole(at.y)) } else { at }
    }

    /// Number of tiles side by side, and of those one below the other.
    fn count(&self) -> (u8, u8) {
        if self.upright { (self.rows, self.columns) } else { (self.columns, self.rows) }
    }

    /// Rectangle of the board.
    pub(crate) fn board(&self) -> Rect {
        let (across, down) = self.count();
        let size = vec2(f32::from(across), f32::from(down)) * self.side;
        Rect::from_min_max(self.origin, self.at_pixel(self.origin + size))
    }

    /// Rectangle of a tile.
    pub(crate) fn tile(&self, column: u8, row: u8) -> Rect {
        // The upper left corner on the screen is the lower left one of the board that is turned.
        let [upper, lower] = if self.upright { [row + 1, row] } else { [row, row + 1] };
        // Neighbours compute the corner that they share alike: no pixel lies between them.
        let corner = |column: u8, row: u8| self.at_pixel(self.at(pos2(f32::from(column), f32::from(row))));
        Rect::from_min_max(corner(column, upper), corner(column + 1, lower))
    }

    /// Screen position of a point in tiles.
    pub(crate) fn at(&self, tiles: Pos2) -> Pos2 {
        let seen = match self.upright {
            true => vec2(f32::from(self.rows) - tiles.y, tiles.x),
            false => tiles.to_vec2(),
        };
        self.origin + seen * self.side
    }

    /// Direction on the screen of an angle on the board, clockwise from the right.
    pub(crate) fn way(&self, angle: f32) -> Vec2 {
        angled(angle + self.turn())
    }

    /// Angle by which the board is turned clockwise.
    pub(crate) fn turn(&self) -> f32 {
        if self.upright { TAU / 4.0 } else { 0.0 }
    }

    /// Columns and rows of a step on the board that is seen as a step to the right and down.
    pub(crate) fn step_of(&self, (right, down): (i8, i8)) -> (i8, i8) {
        if self.upright { (down, -right) } else { (right, down) }
    }

    /// The opposite of [`Tiles::step_of`].
    pub(crate) fn step_seen(&self, (columns, rows): (i8, i8)) -> (i8, i8) {
        if self.upright { (-rows, columns) } else { (columns, rows) }
    }

    /// The tile at a point of the screen.
    pub(crate) fn tile_at(&self, at: Pos2) -> Option<(u8, u8)> {
        let seen = (at - self.origin) / self.side;
        let tiles = if self.upright { vec2(seen.y, f32::from(self.rows) - seen.x) } else { seen };
        let inside = |value: f32, end: u8| (value >= 0.0 && value < f32::from(end)).then_some(value as u8);
        Some((inside(tiles.x, self.columns)?, inside(tiles.y, self.rows)?))
    }

    /// Where the names of the columns and of the rows are, if they are shown: above the board and at its left.
    pub(crate) fn named(&self, options: BoardOptions) -> Vec<Rect> {
        let board = self.board();
        let above = Rect::from_min_max(board.left_top() - vec2(0.0, NAMES), board.right_top());
        // A name of three characters reaches beyond its strip.
        let beside = Rect::from_min_max(board.left_top() - vec2(1.5 * NAMES, 0.0), board.left_bottom());
        if options.coordinates { vec![above, beside] } else { Vec::new() }
    }

    /// Names of the columns above the board and of the rows beside it, as many as fit; on an upright board the other way
    /// round. `column` and `row` give the names.
    pub(crate) fn names(
        &self,
        painter: &Painter,
        palette: &Palette,
        column: impl Fn(u8) -> i32,
        row: impl Fn(u8) -> i32,
    ) {
        // Whole sizes: letters of each size are drawn once while a board is enlarged.
        let font = FontId::new((self.side * 0.36).round().clamp(12.0, 17.0), semibold());
        let board = self.board();
        // Of an enlarged board the edges may be out of view: the names stand along those of what is seen, on the board.
        let seen = painter.clip_rect();
        let above = board.top() - 7.0 - font.size >= seen.top() - 2.0;
        let beside = board.left() - 8.0 - font.size >= seen.left() - 2.0;
        let write = |at: Pos2, align: Align2, name: i32, is_outside: bool| {
            let text = if name < 0 { format!("−{}", -name) } else { name.to_string() };
            let galley = painter.layout_no_wrap(text, font.clone(), palette.coordinate);
            let area = align.anchor_size(at, galley.size());
            // None is cut, or lies in the corner of both strips.
            let is_cut = !seen.contains_rect(area) || at.x < seen.left() + 26.0 && at.y < seen.top() + 26.0;
            if !is_outside && is_cut {
                return;
            }
            if !is_outside {
                painter.rect_filled(area.expand2(vec2(2.0, -1.0)), 3.0, palette.ground.gamma_multiply(0.7));
            }
            painter.galley(area.min, galley, palette.coordinate);
        };
        let every = |room: f32| {
            let steps = [1, 2, 5, 10];
            steps.into_iter().find(|step| *step as f32 * self.side >= room).unwrap_or(25)
        };
        let (across, down) = self.count();
        let name = |n: u8, is_column: bool| if is_column { column(n) } else { row(n) };
        let widest = if name(0, !self.upright).min(name(across - 1, !self.upright)) < 0 { 2.6 } else { 1.9 };
        let lead = if self.upright { 1.8 } else { 1.15 };
        let (wide, high) = (every(font.size * widest), every(font.size * lead));
        for n in (0..across).filter(|n| name(*n, !self.upright) % wide == 0) {
            let tile = if self.upright { self.tile(0, n) } else { self.tile(n, 0) };
            let (y, align) = match above {
                true => (board.top() - 7.0, Align2::CENTER_BOTTOM),
                false => (seen.top() + 3.0, Align2::CENTER_TOP),
            };
            write(pos2(tile.center().x, y), align, name(n, !self.upright), above);
        }
        for n in (0..down).filter(|n| name(*n, self.upright) % high == 0) {
            let tile = if self.upright { self.tile(n, 0) } else { self.tile(0, n) };
            let (x, align) = match beside {
                true => (board.left() - 8.0, Align2::RIGHT_CENTER),
                false => (seen.left() + 6.0, Align2::LEFT_CENTER),
            };
            write(pos2(x, tile.center().y), align, name(n, self.upright), beside);
        }
    }
}

/// Centre of a tile, as a point in tiles.
pub(crate) fn middle(column: u8, row: u8) -> Pos2 {
    pos2(f32::from(column) + 0.5, f32::from(row) + 0.5)
}

/// Many rectangles of plain colour as one shape. Edges are not antialiased; they lie between pixels.
#[derive(Debug, Default)]
pub(crate) struct Quads(Mesh);

impl Quads {
    /// Adds a rectangle.
    pub(crate) fn add(&mut self, rect: Rect, color: Color32) {
        self.shaded(rect, color, color);
    }

    /// Adds a rectangle with a vertical gradient.
    pub(crate) fn shaded(&mut self, rect: Rect, top: Color32, bottom: Color32) {
        let first = self.0.vertices.len() as u32;
        self.0.colored_vertex(rect.left_top(), top);
        self.0.colored_vertex(rect.right_top(), top);
        self.0.colored_vertex(rect.right_bottom(), bottom);
        self.0.colored_vertex(rect.left_bottom(), bottom);
        self.0.add_triangle(first, first + 1, first + 2);
        self.0.add_triangle(first, first + 2, first + 3);
    }

    /// Paints all rectangles.
    pub(crate) fn paint(self, painter: &Painter) {
        painter.add(Shape::mesh(self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_finds_its_tile() {
        let rect = Rect::from_min_size(pos2(5.0, 7.0), vec2(900.0, 500.0));
        for upright in [false, true] {
            let options = BoardOptions { upright, ..BoardOptions::default() };
            let tiles = Tiles::fit(rect, 51, 25, options, 1.0);
            for (column, row) in [(0, 0), (50, 24), (17, 3)] {
                let at = tiles.tile(column, row).center();
                assert_eq!(tiles.tile_at(at), Some((column, row)));
                let shift = at - tiles.at(middle(column, row));
                assert!(shift.abs().max_elem() <= 0.5, "no more than it takes to begin at a pixel: {shift}");
                assert!(rect.contains(at) && tiles.board().contains(at));
            }
            assert_eq!(tiles.tile_at(rect.min), None);
        }
    }

    #[test]
    fn neighbours_meet_at_one_pixel_however_large_the_board_is() {
        let rect = Rect::from_min_size(pos2(13.0, 91.0), vec2(1012.0, 531.0));
        for upright in [false, true] {
            let whole = Tiles::fit(rect, 51, 25, BoardOptions { upright, ..BoardOptions::default() }, 1.0);
            for step in 0..400 {
                let tiles = whole.enlarged(rect.min, 1.0 + step as f32 * 0.0125);
                for column in 0..50 {
                    let [tile, next] = [column, column + 1].map(|column| tiles.tile(column, 0));
                    let met = if upright { tile.bottom() == next.top() } else { tile.right() == next.left() };
                    assert!(met, "{tile} and {next}, {} points a tile", tiles.side);
                }
            }
        }
    }

    #[test]
    fn a_board_that_is_upright_is_turned_and_not_mirrored() {
        let rect = Rect::from_min_size(pos2(5.0, 7.0), vec2(370.0, 560.0));
        let [lying, upright] = [false, true].map(|upright| {
            Tiles::fit(rect, 51, 25, BoardOptions { upright, ..BoardOptions::default() }, 1.0)
        });
        assert!(upright.side >= 1.5 * lying.side);
        let from = (20, 10);
        for (angle, step) in [(0.0, (1, 0)), (TAU / 4.0, (0, 1)), (TAU / 2.0, (-1, 0)), (TAU * 0.75, (0, -1))]
        {
            for tiles in [lying, upright] {
                let next = (from.0 + step.0 as i32, from.1 + step.1 as i32);
                let center = |(column, row): (i32, i32)| tiles.tile(column as u8, row as u8).center();
                let seen = (center(next) - center(from)) / tiles.side;
                // What looks to a side goes there, and steps are the same both ways.
                let pixel = 1.0 / tiles.side;
                assert!((seen - tiles.way(angle)).abs().max_elem() <= pixel, "{angle}: {seen}");
                let (right, down) = tiles.step_seen(step);
                assert!((seen - vec2(f32::from(right), f32::from(down))).abs().max_elem() <= pixel);
                assert_eq!(tiles.step_of((right, down)), step);
            }
        }
        // The first column is above.
        assert!(upright.tile(0, 12).top() < upright.tile(50, 12).top());
    }

    #[test]
    fn the_board_takes_all_of_its_room_and_its_tiles_meet_at_whole_pixels() {
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(445.0, 320.0));
        for pixels in [1.0, 1.5, 2.0] {
            let tiles = Tiles::fit(rect, 51, 25, BoardOptions::default(), pixels);
            let room = rect.width() - NAMES - 16.0;
            assert!((tiles.board().width() - room).abs() <= 1.0, "{} of {room}", tiles.board().width());
            for n in 1..51 {
                let (left, right) = (tiles.tile(n - 1, 7), tiles.tile(n, 7));
                assert_eq!(left.right(), right.left());
                assert!((left.right() * pixels).fract().abs() < 1e-3, "{left}");
            }
        }
    }

    #[test]
    fn the_board_fits_into_any_rectangle() {
        for (width, height) in [(300.0, 900.0), (900.0, 300.0), (60.0, 60.0)] {
            for pixels in [1.0, 1.25, 2.0] {
                let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(width, height));
                for upright in [false, true] {
                    let options = BoardOptions { upright, ..BoardOptions::default() };
                    let tiles = Tiles::fit(rect, 32, 16, options, pixels);
                    assert!(rect.contains_rect(tiles.board()), "{rect}: {}", tiles.board());
                }
            }
        }
    }
}
