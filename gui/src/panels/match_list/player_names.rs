//! Names of a row's players with their signs: beside each other where they fit, else cut as little as possible.

use eframe::egui::{Color32, FontId, Ui, pos2};
use grandstand_board::badge::team_badge;
use grandstand_board::text::{common_limit, paint_left};
use grandstand_board::theme::Palette;
use grandstand_story::sides::Side;

/// Room of a sign with its gap, and of the gap after a name, in points.
const SIGN: f32 = 17.0;
pub(super) const AFTER: f32 = 14.0;

/// Players of a match.
pub(super) struct PlayerNames<'a> {
    sides: &'a [Side],
    /// Key of the winner, where it may be told: the others are painted weak.
    winner: Option<&'a str>,
    font: FontId,
    widths: Vec<f32>,
}

impl<'a> PlayerNames<'a> {
    pub(super) fn new(ui: &Ui, sides: &'a [Side], winner: Option<&'a str>, font: FontId) -> Self {
        let width = |side: &Side| {
            let name = side.short().to_owned();
            ui.painter().layout_no_wrap(name, font.clone(), Color32::WHITE).size().x
        };
        let widths = sides.iter().map(width).collect();
        PlayerNames { sides, winner, font, widths }
    }

    /// Whether all names fit beside each other.
    pub(super) fn fit(&self, room: f32) -> bool {
        self.widths.iter().map(|width| width + SIGN + AFTER).sum::<f32>() - AFTER <= room
    }

    /// Paints them in one line with its left middle at `x` and `y`; returns the x position after the last one.
    pub(super) fn show(&self, ui: &Ui, (mut x, y): (f32, f32), room: f32) -> f32 {
        let signs = self.sides.len() as f32 * (SIGN + AFTER) - AFTER;
        let most = common_limit(&self.widths, room - signs);
        for index in 0..self.sides.len() {
            x += self.one(ui, index, (x, y), most) + AFTER;
        }
        x
    }

    /// Paints one name with its sign; returns their width.
    pub(super) fn one(&self, ui: &Ui, index: usize, (x, y): (f32, f32), room: f32) -> f32 {
        let palette = Palette::of(ui.ctx());
        let side = &self.sides[index];
        team_badge(ui, side, pos2(x + 6.0, y), 6.0);
        let lost = self.winner.is_some_and(|winner| winner != side.key);
        let ink = if lost { palette.weak } else { palette.text };
        SIGN + paint_left(ui.painter(), pos2(x + SIGN, y), side.short(), self.font.clone(), ink, room)
    }
}
