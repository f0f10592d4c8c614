//! Chat of the teams up to the shown moment; a click seeks to a message.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Color32, CornerRadius, CursorIcon, FontId, Galley, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2,
    vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::{Micros, Scene};
use grandstand_story::format;
use grandstand_story::sides::Side;
use grandstand_story::story;

use crate::session::Session;

/// One message.
struct Message {
    seq: u64,
    t: Micros,
    /// Index of the side that said it, if it is a known one.
    side: Option<usize>,
    name: String,
    text: String,
}

/// The chat, with its messages' heights in points, measured once for each list of messages and width.
#[derive(Debug, Default)]
pub(crate) struct Chat {
    measured: Vec<f32>,
    /// Key of the heights: the first and last message, the number of messages, and the width's bits.
    measured_for: (u64, u64, usize, u32),
}

const PADDING: f32 = 8.0;
const GAP: f32 = 6.0;
const HEAD: f32 = 18.0;

impl Chat {
    /// Shows the chat in the remaining space; returns the command of the clicked message.
    pub(crate) fn show(&mut self, ui: &mut Ui, session: &Session, sides: &[Side]) -> Option<u64> {
        let palette = Palette::of(ui.ctx());
        let messages = messages(session.scene(), sides);
        if messages.is_empty() {
            ui.add_space(12.0);
            ui.vertical_centered(|ui| ui.weak("Nobody has said anything yet."));
            return None;
        }
        let width = ui.available_width() - 12.0;
        self.measure(ui, &messages, width);
        let total: f32 = self.measured.iter().sum();
        let mut clicked = None;
        ScrollArea::vertical().id_salt("chat").auto_shrink(false).stick_to_bottom(true).show_viewport(
            ui,
            |ui, viewport| {
                // Less than the room: rounded up to pixels of a screen it would need a scroll bar, whose room changes the
                // rounding in the next frame, and the window would never sleep.
                ui.set_height(total.max(ui.available_height() - 1.0));
                let origin = ui.min_rect().min;
                let mut y = 0.0;
                for (message, height) in messages.iter().zip(&self.measured) {
                    let range = y..y + height;
                    y += height;
                    if range.end < viewport.top() || range.start > viewport.bottom() {
                        continue;
                    }
                    let min = pos2(origin.x, origin.y + range.start);
                    let rect = Rect::from_min_size(min, vec2(width, height - GAP));
                    if bubble(ui, palette, rect, message, sides) {
                        clicked = Some(message.seq);
                    }
                }
            },
        );
        clicked
    }

    fn measure(&mut self, ui: &Ui, messages: &[Message], width: f32) {
        let (Some(first), Some(last)) = (messages.first(), messages.last()) else { return };
        let key = (first.seq, last.seq, messages.len(), width.to_bits());
        if self.measured_for != key {
            let height = |message| layout(ui, message, width, Color32::PLACEHOLDER).size().y;
            self.measured =
                messages.iter().map(|message| HEAD + height(message) + 2.0 * PADDING + GAP - 4.0).collect();
            self.measured_for = key;
        }
    }
}

fn messages(scene: &Scene, sides: &[Side]) -> Vec<Message> {
    let message = |seq, t, key: &str, text: &str| {
        let side = sides.iter().position(|side| side.key == key);
        let name = side.map_or_else(|| key.to_owned(), |side| sides[side].name.clone());
        // Chat is verbatim on the wire; characters that can't be shown are removed here.
        let text = grandstand_protocol::clean_text(text);
        Message { seq, t, side, name, text }
    };
    let said = story(scene).talk();
    said.iter().map(|said| message(said.seq, said.t, said.team, said.text)).collect()
}

fn layout(ui: &Ui, message: &Message, width: f32, color: Color32) -> Arc<Galley> {
    let font = FontId::proportional(BODY);
    let mut job = LayoutJob::single_section(message.text.clone(), TextFormat::simple(font, color));
    job.wrap.max_width = width - 2.0 * PADDING - 8.0;
    ui.painter().layout_job(job)
}

/// One message; returns whether it was clicked.
fn bubble(ui: &Ui, palette: &Palette, rect: Rect, message: &Message, sides: &[Side]) -> bool {
    let response = ui.interact(rect, ui.scope_id().with(("talk", message.seq)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Button, true, format!("{}: {}", message.name, message.text))
    });
    let side = message.side.map(|index| &sides[index]);
    let accent = side.map_or(palette.weak, |side| palette.side(side));
    let hot = response.hovered() || response.has_focus();
    let fill = mix(palette.raised, palette.text, if hot { 0.06 } else { 0.0 });
    ui.painter().rect_filled(rect, 8.0, fill);
    let edge = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
    ui.painter().rect_filled(edge, CornerRadius { nw: 8, sw: 8, ne: 0, se: 0 }, accent);
    let head = rect.min + vec2(PADDING + 6.0, PADDING);
    let mut x = head.x;
    if let Some(side) = side {
        team_badge(ui, side, head + vec2(5.0, 6.0), 5.0);
        x += 16.0;
    }
    let when = format::clock(message.t.as_secs_f64());
    let small = FontId::proportional(SMALL);
    let when = ui.painter().layout_no_wrap(when, small, palette.weak);
    let when_x = rect.right() - PADDING - when.size().x;
    let name_font = FontId::new(SMALL, semibold());
    let room = when_x - x - 6.0;
    let name = grandstand_board::text::fitted(ui.painter(), &message.name, name_font, palette.text, room);
    ui.painter().galley(pos2(x, head.y - 1.0), name, palette.text);
    ui.painter().galley(pos2(when_x, head.y - 1.0), when, palette.weak);
    let body = layout(ui, message, rect.width(), palette.text);
    ui.painter().galley(head + vec2(0.0, HEAD - 1.0), body, palette.text);
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}
