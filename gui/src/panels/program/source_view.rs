//! Source of a program: the current line highlighted, the current expression underlined, and a gutter with a menu.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    FontId, Id, Popup, Rect, Role, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{MONO, Palette, mix};
use grandstand_protocol::insight::{SourceFile, SourcePlace};

/// Height of a line, in points.
const ROW: f32 = 17.0;
/// Number of frames at most in which a line is brought into view.
const TRIES: u8 = 4;
/// Width of the gutter, in points.
const GUTTER: f32 = 46.0;
/// Number of characters of an expression at most that are scrolled into view.
const WIDE: u32 = 12;

/// The file that is shown.
#[derive(Debug, Default)]
pub(super) struct SourceView {
    /// The side's index and the file's name.
    of: Option<(usize, String)>,
    lines: Vec<Line>,
    widest: usize,
    /// The expression to scroll to.
    reveal: Option<Spot>,
    /// Number of frames since then in which it was not in view.
    tries: u8,
    /// Whether another file was opened since the last frame.
    opened: bool,
    /// The expression that was scrolled to last.
    revealed: Option<(usize, String, Spot)>,
    /// Scroll area and height of the last frame.
    shown_in: Option<(Id, i32)>,
}

/// Line, column and width of an expression.
type Spot = (u32, u32, u32);

#[derive(Debug)]
struct Line {
    text: String,
    /// Byte ranges of the comments in it.
    comments: Vec<Range<usize>>,
}

/// Marks in the file.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    /// The next expression.
    pub place: Option<&'a SourcePlace>,
    /// Lines with code.
    pub live: &'a BTreeSet<u32>,
    /// Heat of the lines, from 0 to 1.
    pub heat: &'a BTreeMap<u32, f32>,
    /// The printed line.
    pub print: Option<u32>,
}

/// Choice from the gutter's menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GutterRequest {
    /// Search the next or the last time that the line was reached.
    Find { line: u32, back: bool },
    /// Print at the line.
    Print(u32),
    /// Show the heat map of the line.
    Heat(u32),
}

impl SourceView {
    /// Opens a file, unless it is open already.
    pub(super) fn open(&mut self, side: usize, file: &SourceFile) {
        if self.of.as_ref().is_some_and(|(of, name)| *of == side && *name == file.name) {
            return;
        }
        self.of = Some((side, file.name.clone()));
        self.opened = true;
        self.lines = lines(&file.text);
        self.widest = self.lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
    }

    /// The side and the name of the open file.
    pub(super) fn file(&self) -> Option<(usize, &str)> {
        self.of.as_ref().map(|(side, name)| (*side, name.as_str()))
    }

    /// Scrolls to an expression, unless it was the last one scrolled to.
    pub(super) fn reveal(&mut self, place: &SourcePlace) {
        self.reveal_spot((place.line, place.column, place.width));
    }

    /// Scrolls to a line, unless it was the last one scrolled to.
    pub(super) fn reveal_line(&mut self, line: u32) {
        self.reveal_spot((line, 1, 1));
    }

    fn reveal_spot(&mut self, spot: Spot) {
        let Some((side, file)) = self.of.clone() else { return };
        let at = Some((side, file, spot));
        if self.revealed != at {
            self.revealed = at;
            self.reveal = Some(spot);
        }
    }

