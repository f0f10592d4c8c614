//! Tiling of a window with boards: the grid that makes them largest, and the division of a tile into board and
//! captions.

use eframe::egui::{Context, Pos2, Rect, Vec2, pos2, vec2};
use grandstand_board as board;
use grandstand_board::theme::SMALL;
use grandstand_protocol::Scene;

/// Margin within a tile, in points.
pub(super) const MARGIN: f32 = 5.0;
/// Number of boards on a wall at most.
pub(crate) const TILES_MAX: usize = 32;
/// How many times as high an upright board is as a lying one is wide, at least.
const STANDS: f32 = 1.05;
/// Gap between two tiles, in points.
const GAP: f32 = 8.0;
/// Least width of a column beside the board, enough for a clock, in multiples of the text size.
pub(super) const COLUMN: f32 = 3.6;
/// Largest width of such a column, for long names, in multiples of the text size.
pub(super) const WIDEST_COLUMN: f32 = 6.0;
/// Height of a line of text, in multiples of the text size.
pub(crate) const LINE: f32 = 1.45;
/// Height of the strip with the result below a board that has its captions beside it, in multiples of the text size.
const STRIP: f32 = 1.9;
/// Width of a tile below which each team has its own line, in multiples of the text size.
const TWO_LINES: f32 = 13.0;
/// Gap between texts side by side, in multiples of the text size.
pub(super) const BETWEEN: f32 = 0.4;
/// Share of a tile's height for lines at most. A lower tile has badges and scores instead of names.
const LINES: f32 = 0.4;
/// Widths that two names side by side need, and one name in its own line, in multiples of the text size.
const TWO_NAMES: f32 = 11.0;
const ONE_NAME: f32 = 8.0;
/// Worth of a board whose captions have no room for names, relative to one with names.
const NAMELESS: f32 = 0.3;
/// Height of capital letters in the interface's fonts, in multiples of the text size.
pub(crate) const CAPITALS: f32 = 0.727;

/// How much wider than its shape a board may be whose surroundings fill its place, as the sea does around a map.
const SEA: f32 = 1.3;
/// Part of the largest size up to which a grid with fewer empty places is taken instead.
const NEARLY: f32 = 0.94;

/// Least width of a tile whose names and board are read, and the area of the smallest board, in points.
const READABLE: f32 = 165.0;
const READABLE_BOARD: f32 = 110.0 * 110.0;
/// Least width of a tile on a wall that scrolls, in points.
const SCROLLED: f32 = 176.0;
/// Number of lines for its captions.
const CAPTIONS: f32 = 3.0;

/// Least height of a tile, in heights of capital letters.
const LINES_MIN: f32 = 8.6;

/// Text size of a tile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Text {
    /// For a viewer before the screen: by the size of the tile.
    Near,
    /// For two boards that are compared: not much larger than the words around them.
    Pair,
    /// For a projector with a screen of this height in points: capitals are a fortieth of it, as long as the tile has
    /// room for some lines.
    Far(f32),
}

impl Text {
    pub(crate) fn size(self, tile: Vec2) -> f32 {
        match self {
            Text::Near => (tile.min_elem() * 0.065).clamp(12.0, 24.0),
            Text::Pair => (tile.min_elem() * 0.045).clamp(12.0, 19.0),
            Text::Far(screen) => (screen / 40.0).min(tile.y / LINES_MIN) / CAPITALS,
        }
    }
}

/// Shape of a board on a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoardShape {
    /// Width of the board divided by its height.
    pub lying: f32,
    /// The least and the largest width divided by its height to which it is stretched to fill its place.
    pub stretched: (f32, f32),
    /// Whether it may be turned upright where that makes it much larger.
    pub may_stand: bool,
}

impl BoardShape {
    /// The shape of a scene's board. Boards stand in windows that are higher than wide, where tiles are.
    pub(super) fn of(scene: &Scene, ctx: &Context) -> BoardShape {
        let (view, window) = (board::view(scene), ctx.content_rect());
        let widest = if view.fills_width() { SEA * view.shape() } else { view.shape() };
        BoardShape {
            lying: view.shape(),
            stretched: (view.least_shape(), widest),
            may_stand: view.can_stand() && window.height() > window.width(),
        }
    }
}

impl From<f32> for BoardShape {
    fn from(lying: f32) -> BoardShape {
        BoardShape { lying, stretched: (lying, lying), may_stand: false }
    }
}

