//! Buttons with painted icons, and chips.

use eframe::egui::{
    Button, Color32, CornerRadius, FontId, Pos2, Rect, Response, RichText, Role, Sense, Stroke, StrokeKind,
    Ui, Vec2, Widget, WidgetInfo, vec2,
};
use grandstand_board::theme::{Palette, SMALL, mix, semibold};

use super::disabled::keep_focus;
use crate::actions::{Action, tooltip};
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;

/// The main button of a group, with a text.
pub(crate) fn main_button(text: &str, palette: &Palette) -> Button<'static> {
    Button::new(RichText::new(text).family(semibold()).color(palette.panel)).fill(palette.accent)
}

/// Height that a word below the icon adds to a button, in points.
const CAPTION: f32 = 8.0;

/// A square button with an icon; its tooltip names the action and its key.
#[must_use]
pub(crate) struct IconButton {
    icon: Icon,
    label: String,
    tooltip: String,
    selected: bool,
    enabled: bool,
    size: f32,
    prominent: bool,
    /// A word below the icon, with the least width of the button.
    caption: Option<(&'static str, f32)>,
}

impl IconButton {
    pub(crate) fn new(icon: Icon, action: Action) -> IconButton {
        IconButton { tooltip: action.tooltip(), ..IconButton::plain(icon, action.name()) }
    }

    /// A button for something that is not in the table of actions.
    pub(crate) fn plain(icon: Icon, label: &str) -> IconButton {
        IconButton {
            icon,
            label: label.to_owned(),
            tooltip: label.to_owned(),
            selected: false,
            enabled: true,
            size: 30.0,
            prominent: false,
            caption: None,
        }
    }

    /// Another name than the action's, for what the button does now.
    pub(crate) fn label(mut self, label: &str) -> IconButton {
        label.clone_into(&mut self.label);
        self
    }

    /// Another tooltip than its name.
    pub(crate) fn hint(mut self, hint: &str) -> IconButton {
        hint.clone_into(&mut self.tooltip);
        self
    }

    /// Another name than the action's, also in the tooltip: the game's own term.
    pub(crate) fn called(mut self, action: Action, name: &str) -> IconButton {
        name.clone_into(&mut self.label);
        self.tooltip = action.tooltip_with(name);
        self
    }

    /// The name with the game's word for a turn, and the key that the action has there; `by_moves`: in a game by moves.
    pub(crate) fn named(mut self, action: Action, turn: Option<&str>, by_moves: bool) -> IconButton {
        self.label = action.name_with(turn);
        self.tooltip = tooltip(&self.label, action.keys(by_moves));
        self
    }

    pub(crate) fn selected(mut self, selected: bool) -> IconButton {
        self.selected = selected;
        self
    }

    pub(crate) fn enabled(mut self, enabled: bool) -> IconButton {
        self.enabled = enabled;
        self
    }

    /// Size under a pointer, in points; a finger has more.
    pub(crate) fn sized(mut self, size: f32) -> IconButton {
        self.size = size;
        self
    }

    /// A button with a word below its icon, and a least width.
    pub(crate) fn captioned(mut self, caption: &'static str, width: f32) -> IconButton {
        self.caption = Some((caption, width));
        self
    }

    /// The width that a word below an icon needs.
    pub(crate) fn caption_width(ui: &Ui, caption: &str) -> f32 {
        let text = caption.to_owned();
        ui.painter().layout_no_wrap(text, FontId::proportional(SMALL), Color32::WHITE).size().x + 8.0
    }

