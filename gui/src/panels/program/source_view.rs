//! Source of a program: the current line highlighted, the current expression underlined, and a gutter with a menu. Lines
//! that are wider than the view go on in rows below, further to the right.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use eframe::egui::style::ScrollAnimation;
use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align, FontId, Popup, Pos2, Rect, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{MONO, Palette, mix};
use grandstand_protocol::insight::{SourceFile, SourcePlace};

/// Width of the gutter, in points.
const GUTTER: f32 = 46.0;
/// Number of columns by which the further rows of a line begin to the right of its first one.
const INDENT: usize = 4;
/// Smallest number of columns of a row.
const NARROW: usize = 16;

/// Size of the text, and height of a row, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Type {
    size: f32,
    row: f32,
}

impl Type {
    pub(super) const USUAL: Type = Type { size: MONO, row: 17.0 };
    /// For little room.
    pub(super) const SMALL: Type = Type { size: 11.0, row: 15.0 };

    /// Height of a row, in points.
    pub(super) fn row(self) -> f32 {
        self.row
    }
}

/// The file that is shown.
#[derive(Debug, Default)]
pub(super) struct SourceView {
    /// The side's index and the file's name.
    of: Option<(usize, String)>,
    lines: Vec<Line>,
    /// The lines in rows of at most so many columns.
    columns: usize,
    rows: Vec<Row>,
    /// The line to scroll to.
    reveal: Option<u32>,
    /// The line that was scrolled to last.
    revealed: Option<u32>,
    /// Columns and height of the view in the last frame.
    shown_in: (usize, i32),
}

