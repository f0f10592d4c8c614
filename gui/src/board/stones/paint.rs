//! The board and its stones on the screen.

use eframe::egui::{Color32, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};
use grandstand_protocol::stones::{Point, Scene, Team};

use crate::board::{Intent, Picture};
use crate::theme::Palette;

pub(super) fn show(ui: &mut Ui, rect: Rect, scene: &Scene, picture: &Picture<'_>) -> Option<Intent> {
    let palette = Palette::of(ui.ctx());
    let size = scene.size().get();
    let side = rect.width().min(rect.height());
    let step = side / f32::from(size);
    let corner = rect.center() - Vec2::splat(step * f32::from(size - 1) / 2.0);
    let at = |point: Point| corner + vec2(f32::from(point.x()), f32::from(size - 1 - point.y())) * step;
    let painter = ui.painter().clone();
    let board = Rect::from_center_size(rect.center(), Vec2::splat(side));
    painter.rect_filled(board, 4.0, palette.cell);
    let lines = Rect::from_min_size(corner, Vec2::splat(step * f32::from(size - 1)));
    for n in 0..size {
        let offset = f32::from(n) * step;
        painter.hline(lines.x_range(), lines.top() + offset, Stroke::new(1.0, palette.weak));
        painter.vline(lines.left() + offset, lines.y_range(), Stroke::new(1.0, palette.weak));
    }
    for (point, stone) in scene.stones() {
        paint_stone(&painter, palette, at(point), step * 0.46, stone.team);
    }
    let node = ui.interact(
        board,
        ui.scope_id().with("stones"),
        if picture.may_move.is_some() { Sense::click() } else { Sense::hover() },
    );
    let text = format!("{} board: {} stones", crate::board::GameView::name(scene), scene.stones().len());
    node.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
    let team = Team::ALL.get(picture.may_move.or(scene.table().turn().map(Team::index))?).copied()?;
    let pending = picture.pending.and_then(|text| text.parse().ok());
    let pointed = node.hover_pos().filter(|_| picture.may_move.is_some()).and_then(|pointer| {
        let offset = (pointer - corner) / step;
        let y = f32::from(size - 1) - offset.y;
        Point::new(offset.x.round() as u16, y.round() as u16).filter(|point| scene.size().has(*point))
    });
    let point: Point = pending.or(pointed)?;
    if scene.stone(point).is_none() {
        paint_stone(&painter, palette, at(point), step * 0.3, team);
    }
    (node.clicked() && picture.may_move.is_some()).then(|| Intent { text: point.to_string() })
}

/// A stone.
pub(crate) fn paint_stone(painter: &Painter, palette: &Palette, at: Pos2, radius: f32, team: Team) {
    let colors = palette.team(team);
    painter.circle(at, radius, colors.piece, Stroke::new((radius * 0.08).max(1.0), colors.accent));
}

pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect) {
    painter.rect_filled(square, 2.0, Color32::from_rgb(0xc9, 0xa0, 0x62));
    let step = square.width() / 4.0;
    for (x, y, team) in [(1.0, 3.0, Team::Black), (2.0, 2.0, Team::Black), (3.0, 1.0, Team::White)] {
        paint_stone(painter, palette, square.min + vec2(x, y) * step, step * 0.45, team);
    }
}