/// Division of a tile into board and captions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    pub board: Rect,
    /// Whether the board is turned upright.
    pub upright: bool,
    pub words: Words,
}

impl Plan {
    /// The area of the board in its own shape: what is stretched does not count.
    fn own_area(&self, shape: BoardShape) -> f32 {
        if self.upright { self.board.area() } else { fit(self.board, (shape.lying, shape.lying)).area() }
    }

    /// Worth of a tile of this size: the board's [own area](Plan::own_area), reduced if names have no room or the text is too small for a
    /// projector.
    fn worth(tile: Vec2, shape: BoardShape, text: Text) -> f32 {
        let size = text.size(tile);
        let readable = match text {
            Text::Near | Text::Pair => 1.0,
            Text::Far(screen) => size * CAPITALS * 40.0 / screen,
        };
        let plan = Plan::of(Rect::from_min_size(Pos2::ZERO, tile), shape, size, Names::short(size));
        let is_nameless = match &plan.words {
            Words::Above(lines) if lines.len() == 2 => tile.x / size < TWO_NAMES,
            Words::Above(lines) if lines.len() == 3 => tile.x / size < ONE_NAME,
            _ => false,
        };
        plan.own_area(shape) * readable.powi(2) * if is_nameless { NAMELESS } else { 1.0 }
    }
}

/// Factor by which a text of this size may be shrunk before it is cut.
pub(super) fn least(size: f32) -> f32 {
    (SMALL / size).clamp(0.72, 1.0)
}

/// Room that the teams' names need, in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    /// Width of a column beside the board.
    pub column: f32,
    /// Sum of the rows' widths of both teams.
    pub rows: f32,
    /// Whether a column as wide as that cuts a name.
    pub is_cut: bool,
}

impl Names {
    /// The room that is enough for both.
    pub(super) fn max(self, other: Names) -> Names {
        Names {
            column: self.column.max(other.column),
            rows: self.rows.max(other.rows),
            is_cut: self.is_cut || other.is_cut,
        }
    }

    /// Least room, as if all names were short.
    pub(super) fn short(size: f32) -> Names {
        Names { column: COLUMN * size, rows: 0.0, is_cut: false }
    }
}

/// Places of the names, scores and clock.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Words {
    /// Two or three lines above the board: both teams in one, or each in its own; the clock, and then the result, in
    /// the last. Two lines without enough room for names have none.
    Above(Vec<Rect>),
    /// Two lines above the board, one for each team, with the game and the moment, or the result, at their right.
    Stacked([Rect; 2]),
    /// Columns at the left and the right of the board. The teams stand below `taken`, the height that the right one lacks at its
    /// top.
    Beside { left: Rect, right: Rect, taken: f32 },
}

impl Words {
    /// The same with captions that give way to what is in the tile's upper corner at the right.
    pub(super) fn clear_of(self, corner: Rect) -> Words {
        let clear = |line: Rect| {
            // The letters are lower than their line.
            let shared = line.shrink2(vec2(0.0, line.height() * 0.15)).intersects(corner);
            if shared { line.with_max_x(corner.left()) } else { line }
        };
        match self {
            Words::Above(lines) => Words::Above(lines.into_iter().map(clear).collect()),
            Words::Stacked(lines) => Words::Stacked(lines.map(clear)),
            Words::Beside { left, right, .. } => {
                let taken = if right.intersects(corner) { corner.bottom() - right.top() } else { 0.0 };
                Words::Beside { left, right, taken }
            }
        }
    }
}

/// Places of the captions of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// In so many lines above the board.
    Above(usize),
    /// In a line for each team above it, which has the rest at its right.
    Stacked,
    /// In columns beside it, with room for the result below it.
    Beside,
}

