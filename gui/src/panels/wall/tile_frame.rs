//! One tile of a wall with its little buttons, its card, and the marks while it is dragged.

use eframe::egui::layers::PaintList;
use eframe::egui::{
    Align2, CornerRadius, CursorIcon, Id, Pos2, Rect, RectAlign, Response, Role, Sense, Shape, Stroke,
    StrokeKind, Tooltip, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::BoardOptions;
use grandstand_board::theme::{Palette, mix};

use super::tile::{SharedLayout, Tile, TileLook, button_size};
use super::tiling::{LINE, MARGIN, Text};
use crate::icons::{self, Icon};

/// Least size of a pinned tile's sign, in points.
const SIGN: f32 = 14.0;

/// Style of all tiles.
#[derive(Debug, Clone, Copy)]
pub(super) struct TileStyle {
    pub(super) text: Text,
    pub(super) options: BoardOptions,
    pub(super) common: SharedLayout,
    pub(super) reasons: bool,
    /// Whether tiles can be moved and taken off.
    pub(super) fixed: bool,
    /// Whether a drag moves a tile.
    pub(super) drags: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TileButton {
    Pin,
    Remove,
}

/// What became of a tile's buttons in a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TileButtons {
    pub(super) pressed: Option<TileButton>,
    /// What the button under the pointer does.
    pub(super) pointed: Option<&'static str>,
    /// Whether the tile or one of its buttons has the focus.
    pub(super) has_focus: bool,
}

/// One tile, with its buttons while it has the pointer or the focus.
pub(super) fn show_tile(
    ui: &mut Ui,
    id: Id,
    tile: &Tile,
    rect: Rect,
    manner: TileStyle,
) -> (Response, TileButtons) {
    let TileStyle { text, options, common, reasons, fixed, drags } = manner;
    let hot = ui.rect_contains_pointer(rect);
    let size = button_size(text, rect);
    let place = |n: f32| {
        let min = pos2(rect.right() - (n + 1.0) * (size.x + 2.0) - 2.0, rect.top() + 4.0);
        Rect::from_min_size(min, size)
    };
    let pin = if tile.pinned { "Unpin" } else { "Pin in front" };
    let buttons =
        [(TileButton::Remove, Icon::Close, "Remove from the wall"), (TileButton::Pin, Icon::Pin, pin)];
    let is_led_to = |(.., name): &(_, _, &str)| ui.ctx().memory(|memory| memory.has_focus(id.with(*name)));
    let focused = ui.ctx().memory(|memory| memory.has_focus(id)) || buttons.iter().any(is_led_to);
    let shown = !fixed && (hot || focused);
    let sign = (!fixed && !shown && tile.pinned).then(|| pinned_sign(text, rect));
    let corner = shown.then(|| place(0.0).union(place(1.0))).or(sign).map(|corner| corner.expand(3.0));
    let before = shapes(ui);
    let look = TileLook { text, options, common, reasons, hot, focused, corner };
    let painted = if ui.is_rect_visible(rect) { tile.paint(ui, rect, look) } else { None };
    if let Some(sign) = sign {
        icons::paint(ui.painter(), Icon::Pin, sign, Palette::of(ui.ctx()).accent);
    }
    let is_cut = hot && cuts(ui, before);
    // After the board, so that the tile gets the pointer and not the board's places.
    let sense = if drags { Sense::click_and_drag() } else { Sense::click() };
    let response = ui.interact(rect, id, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, tile.label()));
    let mut told = TileButtons { has_focus: focused, ..TileButtons::default() };
    for (n, (little, icon, name)) in buttons.into_iter().enumerate().filter(|_| !fixed) {
        let place = place(n as f32);
        let button = ui.interact(place, id.with(name), Sense::click());
        button.widget_info(|| {
            WidgetInfo::selected(Role::Button, true, little == TileButton::Pin && tile.pinned, name)
        });
        if shown {
            let palette = Palette::of(ui.ctx());
            let lit = button.hovered() || button.has_focus();
            let fill = mix(palette.panel, palette.text, if lit { 0.22 } else { 0.08 });
            ui.painter().rect_filled(place, CornerRadius::same(6), fill);
            let ink = if little == TileButton::Pin && tile.pinned { palette.accent } else { palette.text };
            icons::paint(ui.painter(), icon, icons::square(place.center(), size.x * 0.6), ink);
            if button.has_focus() {
                let ring = Stroke::new(1.5, palette.accent);
                ui.painter().rect_stroke(place, CornerRadius::same(6), ring, StrokeKind::Inside);
            }
        }
        if button.clicked() {
            told.pressed = Some(little);
        }
        if button.hovered() {
            told.pointed = Some(name);
        }
    }
    let at = response.hover_pos();
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    if let (Some(painted), Some(at)) = (painted, at) {
        show_card(&response, painted.board, at, &tile.card(&painted, at, is_cut));
    }
    (response, told)
}

