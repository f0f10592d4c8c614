//! Folded cards of pinned places in a row, each in one line.

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Align2, Button, Color32, FontId, Margin, Rect, RichText, Role, ScrollArea, TextWrapMode, Ui,
    WidgetInfo, vec2,
};
use grandstand_board::node;
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_protocol::{Place, Scene};

use super::cards::{self, NUMBER, SIGN};
use super::place_history::PlaceHistory;
use super::{BoardInspector, BoardInspectorRequest, ROW, ruler, words_of};
use crate::layout::ScreenLayout;
use crate::session::Session;

/// Width from which chips stand beside each other, in points. Where they are too narrow for that, each has its whole words, and the row
/// scrolls.
const CHIP: f32 = 84.0;
/// Gap between two chips, in points.
const GAP: f32 = 4.0;
/// Width of the button that tells of chips without room, in points.
const MORE: f32 = 30.0;
/// Margins within a chip: the button that unpins reaches to its edge.
const INSET: Margin = Margin { left: 5, right: 0, top: 3, bottom: 3 };
/// Side of the button that unpins under a pointer, in points.
const CROSS: f32 = 20.0;
/// Frames at both sides, in points.
const FRAMES: f32 = 2.0;

impl BoardInspector {
    /// The folded cards of the pinned places in a row of this height, in the order of their numbers. A new one comes into view.
    pub(crate) fn chips(&self, ui: &mut Ui, session: &Session, height: f32) -> BoardInspectorRequest {
        let mut asked = BoardInspectorRequest::default();
        let mut shown = Vec::with_capacity(self.pins.len());
        let size = vec2(ui.available_width(), height);
        let count = self.pins.len().max(1) as f32;
        let whole = size.x - GAP * (count - 1.0) - 1.0;
        let widths = if whole / count >= CHIP {
            let needs: Vec<f32> = self.pins.iter().map(|pin| width(ui, session.scene(), pin.place)).collect();
            shares(whole, &needs)
        } else {
            let rest = if self.pins.len() > 1 { MORE + 12.0 } else { 0.0 };
            vec![size.x - rest - 4.0; self.pins.len()]
        };
        ui.allocate_ui(size, |ui| {
            let row = ScrollArea::horizontal().id_salt("chips").auto_shrink([false, false]).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    let newest = self.last_pin();
                    let known = ui.scope_id().with("newest chip");
                    let before = ui.data_mut(|data| {
                        std::mem::replace(data.get_temp_mut_or_default::<Option<Place>>(known), newest)
                    });
                    ui.spacing_mut().item_spacing.x = GAP;
                    for (pin, width) in self.pins.iter().zip(widths) {
                        let size = (pin.number, width.min(2.0 * ROW));
                        let card = chip(ui, session.scene(), size, pin, &mut asked);
                        shown.push((pin.place, card));
                        if before != newest && newest == Some(pin.place) {
                            ui.scroll_to_rect(card, None);
                        }
                    }
                });
            });
            let view = row.inner_rect.x_range();
            let mut out = shown.iter().filter(|(_, card)| {
                let card = card.shrink(2.0).x_range();
                !view.contains(card.min) || !view.contains(card.max)
            });
            if let Some((place, card)) = out.next() {
                let words = format!("+{}", 1 + out.count());
                let size = vec2(MORE, card.height());
                let mut at = Align2::RIGHT_TOP.align_size_within_rect(size, row.inner_rect);
                // A chip that ends under the button would be a stump.
                if card.left() > view.min && card.left() < view.max {
                    let rest = row.inner_rect.with_min_x(card.left());
                    ui.painter().rect_filled(rest, 0.0, Palette::of(ui.ctx()).panel);
                    at = at.translate(vec2((card.left() - at.left()).min(0.0), 0.0));
                }
                let more = Button::new(RichText::new(words).size(SMALL)).wrap_mode(TextWrapMode::Extend);
                let more = ui.put(at, more);
                let next = format!("Show the card of {}", ruler::name(session.scene(), *place));
                more.widget_info(|| WidgetInfo::labeled(Role::Button, true, &next));
                if more.on_hover_text(&next).clicked() {
                    asked.show = Some(*place);
                }
            }
        });
        asked
    }
}

/// The name on a chip, which has no room for the number of a territory.
fn short(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}