impl Arrangement {
    /// The arrangement in which boards of these shapes are largest, in tiles of this size.
    pub(super) fn best(tile: Rect, shapes: &[BoardShape], size: f32, names: Names) -> Arrangement {
        let line = size * LINE;
        let width = tile.width();
        let fits = names.rows <= width - size * BETWEEN;
        let count = match width / size {
            sizes if sizes >= TWO_LINES && fits => 2,
            _ if 3.0 * line > LINES * tile.height() => 2,
            _ => 3,
        };
        let room = |arrangement: Arrangement| {
            let board =
                |shape: &BoardShape| Plan::arranged(tile, *shape, size, names, arrangement).own_area(*shape);
            shapes.iter().map(board).sum::<f32>()
        };
        // Where names would be cut beside each other, each has a line, and the other words make room.
        let is_stacked = count == 2 && !fits && width / size >= ONE_NAME;
        let above = if is_stacked { Arrangement::Stacked } else { Arrangement::Above(count) };
        let is_nameless = count == 2 && !is_stacked && (width / size < TWO_NAMES || !fits);
        let worth = room(above) * if is_nameless { NAMELESS } else { 1.0 };
        let beside = room(Arrangement::Beside) * if names.is_cut { NAMELESS } else { 1.0 };
        if beside > worth { Arrangement::Beside } else { above }
    }
}

impl Plan {
    /// Divides a tile so that the board is largest.
    pub(super) fn of(tile: Rect, shape: BoardShape, size: f32, names: Names) -> Plan {
        Plan::arranged(tile, shape, size, names, Arrangement::best(tile, &[shape], size, names))
    }

    /// Divides a tile in an arrangement, with the board upright where that makes it much larger.
    pub(super) fn arranged(
        tile: Rect,
        shape: BoardShape,
        size: f32,
        names: Names,
        arrangement: Arrangement,
    ) -> Plan {
        let lying = Plan::shaped(tile, shape.stretched, size, names, arrangement);
        if !shape.may_stand {
            return lying;
        }
        let upright = 1.0 / shape.lying;
        let upright = Plan::shaped(tile, (upright, upright), size, names, arrangement);
        match upright.board.height() >= lying.board.width() * STANDS {
            true => Plan { upright: true, ..upright },
            false => lying,
        }
    }

    /// Divides a tile for a board with a width divided by its height between these two.
    fn shaped(tile: Rect, shape: (f32, f32), size: f32, names: Names, arrangement: Arrangement) -> Plan {
        let count = match arrangement {
            Arrangement::Above(count) => Some(count),
            Arrangement::Stacked => Some(2),
            Arrangement::Beside => None,
        };
        let Some(count) = count else {
            let column = names.column.min(tile.width() / 2.0);
            // The strip is kept free from the start, so that no board moves when a match ends.
            let above = tile.with_max_y(tile.bottom() - size * STRIP);
            let board = |tile: Rect| fit(tile.shrink2(vec2(column, 0.0)), shape);
            let fits = board(tile).bottom() <= above.bottom();
            let tile = if fits { tile } else { above };
            let board = board(tile);
            let left = Rect::from_min_max(tile.min, pos2(board.left(), tile.bottom()));
            let right = Rect::from_min_max(pos2(board.right(), tile.top()), tile.max);
            return Plan { board, upright: false, words: Words::Beside { left, right, taken: 0.0 } };
        };
        let mut below = tile;
        let lines = (0..count).map(|_| {
            let (row, rest) = below.split_top_bottom_at_y(below.top() + size * LINE);
            below = rest;
            row
        });
        let lines: Vec<Rect> = lines.collect();
        let words = match (arrangement, &lines[..]) {
            (Arrangement::Stacked, [first, second]) => Words::Stacked([*first, *second]),
            _ => Words::Above(lines),
        };
        Plan { board: fit(below, shape), upright: false, words }
    }
}

/// The largest centred rectangle of a shape between these two in an area.
fn fit(area: Rect, (least, most): (f32, f32)) -> Rect {
    let shape = (area.width() / area.height().max(1.0)).max(least).min(most);
    let height = area.height().min(area.width() / shape).max(0.0);
    Rect::from_center_size(area.center(), vec2(height * shape, height))
}

/// Tiles for boards of these shapes, row by row, in the grid that makes the smallest of them largest, or nearly so with fewer
/// places empty.
pub(crate) fn tiles(area: Rect, shapes: &[BoardShape], text: Text) -> Vec<Rect> {
    let count = shapes.len().min(TILES_MAX);
    let worth = |columns: usize| {
        let tile = size_of(area.size(), count, columns);
        shapes[..count].iter().map(|shape| Plan::worth(tile, *shape, text)).fold(f32::INFINITY, f32::min)
    };
    let grids: Vec<(usize, f32)> = (1..=count).map(|columns| (columns, worth(columns))).collect();
    let most = grids.iter().map(|(_, worth)| *worth).fold(0.0, f32::max);
    let empty = |columns: usize| count.div_ceil(columns) * columns - count;
    let good = grids.into_iter().filter(|(_, worth)| *worth >= NEARLY * most);
    let best = good.min_by(|(a, one), (b, other)| empty(*a).cmp(&empty(*b)).then(other.total_cmp(one)));
    best.map_or_else(Vec::new, |(columns, _)| grid(area, count, columns))
}

