//! Notice: what has just been done, for a short time, and a way to take it back.

use std::time::Duration;

use eframe::egui::{Align2, Area, Context, Frame, Id, Label, Margin, Stroke, vec2};
use grandstand_board::theme::Palette;

use super::App;
use crate::actions::Action;
use crate::layout::ScreenLayout;

/// Time for which a notice with a button is shown, in seconds.
const OFFERED_SECS: f64 = 8.0;

/// A notice.
#[derive(Debug)]
pub(super) struct Notice {
    words: String,
    /// The time until which it is shown, in seconds of the interface's time.
    until: f64,
    /// The text of its button, and what that does.
    offer: Option<(&'static str, Action)>,
}

impl Notice {
    /// A notice that is shown until this time.
    pub(super) fn new(words: impl Into<String>, until: f64) -> Notice {
        Notice { words: words.into(), until, offer: None }
    }
}

impl App {
    /// Shows a notice with a button, as long as that has an effect.
    pub(super) fn say_and_offer(&mut self, ctx: &Context, words: &str, offer: (&'static str, Action)) {
        let until = ctx.input(|input| input.time) + OFFERED_SECS;
        self.notice = Some(Notice { offer: Some(offer), ..Notice::new(words, until) });
    }

    /// Shows the notice at the lower edge of the boards, else of what is above the timeline.
    pub(super) fn show_notice(&mut self, ctx: &Context) {
        let area = self.notice_area.take();
        let now = ctx.input(|input| input.time);
        let Some(notice) = &self.notice else { return };
        let is_vain = notice.offer.is_some_and(|(_, action)| !self.is_possible(action));
        if now >= notice.until || is_vain {
            self.notice = None;
            return;
        }
        ctx.request_repaint_after(Duration::from_secs_f64(notice.until - now));
        let palette = Palette::of(ctx);
        let area = area.unwrap_or_else(|| {
            let (layout, screen) = (ScreenLayout::of(ctx), ctx.content_rect());
            screen.with_max_y(screen.bottom() - layout.timeline_height(layout.lanes()))
        });
        let mut asked = None;
        Area::new(Id::unique("notice"))
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(area.center_bottom() - vec2(0.0, 10.0))
            .interactable(notice.offer.is_some())
            .show(ctx, |ui| {
                let frame = Frame::new()
                    .fill(palette.raised)
                    .corner_radius(16.0)
                    .inner_margin(Margin::symmetric(14, 7));
                frame.stroke(Stroke::new(1.0, palette.line)).show(ui, |ui| {
                    ui.set_max_width((area.width() - 60.0).clamp(120.0, 720.0));
                    let Some((text, action)) = notice.offer else {
                        // A copied address is seen whole.
                        ui.add(Label::new(&notice.words).wrap());
                        return;
                    };
                    ui.horizontal(|ui| {
                        ui.label(&notice.words);
                        let button = ui.button(text).on_hover_text(action.tooltip());
                        asked = button.clicked().then_some(action);
                    });
                });
            });
        if let Some(action) = asked {
            self.perform(ctx, action);
        }
    }
}