fn text_width(ui: &Ui, text: &str, font: &FontId) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x
}

fn bold() -> FontId {
    FontId::new(BODY, semibold())
}

/// How far the button that unpins reaches over the words: a finger's is larger than its sign.
fn overlap(ui: &Ui) -> f32 {
    (ScreenLayout::of(ui.ctx()).control(CROSS) - CROSS) * 0.4
}

/// Width of a chip besides its words, in points.
fn surroundings(ui: &Ui) -> f32 {
    INSET.sum().x + FRAMES + NUMBER + ScreenLayout::of(ui.ctx()).control(CROSS) - overlap(ui)
}

/// Width of a chip with the name of its place alone, in points.
fn width(ui: &Ui, scene: &Scene, place: Place) -> f32 {
    (surroundings(ui) + text_width(ui, short(&ruler::name(scene, place)), &bold())).ceil() + 1.0
}

/// Widths of chips that need these: so much and an equal part of what is left, or where there is too little for all the longest give
/// way.
fn shares(whole: f32, needs: &[f32]) -> Vec<f32> {
    let count = needs.len().max(1) as f32;
    let free = whole - needs.iter().sum::<f32>();
    if free >= 0.0 {
        return needs.iter().map(|need| need + free / count).collect();
    }
    let mut sorted = needs.to_vec();
    sorted.sort_by(f32::total_cmp);
    let (mut left, mut most) = (whole, whole);
    for (index, need) in sorted.iter().enumerate() {
        most = left / (sorted.len() - index) as f32;
        if *need > most {
            break;
        }
        left -= need;
    }
    needs.iter().map(|need| need.min(most)).collect()
}

/// One chip, at most so wide; returns its area.
fn chip(
    ui: &mut Ui,
    scene: &Scene,
    (number, width): (usize, f32),
    pin: &PlaceHistory,
    asked: &mut BoardInspectorRequest,
) -> Rect {
    let palette = Palette::of(ui.ctx());
    let name = ruler::name(scene, pin.place);
    let words = words_of(scene, pin.place);
    let state = cards::state(&words);
    let (bold, small) = (bold(), FontId::proportional(SMALL));
    let room = width - surroundings(ui);
    let name_width = text_width(ui, short(&name), &bold);
    let has_sign = name_width + 4.0 + SIGN <= room;
    let room = (if has_sign { room - 4.0 - SIGN } else { room }).max(20.0);
    let mut job = LayoutJob::default();
    let format =
        |font, color| TextFormat { font_id: font, color, valign: Align::Center, ..TextFormat::default() };
    job.append(short(&name), 0.0, format(bold, palette.text));
    // All of the state, or what stands there; words that are cut tell nothing.
    let first = state.split([',', ';']).next().unwrap_or_default();
    let fits = |state: &&str| name_width + 6.0 + text_width(ui, state, &small) <= room;
    if let Some(state) = [state.as_str(), first].into_iter().find(fits) {
        job.append(state, 6.0, format(small.clone(), palette.weak));
    }
    job.wrap = TextWrapping { max_width: room, max_rows: 1, break_anywhere: true, ..TextWrapping::default() };
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let card = ui.push_id(("card", pin.place), |ui| {
        cards::frame(palette).inner_margin(INSET).show(ui, |ui| {
            ui.spacing_mut().interact_size.y = 20.0;
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                cards::head_of_folded(ui, (number, pin.place), (&name, galley), has_sign, asked);
                ui.add_space(-overlap(ui));
                cards::unpin(ui, (pin.place, &name), CROSS, asked);
                node::show(ui, ui.min_rect(), "pinned", Role::Label, format!("Pinned {words}"));
            });
        })
    });
    card.inner.response.rect
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn chips_have_the_widths_of_their_names_and_the_longest_give_way() {
        assert_eq!(shares(300.0, &[60.0, 90.0, 120.0]), [70.0, 100.0, 130.0]);
        assert_eq!(shares(300.0, &[60.0, 150.0, 120.0]), [60.0, 120.0, 120.0]);
        assert_eq!(shares(300.0, &[160.0, 150.0, 120.0]), [100.0, 100.0, 100.0]);
        assert_eq!(shares(300.0, &[20.0, 400.0]), [20.0, 280.0]);
    }
}
