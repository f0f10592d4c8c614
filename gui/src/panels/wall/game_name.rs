//! The game's sign and its name in the captions of a tile.

use std::sync::Arc;

use eframe::egui::{Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Ui, Vec2, pos2, vec2};
use grandstand_board as board;
use grandstand_board::text::fitting;
use grandstand_board::theme::{Palette, SMALL, mix};

use super::tiling::least;
use crate::session::MatchView;

/// Width of the sign with the gap after it. All sizes here are multiples of the text size.
const SIGN: f32 = 1.45;
/// Height of a chip, and the gap after the name in it.
const CHIP: f32 = 1.32;
const AFTER: f32 = 0.45;
/// Size of the letters in a chip.
const LETTERS: f32 = 0.88;
/// Height of a line.
const LINE: f32 = 1.15;
/// Height that a name in a column needs.
const ROOM: f32 = 3.0;

/// What a match is called in its captions: the game with the map, the event and the like, and the game alone.
pub(super) fn called(session: &MatchView) -> [String; 2] {
    let identity = session.identity();
    let game = identity.split(" · ").next().unwrap_or_default().to_owned();
    [identity, game]
}

/// Width of a chip with the game's sign and this name, which may be empty, in points.
pub(super) fn chip_width(painter: &Painter, name: &str, size: f32) -> f32 {
    let sign = size * SIGN;
    if name.is_empty() {
        sign
    } else {
        sign + chip_name(painter, name, size, Color32::WHITE).size().x + size * AFTER
    }
}

fn chip_name(painter: &Painter, name: &str, size: f32, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(name.to_owned(), FontId::proportional((size * LETTERS).max(SMALL)), ink)
}

/// Paints a chip with the game's sign and this name, which may be empty, with its left edge in the middle at `at`.
pub(super) fn paint_chip(ui: &Ui, session: &MatchView, at: Pos2, name: &str, size: f32) {
    let palette = Palette::of(ui.ctx());
    let area = vec2(chip_width(ui.painter(), name, size), size * CHIP);
    let area = Rect::from_min_size(at - vec2(0.0, area.y / 2.0), area);
    if !name.is_empty() {
        let radius = (size * 0.3).round() as u8;
        ui.painter().rect_filled(area, CornerRadius::same(radius), mix(palette.ground, palette.text, 0.1));
    }
    paint_sign(ui, session, at, size);
    let name = chip_name(ui.painter(), name, size, palette.weak);
    ui.painter().galley(at + vec2(size * SIGN, -name.size().y / 2.0), name, palette.weak);
}

/// The game's sign and its name at the top of a column, where the teams leave room: in full, or the game alone.
pub(super) fn game_line(
    ui: &Ui,
    column: Rect,
    (session, called): (&MatchView, &[String; 2]),
    size: f32,
    free: f32,
) {
    let palette = Palette::of(ui.ctx());
    if free < size * ROOM {
        return;
    }
    let [_, game] = called;
    let layout =
        |text: &str| ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), palette.weak);
    let words = |room: f32| -> Vec<_> {
        let font = || FontId::proportional(size);
        let word = |word| fitting(ui.painter(), word, font(), palette.weak, room, least(size));
        game.split(' ').map(word).collect()
    };
    let is_whole = |lines: &Vec<Arc<Galley>>| lines.iter().all(|line| !line.elided);
    let room = column.width() - size * SIGN;
    let beside = called.each_ref().map(|name| layout(name)).into_iter().find(|name| name.size().x <= room);
    let beside = beside.map(|name| vec![name]).or_else(|| Some(words(room)).filter(is_whole));
    let y = column.top() + size * ROOM / 4.0;
    paint_sign(ui, session, pos2(column.left(), y), size);
    // Word by word where the column is narrow, and below the sign where it is narrower still.
    let (lines, at) = match beside {
        Some(lines) => (lines, pos2(column.left() + size * SIGN, y)),
        None => (words(column.width()), pos2(column.left(), y + size * LINE)),
    };
    let high = at.y - column.top() + lines.len() as f32 * size * LINE;
    if !is_whole(&lines) || high > free {
        return;
    }
    for (number, line) in lines.into_iter().enumerate() {
        let middle = at.y + number as f32 * size * LINE;
        ui.painter().galley(pos2(at.x, middle - line.size().y / 2.0), line, palette.weak);
    }
}

/// Paints the game's sign, with its left edge in the middle at `at`.
fn paint_sign(ui: &Ui, session: &MatchView, at: Pos2, size: f32) {
    let square = Rect::from_center_size(at + vec2(size * SIGN * 0.45, 0.0), Vec2::splat(size * 1.1));
    board::view(session.scene()).thumbnail(ui.painter(), Palette::of(ui.ctx()), square);
}
