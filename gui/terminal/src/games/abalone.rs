//! Robot Abalone: hexes four columns apart, in rows two lines apart.
//!
//! With half blocks, a hex is two lines high: half of the line above and half of the line below belong to it. Otherwise pieces are
//! written in the notation of the game, such as `b3`.

use grandstand_protocol::Micros;
use grandstand_protocol::abalone::{Facing, Hex, Piece, Scene, Team};
use grandstand_story::format;
use ratatui_core::style::{Color, Modifier};

use super::{Size, TextBoard};
use crate::canvas::{Canvas, bold, ink};
use crate::look::{GROUND, Look, WEAK, piece, rgb};

/// The distance between neighbouring hexes of a row, in columns, at the smallest scale.
const PITCH: i32 = 4;
/// The distance between rows, in lines.
const ROWS: i32 = 2;
/// The largest scale.
const LARGEST: i32 = 4;
const CELL: Color = rgb(0x3a4655);

impl TextBoard for Scene {
    fn size(&self, room: Size, look: Look) -> Size {
        let Size { width, height } = size(scale(room, look));
        Size { width: width.min(room.width.max(0)), height: height.min(room.height.max(0)) }
    }

    fn paint(&self, canvas: &mut Canvas<'_>) {
        let room = Size { width: canvas.width(), height: canvas.height() };
        let scale = scale(room, canvas.look);
        coordinates(canvas, scale);
        for hex in Hex::all() {
            paint_hex(canvas, scale, hex, self.get(hex));
        }
    }

    fn figures(&self, side: usize, _: Micros, _: Look) -> Vec<String> {
        let team = Team::ALL[side.min(1)];
        let pieces = self.pieces().filter(|(_, piece)| piece.team == team).count();
        vec![format::count(pieces as u64, "piece", "pieces")]
    }
}

/// The size at a scale, with the letters of the rows and the numbers of the diagonals.
fn size(scale: i32) -> Size {
    Size { width: 9 * PITCH * scale + 8, height: 9 * ROWS * scale + 2 }
}

/// The largest scale that fits, at least 1. Only hexes of half blocks grow.
fn scale(room: Size, look: Look) -> i32 {
    let fits = |scale: &i32| size(*scale).width <= room.width && size(*scale).height <= room.height;
    let grows = look.unicode && look.has_color();
    (1..=LARGEST).rev().filter(|_| grows).find(fits).unwrap_or(1)
}

/// The middle column and the line of a place in a row and on a diagonal. The place may lie beside the board.
fn place(canvas: &Canvas<'_>, scale: i32, row: i32, diagonal: i32) -> (i32, i32) {
    let x = canvas.width() / 2 + scale * (PITCH * diagonal - PITCH / 2 * row);
    (x, (canvas.height() - 1) / 2 - scale * ROWS * row)
}

/// Paints the letters of the rows on their left, and the numbers of the diagonals below their last hexes.
fn coordinates(canvas: &mut Canvas<'_>, scale: i32) {
    for row in -4..=4_i8 {
        let Some(first) = (-4..=4).find_map(|diagonal| Hex::from_rd(row, diagonal)) else { continue };
        let (x, y) = place(canvas, scale, i32::from(row), i32::from(first.diagonal()));
        canvas.sign(x - 2 * scale - 1, y, first.letter(), ink(WEAK));
    }
    for diagonal in -4..=4_i32 {
        let below = (-4).max(diagonal - 4) - 1;
        let (x, y) = place(canvas, scale, below, diagonal);
        let text = format!("{diagonal}").replace('-', "−");
        canvas.text_to(x + 1, y + 1 - scale, &text, ink(WEAK));
    }
}

fn paint_hex(canvas: &mut Canvas<'_>, scale: i32, hex: Hex, shown: Option<Piece>) {
    let (x, y) = place(canvas, scale, i32::from(hex.row()), i32::from(hex.diagonal()));
    let look = canvas.look;
    let (ground, style) = match shown {
        Some(shown) => {
            let colors = piece(shown.team);
            (colors.piece, bold(colors.mark).bg(colors.piece))
        }
        None => (CELL, ink(rgb(0x6b7a8d)).bg(CELL)),
    };
    if look.unicode && look.has_color() {
        // Half lines from the middle outwards, narrower towards both ends.
        for half in 0..2 * scale {
            let wide = 2 * scale - 1 - (half - scale).max(0);
            for column in x - wide..=x + wide {
                canvas.half(column, 2 * y - half, ground);
                canvas.half(column, 2 * y + 1 + half, ground);
            }
        }
        canvas.fill(x + 1 - 2 * scale, y, 4 * scale - 1, ' ', style);
        canvas.sign(x, y, shown.map_or('·', arrow), style);
        return;
    }
    let Some(shown) = shown else { return canvas.sign(x, y, look.sign('·', '.'), ink(WEAK).bg(GROUND)) };
    let style = if look.has_color() { style } else { style.add_modifier(Modifier::BOLD) };
    if look.unicode {
        canvas.sign(x, y, if shown.team == Team::Black { '●' } else { '○' }, style);
        if shown.facing != Facing::None {
            canvas.sign(x + 1, y, arrow(shown), style);
        }
    } else {
        canvas.sign(x, y, if shown.team == Team::Black { 'b' } else { 'w' }, style);
        canvas.text(x + 1, y, &shown.facing.number().to_string(), style);
    }
}

/// The direction in which a piece is about to move. A piece that does not move shows the sign of its team.
fn arrow(piece: Piece) -> char {
    match piece.facing {
        Facing::None if piece.team == Team::Black => '●',
        Facing::None => '○',
        Facing::Right => '→',
        Facing::UpRight => '↗',
        Facing::UpLeft => '↖',
        Facing::Left => '←',
        Facing::DownLeft => '↙',
        Facing::DownRight => '↘',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Depth;

    #[test]
    fn the_board_grows_with_the_screen() {
        let best = Look { unicode: true, depth: Depth::True };
        let of = |width, height, look| scale(Size { width, height }, look);
        assert_eq!((of(79, 20, best), of(135, 46, best), of(200, 60, best)), (1, 2, 3));
        assert_eq!((of(3, 2, best), of(400, 200, best)), (1, LARGEST));
        // Letters alone would only stand farther apart.
        assert_eq!(of(200, 60, Look { unicode: false, depth: Depth::Mono }), 1);
    }
}
