//! The game's sign and its name in the captions of a tile.

use std::sync::Arc;

use eframe::egui::{FontId, Galley, Pos2, Rect, Ui, Vec2, pos2, vec2};
use grandstand_board as board;
use grandstand_board::text::fitting;
use grandstand_board::theme::Palette;

use super::tiling::least;
use crate::session::MatchView;

/// Width of the sign with the gap after it. All sizes here are multiples of the text size.
pub(super) const SIGN: f32 = 1.45;
/// Height of a line.
const LINE: f32 = 1.15;
/// Height that a name in a column needs.
const ROOM: f32 = 3.0;

/// The game alone, of its name with the map, the event and the like.
pub(super) fn game(identity: &str) -> &str {
    identity.split(" · ").next().unwrap_or(identity)
}

/// The game's sign and its name at the top of a column, where the teams leave room: in full, or the game alone.
pub(super) fn game_line(ui: &Ui, column: Rect, session: &MatchView, size: f32, free: f32) {
    let palette = Palette::of(ui.ctx());
    if free < size * ROOM {
        return;
    }
    let identity = session.identity();
    let layout =
        |text: &str| ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), palette.weak);
    let words = |room: f32| -> Vec<_> {
        let font = || FontId::proportional(size);
        let word = |word| fitting(ui.painter(), word, font(), palette.weak, room, least(size));
        game(&identity).split(' ').map(word).collect()
    };
    let is_whole = |lines: &Vec<Arc<Galley>>| lines.iter().all(|line| !line.elided);
    let room = column.width() - size * SIGN;
    let beside =
        [identity.as_str(), game(&identity)].map(layout).into_iter().find(|name| name.size().x <= room);
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
pub(super) fn paint_sign(ui: &Ui, session: &MatchView, at: Pos2, size: f32) {
    let square = Rect::from_center_size(at + vec2(size * SIGN * 0.45, 0.0), Vec2::splat(size * 1.1));
    board::view(session.scene()).thumbnail(ui.painter(), Palette::of(ui.ctx()), square);
}
