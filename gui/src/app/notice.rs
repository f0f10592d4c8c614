//! Notice: what has just been done, for a short time, and a way to take it back.

use std::time::Duration;

use eframe::egui::{Align2, Area, Context, FontId, Frame, Id, Label, Margin, Rect, Stroke, pos2};
use grandstand_board::theme::{BODY, Palette};

use super::App;
use crate::actions::Action;
use crate::layout::ScreenLayout;

/// Time for which a notice with a button is shown, in seconds.
const OFFERED_SECS: f64 = 8.0;
/// Margin around the words.
const INSET: Margin = Margin::symmetric(14, 6);
/// Width of a button besides its text, with the gap before it, in points.
const BUTTON: f32 = 28.0;

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

    /// Whether it offers something.
    pub(super) fn has_offer(&self) -> bool {
        self.offer.is_some()
    }
}

impl App {
    /// Shows a notice with a button, as long as that has an effect.
    pub(super) fn say_and_offer(&mut self, ctx: &Context, words: &str, offer: (&'static str, Action)) {
        let until = ctx.input(|input| input.time) + OFFERED_SECS;
        self.notice = Some(Notice { offer: Some(offer), ..Notice::new(words, until) });
    }

    /// Shows the notice in the top bar, in the room beside the title if it has a line there, else over the title: it covers no board. Without a
    /// top bar it stands above the timeline.
    pub(super) fn show_notice(&mut self, ctx: &Context) {
        let bar = self.notice_room.take();
        let now = ctx.input(|input| input.time);
        let Some(notice) = &self.notice else { return };
        let is_vain = notice.offer.is_some_and(|(_, action)| !self.is_possible(action));
        if now >= notice.until || is_vain {
            self.notice = None;
            return;
        }
        ctx.request_repaint_after(Duration::from_secs_f64(notice.until - now));
        let palette = Palette::of(ctx);
        let screen = ctx.content_rect();
        let line = ctx.fonts_mut(|fonts| {
            let wide = |text: &str| {
                fonts.layout_no_wrap(text.to_owned(), FontId::proportional(BODY), palette.text).size().x
            };
            let texts = [notice.words.as_str(), notice.offer.map_or("", |(text, _)| text)];
            texts.map(wide).into_iter().sum::<f32>()
        });
        let button = if notice.offer.is_some() { BUTTON } else { 0.0 };
        let width = line + 2.0 * f32::from(INSET.left) + button + 4.0;
        let (pivot, at, room) = match bar {
            Some([free, whole]) => {
                let fits = |room: &Rect| width <= room.width();
                let room = [free, whole].into_iter().find(fits).unwrap_or(whole.union(free));
                let half = width.min(room.width()) / 2.0;
                let x = screen
                    .center()
                    .x
                    .clamp(room.left() + half, (room.right() - half).max(room.left() + half));
                // More than a line reaches below the bar.
                match fits(&room) {
                    true => (Align2::CENTER_CENTER, pos2(x, room.center().y), room.width()),
                    false => (Align2::CENTER_TOP, pos2(x, room.top() + 4.0), room.width()),
                }
            }
            None => {
                let layout = ScreenLayout::of(ctx);
                let bottom = screen.bottom() - layout.timeline_height(layout.lanes()) - 10.0;
                (Align2::CENTER_BOTTOM, pos2(screen.center().x, bottom), screen.width() - 60.0)
            }
        };
        let mut asked = None;
        let area = Area::new(Id::unique("notice")).pivot(pivot).fixed_pos(at);
        area.interactable(notice.offer.is_some()).show(ctx, |ui| {
            let frame = Frame::new().fill(palette.raised).corner_radius(16.0).inner_margin(INSET);
            frame.stroke(Stroke::new(1.0, palette.line)).show(ui, |ui| {
                ui.set_max_width((room - 2.0 * f32::from(INSET.left)).clamp(120.0, 720.0));
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