/// A row of the view: a part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// Number of the line.
    line: u32,
    /// Bytes of its text.
    bytes: Range<usize>,
    /// Columns of its text.
    columns: Range<usize>,
    /// Column at which it is painted.
    at: usize,
}

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
        let lines = lines(&file.text);
        *self = SourceView { of: Some((side, file.name.clone())), lines, ..SourceView::default() };
    }

    /// The side and the name of the open file.
    pub(super) fn file(&self) -> Option<(usize, &str)> {
        self.of.as_ref().map(|(side, name)| (*side, name.as_str()))
    }

    /// Scrolls to a line of the open file.
    pub(super) fn reveal(&mut self, line: u32) {
        (self.reveal, self.revealed) = (Some(line), Some(line));
    }

    /// Divides the lines into rows for a view with so many columns.
    fn wrap(&mut self, columns: usize) {
        if self.columns != columns {
            self.columns = columns;
            let rows = (1..).zip(&self.lines).flat_map(|(number, line)| wrapped(number, &line.text, columns));
            self.rows = rows.collect();
        }
    }

    /// Indices of the rows of a line.
    fn rows_of(&self, line: u32) -> Range<usize> {
        let begin = self.rows.partition_point(|row| row.line < line);
        begin..self.rows.partition_point(|row| row.line <= line)
    }

    /// Shows the file, `height` points high.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        height: f32,
        of: Type,
        marks: &Marks<'_>,
    ) -> Option<GutterRequest> {
        let mut asked = None;
        let em = self.fit(ui, of, ui.spacing().scroll.bar_width + 2.0);
        // After a resize the line is scrolled to again.
        let shown_in = (self.columns, height as i32);
        if self.shown_in != shown_in {
            self.shown_in = shown_in;
            self.reveal = self.reveal.or(self.revealed);
        }
        // What the panel cuts off is not in view.
        let visible =
            (ui.clip_rect().bottom() - ui.cursor().top()).clamp(3.0 * of.row, height.max(3.0 * of.row));
        let area = ScrollArea::vertical()
            .id_salt("source")
            .min_scrolled_height(0.0)
            .max_height(height)
            .auto_shrink(false);
        area.show_viewport(ui, |ui, viewport| {
            let origin = ui.max_rect().min;
            let width = ui.available_width();
            ui.set_min_size(vec2(width, self.rows.len() as f32 * of.row));
            if let Some(line) = self.reveal.take() {
                self.scroll_to(ui, line, of.row, viewport.min.y, visible);
            }
            let first = (viewport.min.y / of.row).floor().max(0.0) as usize;
            let end = (viewport.max.y / of.row).ceil() as usize;
            asked = self.show_rows(ui, (origin, width), first..end, (em, of), marks);
        });
        asked
    }

    /// Shows so many rows around the line that was scrolled to last. Returns the choice from the gutter's menu, and whether the rows
    /// were pressed.
    pub(super) fn excerpt(
        &mut self,
        ui: &mut Ui,
        count: usize,
        of: Type,
        marks: &Marks<'_>,
    ) -> (Option<GutterRequest>, bool) {
        let em = self.fit(ui, of, 0.0);
        let line = self.revealed.map_or(0, |line| self.rows_of(line).start);
        let first = line.saturating_sub(count / 3).min(self.rows.len().saturating_sub(count));
        let size = vec2(ui.available_width(), count as f32 * of.row);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "All of the source"));
        let origin = rect.min - vec2(0.0, first as f32 * of.row);
        let asked = self.show_rows(ui, (origin, rect.width()), first..first + count, (em, of), marks);
        (asked, response.clicked())
    }

    /// Divides the lines into rows for the width beside `bar`; returns the width of a column.
    fn fit(&mut self, ui: &Ui, of: Type, bar: f32) -> f32 {
        let font = FontId::monospace(of.size);
        let em = ui.painter().layout_no_wrap("m".repeat(10), font, ui.visuals().text_color()).size().x / 10.0;
        let columns = ((ui.available_width() - GUTTER - bar) / em).floor().max(NARROW as f32) as usize;
        self.wrap(columns);
        em
    }

    /// Shows rows of the file, which begins at `origin`.
    fn show_rows(
        &self,
        ui: &mut Ui,
        (origin, width): (Pos2, f32),
        rows: Range<usize>,
        (em, of): (f32, Type),
        marks: &Marks<'_>,
    ) -> Option<GutterRequest> {
        let mut asked = None;
        for index in rows.start..rows.end.min(self.rows.len()) {
            let row = &self.rows[index];
            let top = origin + vec2(0.0, index as f32 * of.row);
            let rect = Rect::from_min_size(top, vec2(width, of.row));
            let place = marks.place.filter(|place| place.line == row.line);
            let begins = row.columns.start == 0;
            self.row(ui, rect, row, place, marks, (em, of.size));
            // A line is told once.
            if begins || index == rows.start {
                let id = ui.scope_id().with(("line", row.line));
                let here = if place.is_some() { ", here" } else { "" };
                let text = &self.lines[row.line as usize - 1].text;
                ui.interact(rect, id, Sense::hover()).widget_info(|| {
                    let number = row.line;
                    WidgetInfo::labeled(Role::Label, true, format!("Line {number}{here}: {text}"))
                });
            }
            if begins {
                asked = asked.or(gutter(ui, rect, row.line, marks));
            }
        }
        asked
    }

    /// Scrolls if the line is near an edge or out of view, and then leaves a third of the view above it.
    fn scroll_to(&self, ui: &Ui, line: u32, row: f32, now: f32, visible: f32) {
        let rows = self.rows_of(line);
        let (top, bottom) = (rows.start as f32 * row, rows.end as f32 * row);
        if top < now + 2.0 * row || bottom > now + visible - 3.0 * row {
            let lead = (visible / 3.0).min(visible - (bottom - top)).max(0.0);
            let at = ui.max_rect().min + vec2(0.0, (top - lead).max(0.0));
            let target = Rect::from_min_size(at, vec2(0.0, row));
            // Not as an offset: the area moves one that lies past the end of the file before, and goes on moving.
            ui.scroll_to_rect_animation(target, Some(Align::TOP), ScrollAnimation::none());
        }
    }

    fn row(
        &self,
        ui: &Ui,
        rect: Rect,
        row: &Row,
        place: Option<&SourcePlace>,
        marks: &Marks<'_>,
        (em, size): (f32, f32),
    ) {
        let palette = Palette::of(ui.ctx());
        let painter = ui.painter();
        if place.is_some() {
            painter.rect_filled(rect, 0.0, mix(palette.panel, palette.accent, 0.16));
        }
        let line = &self.lines[row.line as usize - 1];
        let left = rect.left() + GUTTER;
        if let Some(part) = place.and_then(|place| row.part_of(place)) {
            let from = left + part.start as f32 * em;
            let to = left + part.end as f32 * em;
            let under = Rect::from_min_max(pos2(from, rect.top()), pos2(to, rect.bottom()));
            painter.rect_filled(under, 2.0, mix(palette.panel, palette.accent, 0.36));
            painter.hline(from..=to, rect.bottom() - 1.0, Stroke::new(2.0, palette.accent));
        }
        let font = FontId::monospace(size);
        let mut job = LayoutJob::default();
        let mut at = row.bytes.start;
        let mut append = |to: usize, ink| {
            let to = to.clamp(at, row.bytes.end);
            job.append(&line.text[at..to], 0.0, TextFormat::simple(font.clone(), ink));
            at = to;
        };
        for comment in &line.comments {
            append(comment.start, palette.text);
            append(comment.end, palette.weak);
        }
        append(row.bytes.end, palette.text);
        let galley = painter.layout_job(job);
        let text = pos2(left + row.at as f32 * em, rect.center().y - galley.size().y / 2.0);
        painter.galley(text, galley, palette.text);
        let gutter = gutter_area(rect);
        if let Some(heat) = marks.heat.get(&row.line) {
            painter.rect_filled(gutter, 2.0, mix(palette.panel, palette.warning, 0.08 + 0.72 * heat));
        }
        if row.columns.start > 0 {
            return;
        }
        let ink = match (place.is_some(), marks.live.contains(&row.line)) {
            (true, _) => palette.accent,
            (_, true) => palette.text,
            _ => palette.weak.gamma_multiply(0.6),
        };
        let digits = painter.layout_no_wrap(row.line.to_string(), FontId::monospace(size - 1.0), ink);
        let at = pos2(gutter.right() - 8.0 - digits.size().x, rect.center().y - digits.size().y / 2.0);
        painter.galley(at, digits, ink);
        if marks.print == Some(row.line) {
            painter.circle_filled(pos2(gutter.left() + 5.0, rect.center().y), 3.0, palette.accent);
        }
    }
}