    /// A round, filled, larger button, for the most important one of a row.
    pub(crate) fn prominent(mut self) -> IconButton {
        self.prominent = true;
        self.size = 38.0;
        self
    }
}

impl Widget for IconButton {
    fn ui(self, ui: &mut Ui) -> Response {
        let palette = Palette::of(ui.ctx());
        let sense = if self.enabled { Sense::click() } else { Sense::hover() };
        let side = ScreenLayout::of(ui.ctx()).control(self.size);
        let focused = ui.memory(|memory| memory.focused());
        let size = match self.caption {
            Some((_, width)) => vec2(side.max(width), side + CAPTION),
            None => Vec2::splat(side),
        };
        let (rect, response) = ui.allocate_exact_size(size, sense);
        if !self.enabled {
            keep_focus(ui, focused, &response);
        }
        response.widget_info(|| WidgetInfo::selected(Role::Button, self.enabled, self.selected, &self.label));
        if ui.is_rect_visible(rect) {
            let visuals = ui.style().interact(&response);
            let radius = if self.prominent { side / 2.0 } else { 7.0 };
            let radius = CornerRadius::same(radius as u8);
            let hot = response.hovered() || response.has_focus();
            let (fill, ink) = match (self.enabled, self.prominent, self.selected) {
                (false, ..) => (Color32::TRANSPARENT, palette.weak.gamma_multiply(0.45)),
                (_, true, _) => {
                    (mix(palette.accent, palette.text, if hot { 0.25 } else { 0.0 }), palette.panel)
                }
                (_, _, true) => (mix(palette.panel, palette.accent, 0.22), palette.accent),
                _ if hot => (visuals.weak_bg_fill, palette.text),
                _ => (Color32::TRANSPARENT, palette.weak),
            };
            ui.painter().rect_filled(rect, radius, fill);
            if response.has_focus() {
                let ring = Stroke::new(1.5, palette.accent);
                ui.painter().rect_stroke(rect, radius, ring, StrokeKind::Inside);
            }
            let sign = if self.prominent { 18.0 } else { 16.0 };
            let mut middle = rect.center();
            if let Some((caption, _)) = self.caption {
                middle.y -= CAPTION / 2.0 + 2.0;
                let text = ui.painter().layout_no_wrap(caption.to_owned(), FontId::proportional(SMALL), ink);
                let below = Rect::from_center_size(middle + vec2(0.0, sign / 2.0 + 9.0), text.size());
                ui.painter().galley(below.min, text, ink);
            }
            icons::paint(ui.painter(), self.icon, icons::square(middle, sign), ink);
        }
        response.on_hover_text(self.tooltip)
    }
}

/// Width of a chip's dot with the gap after it, in points.
const DOT: f32 = 14.0;

/// Width of a chip.
pub(crate) fn chip_width(ui: &Ui, text: &str, dot: bool) -> f32 {
    let font = FontId::new(SMALL, semibold());
    let text = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x;
    text + 16.0 + if dot { DOT } else { 0.0 }
}

/// Height of a chip, in points.
const CHIP: f32 = 21.0;

/// Paints a chip with its left middle at `at`; returns its width. The words are told elsewhere.
pub(crate) fn paint_chip(ui: &Ui, at: Pos2, text: &str, ink: Color32, dot: bool) -> f32 {
    let palette = Palette::of(ui.ctx());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::new(SMALL, semibold()), ink);
    let lead = if dot { DOT } else { 0.0 };
    let size = vec2(galley.size().x + 16.0 + lead, CHIP);
    let rect = Rect::from_min_size(at - vec2(0.0, CHIP / 2.0), size);
    ui.painter().rect_filled(rect, rect.height() / 2.0, mix(palette.panel, ink, 0.14));
    if dot {
        ui.painter().circle_filled(rect.left_center() + vec2(13.0, 0.0), 3.5, ink);
    }
    let words = rect.left_center() + vec2(8.0 + lead, -galley.size().y / 2.0);
    ui.painter().galley(words, galley, ink);
    size.x
}

/// A small rounded label for a state.
pub(crate) fn chip(ui: &mut Ui, text: &str, ink: Color32, dot: bool) -> Response {
    let size = vec2(chip_width(ui, text, dot), CHIP);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    paint_chip(ui, rect.left_center(), text, ink, dot);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}
