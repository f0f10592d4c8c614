//! Cell of a table: a text that can be pressed, or a figure.

use eframe::egui::{
    Align, Color32, CursorIcon, FontFamily, FontId, Id, Rect, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};
use grandstand_board::text::fitted;
use grandstand_board::theme::{BODY, Palette, mix, semibold};

use super::{PAD, SIGN};
use crate::icons::{self, Icon};
use crate::tournament::TournamentRequest;

/// A cell.
#[derive(Debug, Clone, Default)]
pub(in crate::tournament) struct Cell {
    pub text: String,
    pub strong: bool,
    pub weak: bool,
    /// Action of a press.
    pub press: Option<TournamentRequest>,
    /// Tooltip, also for screen readers.
    pub tip: String,
    pub fill: Option<Color32>,
    /// Icon before the text.
    pub icon: Option<Icon>,
    pub figure: Option<Figure>,
}

/// A picture in a cell; positions are from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(in crate::tournament) enum Figure {
    /// A value within an interval, and a vertical line that all rows share.
    Interval { low: f32, high: f32, at: f32, zero: f32 },
    /// The parts of games that were won and drawn.
    Share { won: f32, drawn: f32 },
}

impl Cell {
    pub(in crate::tournament) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    pub(in crate::tournament) fn strong(mut self) -> Cell {
        self.strong = true;
        self
    }

    pub(in crate::tournament) fn weak(mut self) -> Cell {
        self.weak = true;
        self
    }

    pub(in crate::tournament) fn press(mut self, press: Option<TournamentRequest>) -> Cell {
        self.press = press;
        self
    }

    pub(in crate::tournament) fn tip(mut self, tip: impl Into<String>) -> Cell {
        self.tip = tip.into();
        self
    }

    pub(in crate::tournament) fn figure(mut self, figure: Figure, words: String) -> Cell {
        (self.figure, self.tip) = (Some(figure), words);
        self
    }

    /// Font of the text.
    pub(super) fn font(&self) -> FontId {
        FontId::new(BODY, if self.strong { semibold() } else { FontFamily::Proportional })
    }

    /// Shows the cell, its text aligned within the padding and `rise` points above the middle; returns what was pressed.
    pub(in crate::tournament) fn show(
        &self,
        ui: &mut Ui,
        id: Id,
        rect: Rect,
        ((align, pad), rise): ((Align, f32), f32),
    ) -> Option<TournamentRequest> {
        let palette = Palette::of(ui.ctx());
        if let Some(fill) = self.fill {
            ui.painter().rect_filled(rect, 0.0, fill);
        }
        let mut clicked = false;
        let mut hot = false;
        if self.press.is_some() || !self.tip.is_empty() {
            let sense = if self.press.is_some() { Sense::click() } else { Sense::hover() };
            let response = ui.interact(rect, id, sense);
            (clicked, hot) = (response.clicked(), response.hovered() || response.has_focus());
            if self.press.is_some() {
                let words = if self.tip.is_empty() { self.text.clone() } else { self.tip.clone() };
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
            }
            ring(ui, rect, response.has_focus());
            let response = if self.press.is_some() {
                response.on_hover_cursor(CursorIcon::PointingHand)
            } else {
                response
            };
            if !self.tip.is_empty() && self.tip != self.text {
                response.on_hover_text(&self.tip);
            }
        }
        let rect = rect.translate(vec2(0.0, -rise));
        if let Some(figure) = self.figure {
            paint_figure(ui, rect.shrink2(vec2(PAD, 0.0)), figure);
            return self.press.clone().filter(|_| clicked);
        }
        let ink = match () {
            () if hot && self.press.is_some() => palette.accent,
            () if self.weak => palette.weak,
            () => palette.text,
        };
        let sign = if self.icon.is_some() { SIGN } else { 0.0 };
        let galley = fitted(ui.painter(), &self.text, self.font(), ink, rect.width() - 2.0 * pad - sign);
        let inner = rect.x_range().shrink(pad);
        let x = align.align_size_within_range(galley.size().x + sign, inner).min + sign;
        let at = pos2(x, rect.center().y - galley.size().y / 2.0);
        if let Some(icon) = self.icon {
            icons::paint(
                ui.painter(),
                icon,
                icons::square(pos2(x - SIGN * 0.55, rect.center().y), 11.0),
                ink,
            );
        }
        if self.press.is_some() {
            let under = Stroke::new(1.0, mix(palette.raised, ink, if hot { 0.9 } else { 0.3 }));
            ui.painter().hline(x..=x + galley.size().x, at.y + galley.size().y - 1.0, under);
        }
        ui.painter().galley(at, galley, ink);
        self.press.clone().filter(|_| clicked)
    }
}

/// Ring around what has the focus.
pub(super) fn ring(ui: &Ui, rect: Rect, focused: bool) {
    if focused {
        let stroke = Stroke::new(1.5, Palette::of(ui.ctx()).accent);
        ui.painter().rect_stroke(rect, 4.0, stroke, StrokeKind::Inside);
    }
}

fn paint_figure(ui: &Ui, rect: Rect, figure: Figure) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let (y, x) = (rect.center().y, |part: f32| rect.left() + rect.width() * part.clamp(0.0, 1.0));
    match figure {
        Figure::Interval { low, high, at, zero } => {
            if (0.0..=1.0).contains(&zero) {
                painter.vline(x(zero), rect.y_range(), Stroke::new(1.0, palette.line));
            }
            let stroke = Stroke::new(1.5, palette.weak);
            painter.hline(x(low)..=x(high), y, stroke);
            for end in [low, high] {
                painter.vline(x(end), y - 4.0..=y + 4.0, stroke);
            }
            painter.circle_filled(pos2(x(at), y), 3.5, palette.accent);
        }
        Figure::Share { won, drawn } => {
            let bar = Rect::from_center_size(rect.center(), vec2(rect.width(), 9.0));
            painter.rect_filled(bar, 3.0, mix(palette.raised, palette.weak, 0.3));
            let part = |until: f32| Rect::from_min_max(bar.min, pos2(x(until), bar.max.y));
            painter.rect_filled(part(won + drawn), 3.0, palette.warning);
            painter.rect_filled(part(won), 3.0, palette.good);
        }
    }
}
