//! Who has won, across the board.

use eframe::egui::{Align2, Color32, CornerRadius, FontId, Painter, Rect, Stroke, StrokeKind, pos2, vec2};
use grandstand_protocol::team::{Squad, Verdict};

use super::{Picture, squad};
use crate::theme::{Palette, mix, semibold};

/// Paints the banner over `board`.
pub(super) fn paint(
    painter: &Painter,
    palette: &Palette,
    board: Rect,
    verdict: Verdict,
    picture: &Picture<'_>,
) {
    let side = verdict.winner().and_then(|winner| picture.sides.get(winner.index()));
    let text = match (verdict.winner(), side) {
        (Some(_), Some(side)) => format!("{} wins", side.name),
        (Some(winner), None) => format!("{} wins", crate::sides::capitalised(winner.name())),
        (None, _) => "Draw".to_owned(),
    };
    let scores: Vec<String> = picture.sides.iter().map(|side| side.score.to_string()).collect();
    let size = (board.height() * 0.085).clamp(16.0, 64.0);
    let font = FontId::new(size, semibold());
    let title = crate::scoreboard::fitted(painter, &text, font, palette.text, board.width() * 0.62);
    let small = FontId::new((size * 0.62).max(13.0), semibold());
    let scores = painter.layout_no_wrap(scores.join(" : "), small, palette.text);
    let badge = if verdict.winner().is_some() { size * 1.6 } else { 0.0 };
    let width = (title.size().x + badge).max(scores.size().x) + size * 1.6;
    let height = title.size().y + scores.size().y + size * 0.9;
    let plate = Rect::from_center_size(board.center(), vec2(width, height));
    let accent = verdict.winner().map_or(palette.weak, |winner| palette.squad(winner).accent);
    let radius = CornerRadius::same((size * 0.35) as u8);
    painter.rect_filled(plate.translate(vec2(0.0, size * 0.12)), radius, Color32::from_black_alpha(90));
    painter.rect_filled(plate, radius, mix(palette.panel, accent, 0.08).gamma_multiply(0.94));
    painter.rect_stroke(plate, radius, Stroke::new((size * 0.07).max(1.5), accent), StrokeKind::Inside);
    let y = plate.top() + size * 0.4 + title.size().y / 2.0;
    let left = plate.center().x - (title.size().x + badge) / 2.0;
    if let Some(winner) = verdict.winner() {
        squad::paint_badge(painter, palette, pos2(left + size * 0.6, y), size * 0.55, winner);
    }
    painter.galley(pos2(left + badge, y - title.size().y / 2.0), title, palette.text);
    let at = pos2(plate.center().x, plate.bottom() - size * 0.45 - scores.size().y / 2.0);
    let area = Align2::CENTER_CENTER.anchor_size(at, scores.size());
    painter.galley(area.min, scores, palette.text);
}

/// The colour of a team, or of nobody.
pub(super) fn color_of(palette: &Palette, owner: Option<Squad>) -> Color32 {
    owner.map_or(palette.weak, |owner| palette.squad(owner).accent)
}