impl Row {
    /// Columns of the row at which a place is painted, if it has some.
    fn part_of(&self, place: &SourcePlace) -> Option<Range<usize>> {
        let begin = place.column.saturating_sub(1) as usize;
        let end = begin + place.width.max(1) as usize;
        let part = begin.max(self.columns.start)..end.min(self.columns.end);
        let painted = |column: usize| column - self.columns.start + self.at;
        (part.start < part.end).then(|| painted(part.start)..painted(part.end))
    }
}

/// Rows of a line with at most so many columns. They end between words where they can, and all but the first begin further to
/// the right than the line's own text.
fn wrapped(number: u32, text: &str, columns: usize) -> Vec<Row> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let own = letters.iter().take_while(|(_, letter)| *letter == ' ').count();
    let further = (own + INDENT).min(columns / 2);
    let (mut rows, mut begin) = (Vec::new(), 0);
    loop {
        let at = if begin == 0 { 0 } else { further };
        let room = begin + columns - at;
        let end = if letters.len() <= room {
            letters.len()
        } else {
            let least = begin.max(own) + 1;
            // The last space stays in the row above.
            let word = (least..=room).rev().find(|end| letters[end - 1].1 == ' ' && *end > least);
            word.unwrap_or(room.max(begin + 1))
        };
        let byte = |column: usize| letters.get(column).map_or(text.len(), |(byte, _)| *byte);
        rows.push(Row { line: number, bytes: byte(begin)..byte(end), columns: begin..end, at });
        if end == letters.len() {
            return rows;
        }
        begin = end;
    }
}

/// The gutter of a row.
fn gutter_area(rect: Rect) -> Rect {
    Rect::from_min_size(rect.min, vec2(GUTTER - 6.0, rect.height()))
}

/// The gutter of a line; lines with code have a menu.
fn gutter(ui: &Ui, rect: Rect, number: u32, marks: &Marks<'_>) -> Option<GutterRequest> {
    if !marks.live.contains(&number) {
        return None;
    }
    let area = gutter_area(rect);
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

    #[test]
    fn a_long_line_goes_on_below_between_its_words() {
        let text = "  if tried > most then R_FAIL else do A_MOVE";
        let rows = wrapped(7, text, 24);
        let shown: Vec<(&str, usize)> = rows.iter().map(|row| (&text[row.bytes.clone()], row.at)).collect();
        assert_eq!(shown, [("  if tried > most then ", 0), ("R_FAIL else do ", 6), ("A_MOVE", 6)]);
        let place = SourcePlace { file: String::new(), line: 7, column: 36, width: 2, source: String::new() };
        let parts: Vec<_> = rows.iter().map(|row| row.part_of(&place)).collect();
        assert_eq!(parts, [None, Some(18..20), None]);
        assert_eq!(wrapped(1, "", 24).len(), 1);
        assert_eq!(wrapped(1, &"x".repeat(50), 20).len(), 3);
        assert_eq!(wrapped(1, &format!("{}é x", " ".repeat(40)), 20).last().unwrap().columns.end, 43);
    }
}
