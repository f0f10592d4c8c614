//! Layout of the parts of the screen in a window of some size.

use eframe::egui::{Context, Vec2};
use grandstand_board::scoreboard;

use crate::session::Lane;

/// A window so wide has room for the inspector and the talk at once, in points.
const WIDE: f32 = 1560.0;
/// How much wider the window must be for that when the board is twice as wide as it is high.
const WIDER: f32 = 800.0;
/// A window so wide has room for a panel beside the board.
const ROOMY: f32 = 640.0;
/// A window so high has room for all lanes under the timeline, …
const TALL: f32 = 700.0;
/// … and one so high for one.
const MIDDLING: f32 = 560.0;
/// A window so narrow is a phone's.
const PHONE: f32 = 480.0;

/// How high a lane is with the room below it.
pub(crate) const LANE: f32 = 15.0;

/// The layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    /// The window is less high than usual: the timeline is one row.
    pub low: bool,
    /// The window is as narrow as a phone.
    pub phone: bool,
    /// How many lanes there is room for under the timeline.
    lanes: usize,
    /// Where the panel with the plots, the talk and the protocol lies.
    pub panel: PanelPlacement,
    /// Whether the panel is open until the viewer says otherwise.
    pub panel_open: bool,
}

/// Where the panel lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelPlacement {
    /// On both sides of the board, the protocol at the left.
    BothSides,
    /// At the right.
    Right,
    /// Below the board, as a sheet.
    Below,
}

impl ScreenLayout {
    /// The layout of the window.
    pub(crate) fn of(ctx: &Context) -> ScreenLayout {
        ScreenLayout::fitting(ctx.content_rect().size())
    }

    /// The layout of a window of this size, in points.
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

    /// The layout of a window `width` wide around a board that is so many times as wide as it is high.
    pub(crate) fn around(self, shape: f32, width: f32) -> ScreenLayout {
        match self.panel {
            PanelPlacement::BothSides if width < WIDE + WIDER * (shape - 1.0) => {
                ScreenLayout { panel: PanelPlacement::Right, ..self }
            }
            _ => self,
        }
    }

    /// Whether fingers are likelier than a mouse.
    pub(crate) fn is_touched(self) -> bool {
        self.phone || self.low
    }

    /// How high a row of a menu is: high enough for a finger on a phone.
    pub(crate) fn row_height(self) -> f32 {
        if self.is_touched() { 42.0 } else { 30.0 }
    }

    /// How large a button in the bar at the top is.
    pub(crate) fn top_button(self) -> f32 {
        if self.is_touched() { self.top_height() - 2.0 } else { 30.0 }
    }

    /// How high the bar at the top is.
    pub(crate) fn top_height(self) -> f32 {
        if self.low { 38.0 } else { 44.0 }
    }

    /// How many lanes there is room for under the timeline.
    pub(crate) fn lanes(self) -> usize {
        self.lanes
    }

    /// How high the timeline is with so many lanes.
    pub(crate) fn timeline_height(self, lanes: usize) -> f32 {
        if self.low { 50.0 } else { 106.0 + LANE * lanes as f32 }
    }

    /// Whether the score lies in the panel, when that is open, and leaves its line to the board.
    pub(crate) fn score_in_panel(self) -> bool {
        self.low && self.panel != PanelPlacement::Below
    }

    /// How high the line with the score is.
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
            // Phones across and upright.
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