    /// Shows the file, `height` points high.
    pub(super) fn show(&mut self, ui: &mut Ui, height: f32, marks: &Marks<'_>) -> Option<GutterRequest> {
        let mut asked = None;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let font = FontId::monospace(MONO);
            let em = ui.painter().layout_no_wrap("m".repeat(10), font.clone(), ui.visuals().text_color());
            let em = em.size().x / 10.0;
            let id = ui.scope_id().with("source offset");
            // After a resize the line is scrolled to again.
            let shown_in = Some((id, height as i32));
            if self.shown_in != shown_in {
                self.shown_in = shown_in;
                self.reveal = self.reveal.or(self.revealed.as_ref().map(|(_, _, spot)| *spot));
            }
            let mut area = ScrollArea::both()
                .id_salt("source")
                .min_scrolled_height(0.0)
                .max_height(height)
                .auto_shrink(false);
            // What the panel cuts off is not in view.
            let height =
                (ui.clip_rect().bottom() - ui.cursor().top()).clamp(3.0 * ROW, height.max(3.0 * ROW));
            let revealed = self.reveal.take();
            if let Some((line, column, wide)) = revealed {
                let top = (line.saturating_sub(1)) as f32 * ROW;
                let Vec2 { x: across, y: now } = ui.data(|data| data.get_temp(id)).unwrap_or_default();
                let left = GUTTER + column.saturating_sub(1) as f32 * em;
                let right = left + wide.clamp(1, WIDE) as f32 * em;
                let room = ui.available_width() - 2.0 * em;
                if right <= room {
                    area = area.horizontal_scroll_offset(0.0);
                } else if left < across + GUTTER || right > across + room {
                    // A third of the view stays before it, right of the gutter.
                    area = area.horizontal_scroll_offset((left - GUTTER - room / 3.0).max(0.0));
                }
                // Scrolls only if the line is near an edge or out of view, and then leaves a third of the view above
                // it.
                if top < now + 2.0 * ROW || top > now + height - 4.0 * ROW {
                    area = area.vertical_scroll_offset((top - height / 3.0).max(0.0));
                }
            }
            let width = GUTTER + (self.widest as f32 + 2.0) * em;
            let count = self.lines.len();
            let shown = area.show_rows(ui, ROW, count, |ui, rows| {
                let width = width.max(ui.available_width());
                for row in rows {
                    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
                    let number = row as u32 + 1;
                    let place = marks.place.filter(|place| place.line == number);
                    self.line(ui, rect, number, place, marks, em);
                    let here = if place.is_some() { ", here" } else { "" };
                    let text = &self.lines[row].text;
                    response.widget_info(|| {
                        WidgetInfo::labeled(Role::Label, true, format!("Line {number}{here}: {text}"))
                    });
                    asked = asked.or(gutter(ui, rect, number, marks));
                }
            });
            let offset = shown.state.clamped_offset();
            ui.data_mut(|data| data.insert_temp(id, offset));
            let offset = offset.y;
            // The first frames of a file may scroll only as far as the one before it was long.
            if let Some(spot @ (line, ..)) = revealed {
                let top = (line.saturating_sub(1)) as f32 * ROW;
                let in_view = (offset..=offset + height - ROW).contains(&top);
                if self.tries < TRIES && (std::mem::take(&mut self.opened) || !in_view) {
                    (self.reveal, self.tries) = (Some(spot), self.tries + 1);
                    ui.ctx().request_repaint();
                } else {
                    self.tries = 0;
                }
            }
        });
        asked
    }

    fn line(
        &self,
        ui: &Ui,
        rect: Rect,
        number: u32,
        place: Option<&SourcePlace>,
        marks: &Marks<'_>,
        em: f32,
    ) {
        let palette = Palette::of(ui.ctx());
        let painter = ui.painter();
        let ground = match place {
            Some(_) => mix(palette.panel, palette.accent, 0.16),
            None => palette.panel,
        };
        if place.is_some() {
            painter.rect_filled(rect, 0.0, ground);
        }
        let line = &self.lines[number as usize - 1];
        let left = rect.left() + GUTTER;
        if let Some(place) = place {
            let from = left + (place.column.saturating_sub(1)) as f32 * em;
            let to = (from + place.width.max(1) as f32 * em).max(from + em);
            let under = Rect::from_min_max(pos2(from, rect.top()), pos2(to, rect.bottom()));
            painter.rect_filled(under, 2.0, mix(palette.panel, palette.accent, 0.36));
            painter.hline(from..=to, rect.bottom() - 1.0, Stroke::new(2.0, palette.accent));
        }
        let font = FontId::monospace(MONO);
        let mut job = LayoutJob::default();
        let mut at = 0;
        for comment in &line.comments {
            job.append(&line.text[at..comment.start], 0.0, TextFormat::simple(font.clone(), palette.text));
            job.append(&line.text[comment.clone()], 0.0, TextFormat::simple(font.clone(), palette.weak));
            at = comment.end;
        }
        job.append(&line.text[at..], 0.0, TextFormat::simple(font, palette.text));
        let galley = painter.layout_job(job);
        painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, palette.text);
        // The gutter lies over what is scrolled below it.
        let gutter = gutter_area(ui, rect);
        painter.rect_filled(gutter.with_max_x(gutter.left() + GUTTER - 1.0), 0.0, ground);
        if let Some(heat) = marks.heat.get(&number) {
            painter.rect_filled(gutter, 2.0, mix(palette.panel, palette.warning, 0.08 + 0.72 * heat));
        }
        let ink = match (place.is_some(), marks.live.contains(&number)) {
            (true, _) => palette.accent,
            (_, true) => palette.text,
            _ => palette.weak.gamma_multiply(0.6),
        };
        let digits = painter.layout_no_wrap(number.to_string(), FontId::monospace(MONO - 1.5), ink);
        painter.galley(
            pos2(gutter.right() - 8.0 - digits.size().x, rect.center().y - digits.size().y / 2.0),
            digits,
            ink,
        );
        if marks.print == Some(number) {
            painter.circle_filled(pos2(gutter.left() + 5.0, rect.center().y), 3.0, palette.accent);
        }
    }
}

