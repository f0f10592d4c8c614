//! Tiling of a window with boards: the grid in which they are largest, and what of a tile is the board's.

use eframe::egui::{Pos2, Rect, Vec2, pos2, vec2};

/// The most boards on a wall.
pub(crate) const TILES_MAX: usize = 32;
/// Between two tiles, in points.
const GAP: f32 = 8.0;
/// How wide a column beside the board is, in sizes of the text: for a clock, …
pub(super) const COLUMN: f32 = 3.6;
/// … and for a long name at most.
pub(super) const WIDEST_COLUMN: f32 = 6.0;
/// A line of text, in sizes of the text.
const LINE: f32 = 1.45;
/// In a tile so narrow, in sizes of the text, the clock has a line of its own, and in a narrower one each team.
const ONE_LINE: f32 = 24.0;
const TWO_LINES: f32 = 13.0;
/// In a line of everything so much of it is the clock's at most, …
pub(super) const CLOCK: f32 = 0.34;
/// … and between what stands side by side so much is free, in sizes of the text.
pub(super) const BETWEEN: f32 = 0.4;
/// No more of a tile than this may be lines: in one that is less high the teams are badges and scores.
const LINES: f32 = 0.4;
/// Two names side by side need so much room, and one in a line of its own, in sizes of the text; …
const TWO_NAMES: f32 = 11.0;
const ONE_NAME: f32 = 8.0;
/// … and this is what a board without names is worth.
const NAMELESS: f32 = 0.3;
/// How high capitals of the interface's fonts are, in sizes of the text.
pub(crate) const CAPITALS: f32 = 0.727;

/// A tile is at least so many capitals high.
const LINES_MIN: f32 = 8.6;

/// How large the text of a tile is, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Text {
    /// For somebody who sits before the screen: by the size of the tile.
    Near,
    /// For a projector: capitals are a fortieth of the screen's height, which is here, as long as a tile is
    /// some lines high.
    Far(f32),
}

impl Text {
    pub(crate) fn size(self, tile: Vec2) -> f32 {
        match self {
            Text::Near => (tile.min_elem() * 0.065).clamp(12.0, 24.0),
            Text::Far(screen) => (screen / 40.0).min(tile.y / LINES_MIN) / CAPITALS,
        }
    }
}

/// Where the parts of a tile are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    pub board: Rect,
    pub words: Words,
}

impl Plan {
    /// How good a tile so large is: one whose board is larger, as long as it has room for names, and those who sit far
    /// away can read it.
    fn worth(tile: Vec2, shape: f32, text: Text) -> f32 {
        let size = text.size(tile);
        let readable = match text {
            Text::Near => 1.0,
            Text::Far(screen) => size * CAPITALS * 40.0 / screen,
        };
        let plan = Plan::of(Rect::from_min_size(Pos2::ZERO, tile), shape, size, Names::short(size));
        let is_nameless = match &plan.words {
            Words::Above(lines) if lines.len() == 2 => tile.x / size < TWO_NAMES,
            Words::Above(lines) if lines.len() == 3 => tile.x / size < ONE_NAME,
            _ => false,
        };
        plan.board.area() * readable.powi(2) * if is_nameless { NAMELESS } else { 1.0 }
    }
}

/// How much room the names of the teams need, in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    /// The width of a column beside the board.
    pub column: f32,
    /// The width of a row with a badge, the longer name and the score, …
    pub row: f32,
    /// … and of those of both teams.
    pub rows: f32,
}

impl Names {
    /// The room that these and the others need.
    pub(super) fn max(self, other: Names) -> Names {
        Names {
            column: self.column.max(other.column),
            row: self.row.max(other.row),
            rows: self.rows.max(other.rows),
        }
    }

    /// Names that fit everywhere, to text of this size.
    fn short(size: f32) -> Names {
        Names { column: COLUMN * size, row: 0.0, rows: 0.0 }
    }
}

/// Where the names and the scores are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Words {
    /// In one to three lines above the board: all in one, or the clock in the last, or each team in its own too. Where
    /// two lines have no room for names, there are none.
    Above(Vec<Rect>),
    /// In columns at its left and its right.
    Beside { left: Rect, right: Rect },
}

impl Plan {
    /// The parts of a tile around a board `shape` times as wide as it is high, so that the board is as large as can be.
    pub(super) fn of(tile: Rect, shape: f32, size: f32, names: Names) -> Plan {
        let line = size * LINE;
        let (width, between) = (tile.width(), size * BETWEEN);
        let count = match width / size {
            sizes if sizes >= ONE_LINE && names.row <= width * (1.0 - CLOCK) / 2.0 - between => 1,
            sizes if sizes >= TWO_LINES && names.rows <= width - between => 2,
            _ if 3.0 * line > LINES * tile.height() => 2,
            _ => 3,
        };
        let mut below = tile;
        let lines = (0..count).map(|_| {
            let (row, rest) = below.split_top_bottom_at_y(below.top() + line);
            below = rest;
            row
        });
        let lines = lines.collect();
        let above = Plan { board: fit(below, shape), words: Words::Above(lines) };
        let column = names.column.min(tile.width() / 2.0);
        let inner = tile.shrink2(vec2(column, 0.0));
        let board = fit(inner, shape);
        let beside = Plan {
            board,
            words: Words::Beside {
                left: Rect::from_min_max(tile.min, pos2(board.left(), tile.bottom())),
                right: Rect::from_min_max(pos2(board.right(), tile.top()), tile.max),
            },
        };
        if beside.board.area() > above.board.area() { beside } else { above }
    }
}

