//! Camera for a fight: it frames the units that fight and stays with them. It rests while they are within its frame, and moves as
//! fast as the eye follows.

use eframe::egui::{Pos2, Rect, Response, Ui, Vec2};
use grandstand_board::zoom::BoardZoom;

use crate::panels::board_inspector::Shown;

/// Size of a frame in sizes of the fight, and the part of its frame below which a fight gets a closer one.
const ROOM: f32 = 1.35;
const CLOSER: f32 = 0.55;
/// Part of the way to a new frame that is left after a second, as an exponent.
const SPEED: f32 = 4.0;

/// The camera.
#[derive(Debug, Default)]
pub(super) struct FightCamera {
    /// What it shows or goes to, in widths and heights of the board from its middle.
    frame: Option<Rect>,
}

impl FightCamera {
    /// Moves the view of the board with the fight.
    pub(super) fn follow(&mut self, ui: &Ui, view: &mut BoardZoom, shown: &Shown<'_>, closest: f32) {
        let within = |at: Vec2| (at / shown.rect.size().max(Vec2::splat(1.0))).to_pos2();
        if let Some(fight) = shown.fight() {
            let from = |at: Pos2| within(at - shown.rect.center());
            self.take(Rect::from_min_max(from(fight.min), from(fight.max)));
        }
        let Some(frame) = self.frame else { return };
        let part = 1.0 - (-SPEED * ui.input(|input| input.stable_dt)).exp();
        if !view.frame((frame.center().to_vec2(), frame.size()), closest, part) {
            ui.ctx().request_repaint();
        }
    }

    /// Takes a new frame for a fight that leaves the present one, or is much smaller.
    fn take(&mut self, fight: Rect) {
        let side = (fight.size() * ROOM).max_elem();
        let stays = |frame: &Rect| frame.contains_rect(fight) && side > frame.width() * CLOSER;
        if !self.frame.is_some_and(|frame| stays(&frame)) {
            self.frame = Some(Rect::from_center_size(fight.center(), Vec2::splat(side)));
        }
    }
}

/// Whether the viewer moves the board that this is the response of.
pub(super) fn is_handled(ui: &Ui, response: &Response) -> bool {
    let zooms = ui.input(|input| input.zoom_delta() != 1.0 || input.multi_touch().is_some());
    response.drag_delta() != Vec2::ZERO || response.double_clicked() || zooms && response.contains_pointer()
}

#[cfg(test)]
mod tests {
    use eframe::egui::pos2;

    use super::*;

    #[test]
    fn the_frame_rests_while_the_fight_is_within_it() {
        let fight = |x: f32, size: f32| Rect::from_center_size(pos2(x, 0.0), Vec2::splat(size));
        let mut camera = FightCamera::default();
        camera.take(fight(0.1, 0.2));
        let first = camera.frame.expect("a frame");
        let is_at = |frame: Rect, x: f32| frame.center().distance(pos2(x, 0.0)) < 1e-3;
        assert!((first.width() - 0.27).abs() < 1e-3 && is_at(first, 0.1), "{first}");
        camera.take(fight(0.12, 0.16));
        assert_eq!(camera.frame, Some(first), "still within it");
        camera.take(fight(0.3, 0.2));
        assert!(camera.frame.is_some_and(|frame| is_at(frame, 0.3)), "it has gone");
        camera.take(fight(0.3, 0.06));
        assert!(camera.frame.is_some_and(|frame| frame.width() < 0.1), "much smaller");
    }
}