/// Tiles of a wall that is higher than the area, where one screen has no room for tiles in which these boards are read: in as many columns
/// as have room for their names, each as high as the highest board needs.
pub(super) fn scrolled(area: Rect, shapes: &[BoardShape]) -> Option<Vec<Rect>> {
    let tile = tiles(area, shapes, Text::Near).first()?.size();
    let size = Text::Near.size(tile);
    let board = |shape: &BoardShape| {
        let tile = Rect::from_min_size(Pos2::ZERO, tile);
        Plan::of(tile, *shape, size, Names::short(size)).own_area(*shape)
    };
    let least = shapes.iter().map(board).fold(f32::INFINITY, f32::min);
    if tile.x >= READABLE && least >= READABLE_BOARD {
        return None;
    }
    let count = shapes.len().min(TILES_MAX);
    let columns = (((area.width() + GAP) / (SCROLLED + GAP)) as usize).clamp(1, count);
    let width = size_of(area.size(), count, columns).x;
    let squarest = shapes.iter().map(|shape| shape.lying).fold(f32::INFINITY, f32::min);
    let lines = CAPTIONS * LINE * Text::Near.size(Vec2::splat(width));
    let height = 2.0 * MARGIN + lines + (width - 2.0 * MARGIN) / squarest;
    let rows = count.div_ceil(columns) as f32;
    let whole = rows * (height + GAP) - GAP;
    (whole > area.height())
        .then(|| grid(Rect::from_min_size(area.min, vec2(area.width(), whole)), count, columns))
}

/// Size of a tile in a grid of so many columns.
fn size_of(area: Vec2, count: usize, columns: usize) -> Vec2 {
    let rows = count.div_ceil(columns);
    let gaps = vec2((columns - 1) as f32, (rows - 1) as f32) * GAP;
    ((area - gaps) / vec2(columns as f32, rows as f32)).max(Vec2::splat(1.0))
}