/// The largest rectangle of the shape in the middle of another.
fn fit(area: Rect, shape: f32) -> Rect {
    let height = area.height().min(area.width() / shape).max(0.0);
    Rect::from_center_size(area.center(), vec2(height * shape, height))
}

/// The tiles of boards of these shapes in `area`, row by row: the grid that gives the boards the most room.
pub(crate) fn tiles(area: Rect, shapes: &[f32], text: Text) -> Vec<Rect> {
    let count = shapes.len().min(TILES_MAX);
    let room = |columns: usize| {
        let tile = size_of(area.size(), count, columns);
        shapes[..count].iter().map(|shape| Plan::worth(tile, *shape, text)).sum::<f32>()
    };
    let best = (1..=count).max_by(|a, b| room(*a).total_cmp(&room(*b)));
    best.map_or_else(Vec::new, |columns| grid(area, count, columns))
}

/// How large a tile is in so many columns.
fn size_of(area: Vec2, count: usize, columns: usize) -> Vec2 {
    let rows = count.div_ceil(columns);
    let gaps = vec2((columns - 1) as f32, (rows - 1) as f32) * GAP;
    ((area - gaps) / vec2(columns as f32, rows as f32)).max(Vec2::splat(1.0))
}

/// The last row is in the middle.
fn grid(area: Rect, count: usize, columns: usize) -> Vec<Rect> {
    let size = size_of(area.size(), count, columns);
    let step = size + Vec2::splat(GAP);
    let place = |index: usize| {
        let (column, row) = (index % columns, index / columns);
        let missing = columns - (count - row * columns).min(columns);
        let at = vec2(column as f32 + missing as f32 / 2.0, row as f32) * step;
        Rect::from_min_size(area.min + at, size)
    };
    (0..count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOWS: [(f32, f32); 6] =
        [(1920.0, 1080.0), (1280.0, 800.0), (800.0, 600.0), (390.0, 844.0), (844.0, 390.0), (3840.0, 1080.0)];

    fn area((x, y): (f32, f32)) -> Rect {
        Rect::from_min_size(pos2(10.0, 40.0), vec2(x, y))
    }

    #[test]
    fn no_other_grid_shows_boards_larger() {
        for window in WINDOWS {
            for text in [Text::Near, Text::Far(window.1)] {
                for count in 2..=TILES_MAX {
                    let mixed: Vec<f32> = (0..count).map(|n| [1.0, 2.0, 1.9][n % 3]).collect();
                    for shapes in [vec![1.0; count], vec![2.0; count], mixed] {
                        let area = area(window);
                        let tiles = tiles(area, &shapes, text);
                        assert_eq!(tiles.len(), count);
                        let board = |tile: Rect, shape| {
                            let size = text.size(tile.size());
                            Plan::of(tile, shape, size, Names::short(size)).board
                        };
                        let room = |tiles: &[Rect]| {
                            let worth = |(tile, shape): (&Rect, &f32)| Plan::worth(tile.size(), *shape, text);
                            tiles.iter().zip(&shapes).map(worth).sum::<f32>()
                        };
                        for (index, tile) in tiles.iter().enumerate() {
                            assert!(area.expand(0.1).contains_rect(*tile), "{window:?} {count}: {tile:?}");
                            assert!(tile.contains_rect(board(*tile, shapes[index]).shrink(0.1)));
                            let apart = |other: &Rect| !tile.shrink(0.1).intersects(*other);
                            assert!(tiles[..index].iter().all(apart));
                        }
                        for columns in 1..=count {
                            assert!(room(&grid(area, count, columns)) <= room(&tiles) * 1.0001);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn sixteen_boards_take_most_of_a_projector() {
        let screen = area((1920.0, 1080.0));
        let tiles = tiles(screen, &[1.0; 16], Text::Far(1080.0));
        let size = Text::Far(1080.0).size(tiles[0].size());
        assert!((size * CAPITALS - 27.0).abs() < 0.1);
        let plan = Plan::of(tiles[0], 1.0, size, Names::short(size));
        assert!(plan.board.height() > 190.0, "{:?}", plan.board);
        // Each team is named there.
        assert!(matches!(plan.words, Words::Beside { .. }) || tiles[0].width() >= TWO_NAMES * size);
        // Where there is room beside the board, the words are there.
        let beside = Plan::of(area((480.0, 262.0)), 1.0, size, Names::short(size));
        assert!(matches!(beside.words, Words::Beside { .. }), "{beside:?}");
    }

    #[test]
    fn projector_capitals_are_a_fortieth_of_its_height() {
        let capitals = |tile: Vec2| Text::Far(1080.0).size(tile) * CAPITALS;
        assert!((capitals(vec2(1920.0, 1080.0)) - 27.0).abs() < 0.01);
        // Up to four rows of tiles, with what is between them.
        assert!((capitals(vec2(460.0, 234.0)) - 27.0).abs() < 0.01);
        assert!((capitals(vec2(320.0, 172.0)) - 20.0).abs() < 0.01);
    }

    #[test]
    fn no_boards_are_no_tiles_and_no_room_breaks_nothing() {
        let nothing = Rect::from_min_size(Pos2::ZERO, Vec2::ZERO);
        assert!(tiles(area(WINDOWS[0]), &[], Text::Near).is_empty());
        assert_eq!(tiles(nothing, &[1.0; 5], Text::Near).len(), 5);
        assert_eq!(tiles(area(WINDOWS[0]), &[1.0; 40], Text::Near).len(), TILES_MAX);
    }
}
