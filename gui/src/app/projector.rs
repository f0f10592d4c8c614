//! Projector mode: boards in full screen with text for the back of a room; the bars are hidden until the pointer moves.

use eframe::egui::{
    Area, CentralPanel, Context, CursorIcon, Frame, Id, Margin, Order, Rect, Ui, UiBuilder, Vec2, pos2, vec2,
};
use grandstand_board::theme::Palette;
use grandstand_story::games::sides;

use super::notice::Notice;
use super::perform::set_fullscreen;
use super::{App, wake};
use crate::layout::ScreenLayout;
use crate::panels::timeline;
use crate::panels::wall::{Framing, Text, paint_board};
use crate::session::Stage;

/// Time after the last movement for which the bars are shown, in seconds.
const SEEN: f64 = 3.0;

/// Largest width of a wall's bar, in points.
const WALL_BAR: f32 = 860.0;

/// State of the mode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Projector {
    /// Time of the pointer's last movement, in seconds of egui's clock.
    moved: f64,
}

impl App {
    pub(super) fn toggle_projector(&mut self, ctx: &Context) {
        let begin = self.projector.is_none();
        set_fullscreen(ctx, begin);
        // The bars with the way out are shown for the first seconds.
        self.projector = begin.then(|| Projector { moved: ctx.input(|input| input.time) });
        let words = if begin { "Projector mode: Shift+F ends it" } else { "Projector mode off" };
        self.notice = Some(Notice::new(words.to_owned(), ctx.input(|input| input.time) + SEEN));
    }

    /// Whether a match or a wall is shown in projector mode.
    pub(super) fn is_projected(&self) -> bool {
        let boards = self.session.is_some() || self.wall.is_some();
        self.projector.is_some() && boards && self.compare.is_none()
    }

    /// Text size of boards: for a viewer before the screen, or for a room.
    pub(super) fn text(&self, ctx: &Context) -> Text {
        if self.projector.is_some() { Text::Far(ctx.content_rect().height()) } else { Text::Near }
    }

    /// Whether the bars are hidden now.
    pub(super) fn hides_bars(&mut self, ctx: &Context) -> bool {
        let Some(projector) = &mut self.projector else { return false };
        let (now, moves) =
            ctx.input(|input| (input.time, input.pointer.delta() != Vec2::ZERO || input.pointer.any_down()));
        let busy = ctx.text_edit_focused() || ctx.any_popup_open();
        if moves || busy {
            projector.moved = now;
        }
        let left = projector.moved + SEEN - now;
        if left > 0.0 {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64(left));
        } else {
            ctx.set_cursor_icon(CursorIcon::None);
        }
        left <= 0.0
    }

    /// Shows a match or a wall in full screen, with the bars above it.
    pub(super) fn show_projected(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let whole = ctx.content_rect();
        if self.session.is_some() {
            self.show_projected_match(ui);
        } else {
            self.show_wall_screen(ui);
        }
        if self.hides_bars(&ctx) {
            return;
        }
        let palette = Palette::of(&ctx);
        let layout = ScreenLayout::of(&ctx);
        let bar = |name: &'static str, rect: Rect, show: &mut dyn FnMut(&mut Ui)| {
            let area = Area::new(Id::unique(name)).order(Order::Foreground).fixed_pos(rect.min);
            area.movable(false).show(&ctx, |ui| {
                ui.painter().rect_filled(rect, 0.0, palette.panel.gamma_multiply(0.96));
                ui.allocate_rect(rect, eframe::egui::Sense::hover());
                ui.scope_builder(UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0))), |ui| show(ui));
            });
        };
        let height = layout.top_height();
        if self.session.is_none() {
            // At the lower edge of a wall it covers no names.
            let width = whole.width().min(WALL_BAR);
            let min = pos2(whole.center().x - width / 2.0, whole.bottom() - height);
            bar("projector wall", Rect::from_min_size(min, vec2(width, height)), &mut |ui| self.top_bar(ui));
            return;
        }
        let top = Rect::from_min_size(whole.min, vec2(whole.width(), height));
        bar("projector top", top, &mut |ui| self.top_bar(ui));
        let Some(session) = self.session.as_ref().filter(|session| matches!(session.stage, Stage::Open))
        else {
            return;
        };
        let mut ask = None;
        let min = pos2(whole.left(), whole.bottom() - timeline::height(layout, session));
        bar("projector timeline", Rect::from_min_max(min, whole.max), &mut |ui| {
            let sides = sides(session.scene(), &session.about.teams);
            self.timeline.set_upright(false);
            ask = self.timeline.show(ui, layout, session, &sides);
        });
        if let Some(ask) = ask {
            self.ask(&ctx, ask);
        }
    }

    /// One match, painted as a wall with one tile.
    fn show_projected_match(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let palette = Palette::of(&ctx);
        let (text, options) = (self.text(&ctx), self.board_options());
        let Some(session) = &mut self.session else { return };
        let mut request = None;
        let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(8));
        CentralPanel::default().frame(frame).show(ui, |ui| {
            let sides = sides(session.scene(), &session.about.teams);
            let shown = (&**session, session.picture(&sides));
            request = paint_board(ui, ui.max_rect(), shown, &Framing::new(text, options))
                .and_then(|painted| painted.request);
        });
        if let Some(request) = request {
            session.request(request, wake(&ctx));
        }
    }
}