/// A grid of tiles; an incomplete last row is centred.
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

    fn shapes<const N: usize>(shapes: [f32; N]) -> [BoardShape; N] {
        shapes.map(BoardShape::from)
    }

    fn area((x, y): (f32, f32)) -> Rect {
        Rect::from_min_size(pos2(10.0, 40.0), vec2(x, y))
    }

    #[test]
    fn no_other_grid_shows_the_smallest_board_much_larger() {
        for window in WINDOWS {
            for text in [Text::Near, Text::Far(window.1)] {
                for count in 2..=TILES_MAX {
                    let mixed: Vec<BoardShape> = (0..count).map(|n| [1.0, 2.0, 1.9][n % 3].into()).collect();
                    let all =
                        |shape: f32, may_stand: bool| vec![BoardShape { may_stand, ..shape.into() }; count];
                    for shapes in [all(1.0, false), all(2.0, false), all(2.0, true), mixed] {
                        let area = area(window);
                        let tiles = tiles(area, &shapes, text);
                        assert_eq!(tiles.len(), count);
                        let board = |tile: Rect, shape| {
                            let size = text.size(tile.size());
                            Plan::of(tile, shape, size, Names::short(size)).board
                        };
                        let room = |tiles: &[Rect]| {
                            let worth =
                                |(tile, shape): (&Rect, &BoardShape)| Plan::worth(tile.size(), *shape, text);
                            tiles.iter().zip(&shapes).map(worth).fold(f32::INFINITY, f32::min)
                        };
                        for (index, tile) in tiles.iter().enumerate() {
                            assert!(area.expand(0.1).contains_rect(*tile), "{window:?} {count}: {tile:?}");
                            assert!(tile.contains_rect(board(*tile, shapes[index]).shrink(0.1)));
                            let apart = |other: &Rect| !tile.shrink(0.1).intersects(*other);
                            assert!(tiles[..index].iter().all(apart));
                        }
                        for columns in 1..=count {
                            assert!(room(&grid(area, count, columns)) * NEARLY <= room(&tiles) * 1.0001);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn boards_of_all_shapes_have_their_captions_in_the_same_places() {
        let tile = area((480.0, 262.0));
        let (shapes, size) = (shapes([1.0, 2.0, 1.3]), 12.0);
        let arrangement = Arrangement::best(tile, &shapes, size, Names::short(size));
        let plans = shapes.map(|shape| Plan::arranged(tile, shape, size, Names::short(size), arrangement));
        let beside = plans.each_ref().map(|plan| matches!(plan.words, Words::Beside { .. }));
        assert!(beside == [true; 3] || beside == [false; 3], "{plans:?}");
    }

    #[test]
    fn a_wide_board_stands_in_a_high_tile_and_lies_in_others() {
        let shape = BoardShape { may_stand: true, ..1.8.into() };
        let plan = |tile: (f32, f32), shape| Plan::of(area(tile), shape, 14.0, Names::short(14.0));
        let high = plan((374.0, 760.0), shape);
        assert!(high.upright && high.board.height() > 1.3 * 374.0, "{high:?}");
        for (tile, shape) in [((374.0, 380.0), shape), ((374.0, 760.0), BoardShape::from(1.8))] {
            let plan = plan(tile, shape);
            assert!(!plan.upright && plan.board.width() > plan.board.height(), "{plan:?}");
        }
    }

    #[test]
    fn a_map_fills_its_tile() {
        let shape = MAP;
        for (width, height) in [(460.0, 400.0), (250.0, 270.0), (620.0, 300.0)] {
            let tile = area((width, height));
            let plan = Plan::of(tile, shape, 14.0, Names::short(14.0));
            let left = match plan.words {
                Words::Beside { left, right, .. } => tile.width() - left.width() - right.width(),
                Words::Above(_) | Words::Stacked(_) => tile.width(),
            };
            assert!((plan.board.width() - left).abs() < 0.1, "{plan:?}");
            assert!(plan.board.height() > 0.75 * height, "{plan:?}");
        }
        // It is not stretched beyond its least shape.
        let high = Plan::of(area((200.0, 600.0)), shape, 14.0, Names::short(14.0)).board;
        assert!((high.width() - high.height()).abs() < 0.1, "{high}");
        // Nor is it a strip with a stamp of land in the middle.
        let low = Plan::of(area((1400.0, 280.0)), shape, 14.0, Names::short(14.0)).board;
        assert!((low.width() - SEA * 1.9 * low.height()).abs() < 0.1, "{low}");
    }

    /// A map of land within a sea that fills its place.
    const MAP: BoardShape = BoardShape { lying: 1.9, stretched: (1.0, SEA * 1.9), may_stand: false };

    #[test]
    fn maps_have_tiles_in_which_the_land_is_largest() {
        for window in [(1440.0, 856.0), (1920.0, 1036.0)] {
            for count in [3, 5] {
                let area = area(window);
                let land = |tiles: &[Rect]| {
                    let size = Text::Near.size(tiles[0].size());
                    let board = Plan::of(tiles[0], MAP, size, Names::short(size)).board;
                    fit(board, (1.9, 1.9)).area()
                };
                let shown = land(&tiles(area, &[MAP; 5][..count], Text::Near));
                for columns in 1..=count {
                    let other = land(&grid(area, count, columns));
                    assert!(
                        other <= shown * 1.0001,
                        "{count} in {window:?}: {columns} columns, {other} > {shown}"
                    );
                }
            }
        }
    }

    #[test]
    fn among_boards_of_many_shapes_the_wide_ones_are_no_specks() {
        let mixed = shapes([1.13, 1.9, 2.0, 1.0, 1.0, 1.9, 1.9, 1.9, 1.9, 1.9]);
        let tiles = tiles(area((1440.0, 856.0)), &mixed, Text::Near);
        let size = Text::Near.size(tiles[0].size());
        let widths = tiles
            .iter()
            .zip(mixed)
            .map(|(tile, shape)| Plan::of(*tile, shape, size, Names::short(size)).board.width());
        assert!(widths.clone().all(|width| width > 225.0), "{:?}", widths.collect::<Vec<_>>());
        assert!(tiles[0].width() > 300.0, "{tiles:?}");
    }

    #[test]
    fn a_wall_without_room_for_boards_that_are_read_scrolls() {
        let read = |window: (f32, f32), shapes: &[BoardShape]| {
            let area = area(window);
            let tiles = scrolled(area, shapes)?;
            assert_eq!(tiles.len(), shapes.len());
            let columns = tiles.iter().filter(|tile| tile.top() == tiles[0].top()).count();
            for (tile, shape) in tiles.iter().zip(shapes) {
                assert!(tile.width() >= SCROLLED && area.x_range().contains(tile.left()), "{tile}");
                assert!(tile.right() <= area.right() + 0.1, "{tile}");
                let board = Plan::of(tile.shrink(MARGIN), *shape, 12.0, Names::short(12.0)).board;
                assert!(board.width().max(board.height()) > 0.85 * tile.width(), "{board} in {tile}");
            }
            assert!(tiles.last().is_some_and(|tile| tile.bottom() > area.bottom()));
            Some(columns)
        };
        let (phone, on_its_side, small, large) =
            ((374.0, 784.0), (828.0, 330.0), (784.0, 540.0), (1424.0, 840.0));
        for shape in [1.0.into(), BoardShape { may_stand: true, ..1.9.into() }, MAP] {
            for (window, count, columns) in [
                (phone, 16, Some(2)),
                (phone, 4, None),
                (on_its_side, 16, Some(4)),
                (small, 6, None),
                (large, 16, None),
            ] {
                assert_eq!(read(window, &vec![shape; count]), columns, "{count} of {shape:?} in {window:?}");
            }
        }
        assert_eq!(read(phone, &shapes([1.0; 9])), Some(2));
        assert_eq!(read(small, &shapes([1.0; 16])), Some(4));
        assert_eq!(read(small, &shapes([1.9; 16])), None, "wide boards have room");
        assert_eq!(
            read(phone, &shapes([1.0, 1.9, 1.13, 1.9, 1.0, 1.9, 1.13, 1.9, 1.0, 1.9, 1.0, 1.9])),
            Some(2)
        );
        let narrow = scrolled(area((150.0, 300.0)), &shapes([1.0; 4])).expect("one column");
        assert!(narrow.iter().all(|tile| tile.width() == 150.0), "{narrow:?}");
    }

    #[test]
    fn five_boards_of_nearly_the_same_size_leave_one_place_empty() {
        let tiles = tiles(area((1440.0, 856.0)), &shapes([1.02, 1.02, 1.02, 1.02, 1.0]), Text::Near);
        let first = tiles.iter().filter(|tile| (tile.top() - tiles[0].top()).abs() < 1.0).count();
        assert_eq!(first, 3, "{tiles:?}");
    }

    #[test]
    fn sixteen_boards_take_most_of_a_projector() {
        let screen = area((1920.0, 1080.0));
        let tiles = tiles(screen, &shapes([1.0; 16]), Text::Far(1080.0));
        let size = Text::Far(1080.0).size(tiles[0].size());
        assert!((size * CAPITALS - 27.0).abs() < 0.1);
        let plan = Plan::of(tiles[0], 1.0.into(), size, Names::short(size));
        assert!(plan.board.height() > 190.0, "{:?}", plan.board);
        // Each team is named.
        assert!(matches!(plan.words, Words::Beside { .. }) || tiles[0].width() >= TWO_NAMES * size);
        // The captions stand beside the board if there is room.
        let beside = Plan::of(area((480.0, 262.0)), 1.0.into(), size, Names::short(size));
        assert!(matches!(beside.words, Words::Beside { .. }), "{beside:?}");
    }

    #[test]
    fn projector_capitals_are_a_fortieth_of_its_height() {
        let capitals = |tile: Vec2| Text::Far(1080.0).size(tile) * CAPITALS;
        assert!((capitals(vec2(1920.0, 1080.0)) - 27.0).abs() < 0.01);
        // Up to four rows of tiles, with the gaps between them.
        assert!((capitals(vec2(460.0, 234.0)) - 27.0).abs() < 0.01);
        assert!((capitals(vec2(320.0, 172.0)) - 20.0).abs() < 0.01);
    }

    #[test]
    fn no_boards_are_no_tiles_and_no_room_breaks_nothing() {
        let nothing = Rect::from_min_size(Pos2::ZERO, Vec2::ZERO);
        assert!(tiles(area(WINDOWS[0]), &[], Text::Near).is_empty());
        assert_eq!(tiles(nothing, &shapes([1.0; 5]), Text::Near).len(), 5);
        assert_eq!(tiles(area(WINDOWS[0]), &shapes([1.0; 40]), Text::Near).len(), TILES_MAX);
    }
}
