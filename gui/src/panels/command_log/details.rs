//! Details of one line: number, time, text, JSON, verdict, and the place of a problem.

use eframe::egui::{
    Align, Button, FontId, Label, Layout, Rect, RichText, Role, ScrollArea, Stroke, Ui, UiBuilder,
    WidgetInfo, vec2,
};
use grandstand_board::theme::{MONO, Palette, SMALL, semibold};
use grandstand_protocol::Problem;
use grandstand_replays::Log;
use grandstand_story::format;

use super::copy::CopyFormat;
use super::list::{font, problem_of, shown_text};
use crate::icons::{self, Icon};

/// Number of characters shown of a line and of its JSON; copies have all of it.
const SHOWN: usize = 20_000;

/// Width below which the head is shorter, in points.
const NARROW: f32 = 270.0;

/// Shows the line in `rect`; returns a requested copy.
pub(super) fn show(ui: &mut Ui, log: &Log, seq: u64, rect: Rect) -> Option<CopyFormat> {
    let palette = Palette::of(ui.ctx());
    ui.painter().rect_filled(rect, 8.0, palette.raised);
    let inner = rect.shrink2(vec2(10.0, 7.0));
    let mut asked = None;
    ui.scope_builder(UiBuilder::new().max_rect(inner).id_salt("particulars"), |ui| {
        ui.shrink_clip_rect(rect);
        let Some(command) = log.command(seq) else {
            let missing = seq > 0 && !log.is_empty();
            ui.weak(if missing { "This line is missing." } else { "Click a line to go to its moment." });
            return;
        };
        asked = head(ui, log, seq);
        ScrollArea::both().id_salt(("particulars", seq)).auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let wrapped = |text: String| Label::new(RichText::new(text).size(MONO).monospace()).wrap();
            let text = shown_text(&command, SHOWN);
            let rest = command.to_line().chars().count().saturating_sub(SHOWN);
            match problem_of(&command) {
                Some(problem) => {
                    fault(ui, &text, problem);
                    ui.add(wrapped(text));
                }
                None => {
                    ui.add(wrapped(text));
                    ui.horizontal(|ui| {
                        ui.spacing_mut().item_spacing.x = 5.0;
                        let (mark, _) =
                            ui.allocate_exact_size(vec2(12.0, 12.0), eframe::egui::Sense::hover());
                        icons::paint(ui.painter(), Icon::Check, mark, palette.good);
                        ui.label(RichText::new("Understood").size(SMALL).color(palette.good));
                    });
                    let json = serde_json::to_string_pretty(&command).unwrap_or_default();
                    let json: String = json.chars().take(SHOWN).collect();
                    ui.add(Label::new(RichText::new(json).size(MONO).monospace().color(palette.weak)).wrap());
                }
            }
            if rest > 0 {
                ui.weak(format!(
                    "… and {} more; copied is all of it.",
                    format::count(rest as u64, "character", "characters")
                ));
            }
        });
    });
    asked
}

/// Number, time and buttons.
fn head(ui: &mut Ui, log: &Log, seq: u64) -> Option<CopyFormat> {
    let mut asked = None;
    let size = vec2(ui.available_width(), 24.0);
    let narrow = size.x < NARROW;
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let mut button = |ui: &mut Ui, text: &str, form: CopyFormat, hint: &str| {
            // Without room for the word "Copy", the first button gets it.
            let shown = if narrow && form == CopyFormat::Text { "Copy" } else { text };
            let response = ui.add(Button::new(RichText::new(shown).size(SMALL)));
            let name = format!("Copy {text}");
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if response.on_hover_text(hint).clicked() {
                asked = Some(form);
            }
        };
        button(ui, "JSON", CopyFormat::Json, "Copy this line with number, time, verdict and JSON");
        button(ui, "text", CopyFormat::Text, "Copy this line as it came  (Ctrl+C)");
        if !narrow {
            ui.label(RichText::new("Copy").size(SMALL).color(Palette::of(ui.ctx()).weak));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let time = format::clock(log.time_of(seq).as_secs_f64());
            let number = format::number(seq);
            let text =
                if narrow { format!("{number} · {time}") } else { format!("Line {number} · {time}") };
            ui.add(Label::new(RichText::new(text).family(semibold()).size(SMALL + 1.0)).truncate());
        });
    });
    asked
}

/// The part of the line around the problem, underlined, with what was expected there.
fn fault(ui: &mut Ui, text: &str, problem: &Problem) {
    let palette = Palette::of(ui.ctx());
    let width = ui.available_width().max(80.0);
    let digit = ui.painter().layout_no_wrap("0".to_owned(), font(), palette.text).size().x;
    let fits = ((width / digit) as usize).max(8);
    let column = problem.column.saturating_sub(1);
    let skip = column.saturating_sub(fits / 2);
    let part: String = text.chars().skip(skip).take(fits).collect();
    let galley = ui.painter().layout_no_wrap(part, font(), palette.text);
    let (area, _) = ui.allocate_exact_size(vec2(width, galley.size().y + 3.0), eframe::egui::Sense::hover());
    let x = area.left() + digit * (column - skip) as f32;
    let length = digit * problem.found.chars().count().clamp(1, fits) as f32;
    ui.painter().galley(area.min, galley, palette.text);
    ui.painter().hline(
        x..=(x + length).min(area.right()),
        area.bottom() - 1.0,
        Stroke::new(2.0, palette.warning),
    );
    let small = FontId::proportional(SMALL);
    let words = format!("Column {}: expected {}", problem.column, problem.expected);
    ui.label(RichText::new(words).font(small.clone()).color(palette.warning));
    let found = if problem.found.is_empty() { "the end of the line" } else { &problem.found };
    ui.label(RichText::new(format!("Found {found}")).font(small).color(palette.weak));
}
