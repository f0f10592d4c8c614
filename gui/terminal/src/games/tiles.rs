//! Boards of square tiles. They are as large as there is room; on small screens one place shows two or more tiles.

use ratatui_core::style::{Color, Modifier, Style};

use super::Size;
use crate::canvas::{Canvas, ink};
use crate::look::Look;

/// The largest magnification of a tile: two columns and one line for each step.
const LARGEST: i32 = 4;

/// The drawing of a tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct DrawnTile {
    /// The signs for two columns. Where there is only one column, the first sign is shown.
    pub signs: [char; 2],
    /// The colour of the signs.
    pub ink: Color,
    /// The colour behind the signs.
    pub ground: Color,
    /// The priority: where there is room for only one of several tiles, the one with the largest weight is shown. 0 is bare ground.
    pub weight: u8,
    /// Whether the tile is highlighted in a terminal without colours.
    pub strong: bool,
}

/// The number of tiles of a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles {
    pub columns: i32,
    pub rows: i32,
}

/// The size of tiles on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// A tile takes `2 * n` columns and `n` lines.
    Large(i32),
    /// A place of the screen takes `n` columns and `2 * n` rows of tiles.
    Small(i32),
}

impl Tiles {
    /// The largest scale that fits.
    fn scale(self, room: Size) -> Scale {
        let large = (room.width / (2 * self.columns)).min(room.height / self.rows);
        if large > 0 {
            return Scale::Large(large.min(LARGEST));
        }
        let (width, height) = (room.width.max(1), room.height.max(1));
        let small = ceil(self.columns, width).max(ceil(self.rows, 2 * height));
        Scale::Small(small)
    }

    /// The size of the board in the given room.
    pub(super) fn size(self, room: Size) -> Size {
        match self.scale(room) {
            Scale::Large(n) => Size { width: 2 * n * self.columns, height: n * self.rows },
            Scale::Small(n) => Size { width: ceil(self.columns, n), height: ceil(self.rows, 2 * n) },
        }
    }

    /// Paints the board. `tile` returns the drawing for a column and a row, counted from the upper left.
    pub(super) fn paint(self, canvas: &mut Canvas<'_>, tile: impl Fn(i32, i32) -> DrawnTile) {
        match self.scale(Size { width: canvas.width(), height: canvas.height() }) {
            Scale::Large(n) => self.paint_large(canvas, n, tile),
            Scale::Small(n) => self.paint_small(canvas, n, tile),
        }
    }

    fn paint_large(self, canvas: &mut Canvas<'_>, n: i32, tile: impl Fn(i32, i32) -> DrawnTile) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let tile = tile(column, row);
                let (x, y) = (2 * n * column, n * row);
                let style = style(&tile, canvas.look);
                for line in 0..n {
                    canvas.fill(x, y + line, 2 * n, ' ', style);
                }
                let (x, y) = (x + n - 1, y + (n - 1) / 2);
                canvas.sign(x, y, tile.signs[0], style);
                canvas.sign(x + 1, y, tile.signs[1], style);
            }
        }
    }

    fn paint_small(self, canvas: &mut Canvas<'_>, n: i32, tile: impl Fn(i32, i32) -> DrawnTile) {
        // The tile with the largest weight in a block of tiles.
        let block = |column: i32, row: i32| {
            let columns = column * n..((column + 1) * n).min(self.columns);
            let rows = row * n..((row + 1) * n).min(self.rows);
            let tiles = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
            tiles
                .map(|(column, row)| tile(column, row))
                .reduce(|best, tile| if tile.weight > best.weight { tile } else { best })
        };
        let half_blocks = canvas.look.unicode && canvas.look.has_color();
        for y in 0..ceil(self.rows, 2 * n) {
            for x in 0..ceil(self.columns, n) {
                let Some(upper) = block(x, 2 * y) else { continue };
                let lower = block(x, 2 * y + 1);
                let best = lower.filter(|lower| lower.weight > upper.weight).unwrap_or(upper);
                let even = lower.is_none_or(|lower| lower.weight == upper.weight);
                if half_blocks && even {
                    let color = |tile: &DrawnTile| if tile.weight == 0 { tile.ground } else { solid(tile) };
                    canvas.half(x, 2 * y, color(&upper));
                    if let Some(lower) = lower {
                        canvas.half(x, 2 * y + 1, color(&lower));
                    }
                } else {
                    let style = style(&best, canvas.look);
                    canvas.sign(x, y, best.signs[0], style);
                }
            }
        }
    }
}

/// The colour of a tile that is too small for its sign.
fn solid(tile: &DrawnTile) -> Color {
    if tile.weight > 1 { tile.ground } else { tile.ink }
}

fn style(tile: &DrawnTile, look: Look) -> Style {
    let style = ink(tile.ink).bg(tile.ground);
    match (tile.strong, look.has_color()) {
        (true, false) => style.add_modifier(Modifier::REVERSED),
        (true, true) => style.add_modifier(Modifier::BOLD),
        (false, _) => style,
    }
}

fn ceil(n: i32, by: i32) -> i32 {
    (n + by - 1) / by
}