/// The card on the board, at its edge away from the pointer: names stand beside the board.
fn show_card(response: &Response, board: Rect, at: Pos2, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let edge = if at.y < board.center().y { Align2::CENTER_BOTTOM } else { Align2::CENTER_TOP };
    let mut tooltip = Tooltip::for_enabled(response).gap(0.0);
    let align = RectAlign { parent: edge, child: edge };
    tooltip.popup = tooltip.popup.anchor(board.shrink(2.0)).align(align).align_alternatives(&[]);
    tooltip.show(|ui| {
        ui.set_max_width((board.width() - 20.0).clamp(60.0, 320.0));
        for line in lines {
            ui.label(line);
        }
    });
}

/// The card of a place, in the corner of its board that is farthest from the pointer: the places around it are seen.
pub(crate) fn show_card_in_corner(response: &Response, board: Rect, at: Pos2, words: &str) {
    let middle = board.center();
    let corner = match (at.x < middle.x, at.y < middle.y) {
        (true, true) => Align2::RIGHT_BOTTOM,
        (true, false) => Align2::RIGHT_TOP,
        (false, true) => Align2::LEFT_BOTTOM,
        (false, false) => Align2::LEFT_TOP,
    };
    let mut tooltip = Tooltip::for_enabled(response).gap(0.0);
    let align = RectAlign { parent: corner, child: corner };
    tooltip.popup = tooltip.popup.anchor(board.shrink(2.0)).align(align).align_alternatives(&[]);
    tooltip.show(|ui| {
        ui.set_max_width((board.width() * 0.6).clamp(120.0, 260.0));
        ui.label(words);
    });
}

/// Number of shapes painted so far.
fn shapes(ui: &Ui) -> usize {
    ui.ctx().graphics(|graphics| graphics.get(ui.layer_id()).map_or(0, |list| list.next_idx().0))
}

/// Whether a text among the shapes from that one on is cut.
fn cuts(ui: &Ui, from: usize) -> bool {
    let is_cut = |shape: &Shape| match shape {
        Shape::Text(text) => text.galley.elided || text.galley.text().starts_with('…'),
        _ => false,
    };
    let cuts = |list: &PaintList| list.all_entries().skip(from).any(|clipped| is_cut(&clipped.shape));
    ui.ctx().graphics(|graphics| graphics.get(ui.layer_id()).is_some_and(cuts))
}

/// Place of a pinned tile's sign: at the end of the first line of the captions.
fn pinned_sign(text: Text, tile: Rect) -> Rect {
    let inner = tile.shrink(MARGIN);
    let size = text.size(inner.size());
    let center = inner.right_top() + vec2(-size * 0.6, size * LINE / 2.0);
    icons::square(center, (size * 1.1).max(SIGN))
}

/// Marks the place of the dragged tile and the place under the pointer.
pub(super) fn mark_places(ui: &Ui, from: Rect, to: Option<Rect>) {
    let palette = Palette::of(ui.ctx());
    let layer = eframe::egui::LayerId::new(eframe::egui::Order::Foreground, Id::unique("wall places"));
    let painter = ui.ctx().layer_painter(layer);
    painter.rect_filled(from, CornerRadius::same(8), palette.ground.gamma_multiply(0.6));
    if let Some(to) = to.filter(|to| *to != from) {
        let stroke = Stroke::new(3.0, palette.accent);
        painter.rect_stroke(to, CornerRadius::same(8), stroke, StrokeKind::Inside);
    }
}
