//! Layout of the screen by the window's size.

use eframe::egui::style::Spacing;
use eframe::egui::{Context, Ui, Vec2};
use grandstand_board::{scoreboard, theme};

use crate::session::Lane;

/// Width of the window from which the panel lies on both sides of the board, in points.
const WIDE: f32 = 1560.0;
/// Additional width for that with a board twice as wide as high, in points.
const WIDER: f32 = 800.0;
/// Width from which the panel lies beside the board.
const ROOMY: f32 = 640.0;
/// Width from which it does so from the start beside a board that people play on.
const SPACIOUS: f32 = 1000.0;
/// Height from which all lanes have room under the timeline.
const TALL: f32 = 700.0;
/// Height from which one lane has.
const MIDDLING: f32 = 560.0;
/// Width below which the window is a phone's.
const PHONE: f32 = 480.0;
/// Shortest side of a control that a finger presses, in points.
pub(crate) const FINGER: f32 = 44.0;

/// Largest part of the window's height that a list takes which drops down.
const LIST: f32 = 0.6;
/// Largest width of a tooltip, and its distance from the window's edges together, in points.
const TIP: f32 = 500.0;
const TIP_APART: f32 = 28.0;

/// Height of a lane with the gap below it, in points.
pub(crate) const LANE: f32 = 16.0;

/// Layout of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    /// The window is low: the timeline has one row.
    pub low: bool,
    /// The window is as narrow as a phone.
    pub phone: bool,
    /// Number of lanes that fit under the timeline.
    lanes: usize,
    /// Place of the side panel.
    pub panel: PanelPlacement,
    /// Whether the panel is open by default.
    pub panel_open: bool,
}

/// Place of the side panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelPlacement {
    /// On both sides of the board, the protocol at the left.
    BothSides,
    /// At the right of the board.
    Right,
    /// Below the board, as a sheet.
    Below,
}

impl ScreenLayout {
    /// Layout of the window.
    pub(crate) fn of(ctx: &Context) -> ScreenLayout {
        ScreenLayout::fitting(ctx.content_rect().size())
    }

    /// Layout of a window of this size, in points.
    fn fitting(size: Vec2) -> ScreenLayout {
        let panel = match size.x {
            x if x >= WIDE => PanelPlacement::BothSides,
            x if x >= ROOMY || x > size.y => PanelPlacement::Right,
            _ => PanelPlacement::Below,
        };
        let low = scoreboard::is_low(size);
        let phone = size.x < PHONE;
        let lanes = match size.y {
            _ if low => 0,
            y if phone || y < TALL => usize::from(y >= MIDDLING),
            _ => Lane::ALL.len(),
        };
        ScreenLayout { low, phone, lanes, panel, panel_open: size.x >= ROOMY }
    }

    /// Layout of a match that people play, in a window of this width: the panel lies at one side, and in a small window
    /// the board has its room until the viewer opens it.
    pub(crate) fn played(self, width: f32) -> ScreenLayout {
        let panel = match self.panel {
            PanelPlacement::BothSides => PanelPlacement::Right,
            other => other,
        };
        ScreenLayout { panel, panel_open: self.panel_open && width >= SPACIOUS, ..self }
    }

    /// Layout with the panel open or closed from the start.
    pub(crate) fn opened(self, panel_open: bool) -> ScreenLayout {
        ScreenLayout { panel_open, ..self }
    }

    /// Layout around a board of a shape (width divided by height), in a window of this width.
    pub(crate) fn around(self, shape: f32, width: f32) -> ScreenLayout {
        match self.panel {
            PanelPlacement::BothSides if width < WIDE + WIDER * (shape - 1.0) => {
                ScreenLayout { panel: PanelPlacement::Right, ..self }
            }
            _ => self,
        }
    }

    /// Whether the window is probably a phone's and touched by fingers.
    pub(crate) fn is_touched(self) -> bool {
        self.phone || self.low
    }

    /// Side of a control that measures `usual` points under a pointer; on a phone large enough for a finger.
    pub(crate) fn control(self, usual: f32) -> f32 {
        if self.is_touched() { usual.max(FINGER) } else { usual }
    }

    /// Gives the controls of egui the height of this layout, and lists that drop down and tooltips the room of the window, in
    /// this frame and the next ones.
    pub(crate) fn size_controls(self, ui: &mut Ui) {
        let screen = ui.ctx().content_rect().size();
        let (height, list, tip) =
            (self.control(theme::CONTROL), screen.y * LIST, TIP.min(screen.x - TIP_APART));
        let spacing = ui.spacing();
        if (spacing.interact_size.y, spacing.combo_height, spacing.tooltip_width) != (height, list, tip) {
            let set = |spacing: &mut Spacing| {
                (spacing.interact_size.y, spacing.combo_height, spacing.tooltip_width) = (height, list, tip);
            };
            ui.ctx().all_styles_mut(|style| set(&mut style.spacing));
            set(ui.spacing_mut());
        }
    }

    /// Height of a menu's row, in points.
    pub(crate) fn row_height(self) -> f32 {
        self.control(30.0)
    }

    /// Height of the top bar, in points.
    pub(crate) fn top_height(self) -> f32 {
        FINGER
    }

    /// Number of lanes that fit under the timeline.
    pub(crate) fn lanes(self) -> usize {
        self.lanes
    }

    /// Height of the timeline with so many lanes, in points.
    pub(crate) fn timeline_height(self, lanes: usize) -> f32 {
        if self.low { 50.0 } else { 69.0 + self.control(40.0) + LANE * lanes as f32 }
    }

    /// Whether the open panel contains the score, so that the board gets its line.
    pub(crate) fn score_in_panel(self) -> bool {
        self.low && self.panel != PanelPlacement::Below
    }

    /// Height of the score's line, in points.
    pub(crate) fn score_height(self) -> f32 {
        if self.low { 50.0 } else { 68.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panel_lies_where_the_board_leaves_room() {
        for (width, height, panel, open, low) in [
            (1920.0, 1080.0, PanelPlacement::BothSides, true, false),
            (1280.0, 800.0, PanelPlacement::Right, true, false),
            (768.0, 1024.0, PanelPlacement::Right, true, false),
            // The smallest window.
            (480.0, 400.0, PanelPlacement::Right, false, false),
            // Phones in landscape and portrait.
            (915.0, 412.0, PanelPlacement::Right, true, true),
            (740.0, 360.0, PanelPlacement::Right, true, true),
            (568.0, 320.0, PanelPlacement::Right, false, true),
            (390.0, 844.0, PanelPlacement::Below, false, false),
            (360.0, 460.0, PanelPlacement::Below, false, false),
        ] {
            let layout = ScreenLayout::fitting(Vec2::new(width, height));
            assert_eq!(
                (layout.panel, layout.panel_open, layout.low),
                (panel, open, low),
                "{width} × {height}"
            );
        }
    }

    #[test]
    fn a_wide_board_takes_the_place_of_the_second_panel() {
        let panel =
            |width: f32, shape| ScreenLayout::fitting(Vec2::new(width, 1080.0)).around(shape, width).panel;
        assert_eq!(panel(1920.0, 1.0), PanelPlacement::BothSides);
        assert_eq!(panel(1920.0, 2.0), PanelPlacement::Right);
        assert_eq!(panel(2560.0, 2.0), PanelPlacement::BothSides);
        assert_eq!(panel(500.0, 2.0), panel(500.0, 1.0));
    }
}