/// The gutter of a row. It stays in view while the text is scrolled sideways.
fn gutter_area(ui: &Ui, rect: Rect) -> Rect {
    let left = rect.left().max(ui.clip_rect().left());
    Rect::from_min_size(pos2(left, rect.top()), vec2(GUTTER - 6.0, ROW))
}

/// The gutter of a line; lines with code have a menu.
fn gutter(ui: &Ui, rect: Rect, number: u32, marks: &Marks<'_>) -> Option<GutterRequest> {
    if !marks.live.contains(&number) {
        return None;
    }
    let area = gutter_area(ui, rect);
    let response = ui.interact(area, ui.scope_id().with(("gutter", number)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Gutter of line {number}")));
    if response.hovered() || response.has_focus() {
        let palette = Palette::of(ui.ctx());
        ui.painter().rect_stroke(
            area,
            2.0,
            Stroke::new(1.0, palette.accent),
            eframe::egui::StrokeKind::Inside,
        );
    }
    let mut asked = None;
    Popup::menu(&response).show(|ui| {
        if ui.button("Next time reached").clicked() {
            asked = Some(GutterRequest::Find { line: number, back: false });
        }
        if ui.button("Last time reached").clicked() {
            asked = Some(GutterRequest::Find { line: number, back: true });
        }
        if ui.button("Print here…").clicked() {
            asked = Some(GutterRequest::Print(number));
        }
        if ui.button("Reductions here").clicked() {
            asked = Some(GutterRequest::Heat(number));
        }
    });
    response.on_hover_text("When this line was reached, and what its names were then");
    asked
}

/// Splits a text into lines and finds the comments, `(* … *)`, which nest.
fn lines(text: &str) -> Vec<Line> {
    let mut depth = 0_u32;
    text.lines()
        .map(|line| {
            let text = line.replace('\t', " ");
            let (mut comments, mut begin, mut at) = (Vec::new(), (depth > 0).then_some(0), 0);
            while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
                if rest.starts_with("(*") {
                    depth += 1;
                    begin = begin.or(Some(at));
                    at += 2;
                } else if depth > 0 && rest.starts_with("*)") {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        comments.extend(begin.take().map(|begin| begin..at));
                    }
                } else {
                    at += rest.chars().next().map_or(1, char::len_utf8);
                }
            }
            comments.extend(begin.map(|begin| begin..text.len()));
            Line { text, comments }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_over_lines_and_in_each_other() {
        let text = "let a = 1 in (* one (* two *)\n three *) a (* é *) + 1\n(* open";
        let found: Vec<Vec<String>> = lines(text)
            .iter()
            .map(|line| line.comments.iter().map(|range| line.text[range.clone()].to_owned()).collect())
            .collect();
        assert_eq!(found, [vec!["(* one (* two *)"], vec![" three *)", "(* é *)"], vec!["(* open"]]);
    }
}
