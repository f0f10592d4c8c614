//! The protocol inspector: every line with its number, time and verdict, filtered as the viewer likes; a click goes to
//! the moment of a line.

use std::time::Duration;

use eframe::egui::{
    Align2, Button, FontFamily, FontId, Id, Rect, Role, Sense, Stroke, TextEdit, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_protocol::{Command, Problem};
use grandstand_replays::{Log, MarkKind};
use web_time::Instant;

use crate::icons::{self, Icon};
use crate::scoreboard::fitted;
use crate::session::Session;
use crate::theme::{MONO, Palette, SMALL, mix};
use crate::widgets::rows::Rows;
use crate::words;

/// How long one frame may spend on filtering.
const FILTER_BUDGET: Duration = Duration::from_millis(4);
const ROW: f32 = 22.0;

/// The state of the inspector.
#[derive(Debug, Default)]
pub(crate) struct Inspector {
    rows: Rows,
    filter: Filter,
    /// The filter as it is being typed.
    text: String,
    problems_only: bool,
    /// The command that the list was last scrolled to.
    revealed: Option<u64>,
    /// The viewer has scrolled away from the moment shown.
    away: bool,
}

/// The lines that a filter lets through, found bit by bit.
#[derive(Debug, Default)]
struct Filter {
    needle: Vec<u8>,
    problems_only: bool,
    matches: Vec<u64>,
    /// Everything up to this command has been looked at.
    seen: u64,
    /// The last command of the log when it was last seen, to notice another log.
    log_end: u64,
}

impl Filter {
    fn is_empty(&self) -> bool {
        self.needle.is_empty() && !self.problems_only
    }

    /// Begins anew when what is asked for is another than before.
    fn ask(&mut self, text: &str, problems_only: bool) {
        let needle = text.trim().to_ascii_lowercase().into_bytes();
        if needle != self.needle || problems_only != self.problems_only {
            *self = Filter { needle, problems_only, ..Filter::default() };
        }
    }

    /// Looks at more lines; `true` when there are still more.
    fn advance(&mut self, log: &Log, budget: Duration) -> bool {
        if log.last_seq() < self.log_end {
            (self.matches, self.seen) = (Vec::new(), 0);
        }
        self.log_end = log.last_seq();
        if self.is_empty() {
            return false;
        }
        let began = Instant::now();
        while self.seen < log.last_seq() && began.elapsed() < budget {
            let to = (self.seen + 2000).min(log.last_seq());
            if self.problems_only {
                let problems = log.marks(self.seen, to).filter(|mark| mark.kind == MarkKind::Unknown);
                let problems = problems.map(|mark| mark.seq).filter(|seq| self.lets_through(log, *seq));
                let found: Vec<u64> = problems.collect();
                self.matches.extend(found);
            } else {
                let found: Vec<u64> =
                    (self.seen + 1..=to).filter(|seq| self.lets_through(log, *seq)).collect();
                self.matches.extend(found);
            }
            self.seen = to;
        }
        self.seen < log.last_seq()
    }

    fn lets_through(&self, log: &Log, seq: u64) -> bool {
        let Some(line) = log.line(seq) else { return false };
        self.needle.is_empty()
            || line.windows(self.needle.len()).any(|part| part.eq_ignore_ascii_case(&self.needle))
    }

    fn count(&self, log: &Log) -> usize {
        if self.is_empty() { log.last_seq() as usize } else { self.matches.len() }
    }

    fn seq_of(&self, row: usize) -> u64 {
        if self.is_empty() { row as u64 + 1 } else { self.matches.get(row).copied().unwrap_or(0) }
    }

    /// The row of the last line that is let through at or before a command.
    fn row_of(&self, seq: u64) -> Option<usize> {
        if self.is_empty() {
            seq.checked_sub(1).map(|row| row as usize)
        } else {
            self.matches.partition_point(|found| *found <= seq).checked_sub(1)
        }
    }
}

impl Inspector {
    /// The id of the filter's field, to put the cursor into it.
    pub(crate) fn filter_id() -> Id {
        Id::unique("inspector filter")
    }

    /// Shows the inspector in the space that is left; the number of the line that was clicked.
    pub(crate) fn show(&mut self, ui: &mut Ui, session: &Session) -> Option<u64> {
        let log = session.log();
        self.controls(ui, log);
        self.filter.ask(&self.text, self.problems_only);
        if self.filter.advance(log, FILTER_BUDGET) {
            ui.ctx().request_repaint();
        }
        let count = self.filter.count(log);
        let shown = session.seq();
        let detail = 96.0_f32.min(ui.available_height() * 0.35);
        let list = Rect::from_min_max(
            ui.cursor().min,
            pos2(ui.max_rect().right(), ui.max_rect().bottom() - detail - 8.0),
        );
        let mut clicked = None;
        if count == 0 {
            self.nothing(ui, log, list);
        } else {
            if self.revealed != Some(shown) && !self.away {
                self.revealed = Some(shown);
                self.rows.reveal(self.filter.row_of(shown).unwrap_or(0));
            }
            let mut child = ui.new_child(eframe::egui::UiBuilder::new().max_rect(list).id_salt("lines"));
            let columns = Columns::of(ui, log);
            let filter = &self.filter;
            let mut current = false;
            let result = self.rows.show(&mut child, count, ROW, |ui, row, rect, hot| {
                let seq = filter.seq_of(row);
                current |= seq == shown;
                line(ui, log, seq, rect, columns, (seq == shown, seq > shown, hot));
            });
            if result.scrolled {
                self.away = !current;
            }
            if let Some(row) = result.clicked {
                clicked = Some(self.filter.seq_of(row));
                self.away = false;
                self.revealed = clicked;
            }
        }
        let rest = Rect::from_min_max(pos2(list.left(), list.bottom() + 8.0), ui.max_rect().max);
        particulars(ui, log, shown, rest);
        clicked
    }

    fn controls(&mut self, ui: &mut Ui, log: &Log) {
        ui.horizontal(|ui| {
            let follow = self.away;
            let width = ui.available_width() - 96.0 - if follow { 70.0 } else { 0.0 };
            let edit = TextEdit::singleline(&mut self.text)
                .id(Self::filter_id())
                .hint_text("Filter lines")
                .desired_width(width.max(60.0));
            let edit = ui.add(edit);
            edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter lines"));
            let toggle = ui.add(Button::new("Problems").selected(self.problems_only));
            if toggle.on_hover_text("Only lines that were not understood").clicked() {
                self.problems_only = !self.problems_only;
            }
            if follow && ui.button("Follow").on_hover_text("Back to the moment shown").clicked() {
                self.away = false;
                self.revealed = None;
            }
        });
        let total = words::count(log.last_seq(), "line", "lines");
        let text = if self.filter.is_empty() {
            total
        } else {
            let searched = if self.filter.seen < log.last_seq() { ", searching…" } else { "" };
            format!("{} of {total}{searched}", words::number(self.filter.matches.len() as u64))
        };
        ui.weak(text);
    }

    fn nothing(&self, ui: &Ui, log: &Log, list: Rect) {
        let palette = Palette::of(ui.ctx());
        let text = if log.last_seq() == 0 {
            "No lines yet."
        } else if self.problems_only && self.text.is_empty() {
            "Every line was understood."
        } else {
            "No line fits the filter."
        };
        let font = FontId::new(SMALL + 1.0, FontFamily::Proportional);
        ui.painter().text(
            list.center_top() + vec2(0.0, 32.0),
            Align2::CENTER_CENTER,
            text,
            font,
            palette.weak,
        );
    }
}

/// Where the columns of the list begin, from the left edge.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// The right edge of the number.
    number: f32,
    /// The right edge of the time.
    time: f32,
    verdict: f32,
    text: f32,
}

impl Columns {
    fn of(ui: &Ui, log: &Log) -> Columns {
        let digit = ui.painter().layout_no_wrap("0".to_owned(), font(), Palette::of(ui.ctx()).text).size().x;
        let number = 6.0 + digit * log.last_seq().max(100).to_string().len() as f32;
        let time = number + 10.0 + digit * if log.end_time().as_secs_f64() >= 600.0 { 7.0 } else { 6.0 };
        Columns { number, time, verdict: time + 16.0, text: time + 28.0 }
    }
}

fn font() -> FontId {
    FontId::new(MONO, FontFamily::Monospace)
}

/// One line of the list: shown now, still to come, under the pointer.
fn line(ui: &Ui, log: &Log, seq: u64, rect: Rect, columns: Columns, (now, later, hot): (bool, bool, bool)) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    if now {
        painter.rect_filled(rect, 4.0, mix(palette.panel, palette.accent, 0.22));
    } else if hot {
        painter.rect_filled(rect, 4.0, palette.raised);
    }
    let fade = |color| if later { mix(palette.panel, color, 0.62) } else { color };
    let middle = rect.center().y;
    let at = |x: f32| pos2(rect.left() + x, middle);
    painter.text(at(columns.number), Align2::RIGHT_CENTER, seq, font(), fade(palette.weak));
    let time = words::clock(log.time_of(seq).as_secs_f64());
    painter.text(at(columns.time), Align2::RIGHT_CENTER, time, font(), fade(palette.weak));
    let Some(command) = log.command(seq) else {
        painter.text(at(columns.text), Align2::LEFT_CENTER, "(missing)", font(), fade(palette.weak));
        return;
    };
    let problem = problem_of(&command);
    let (icon, ink) = match problem {
        Some(_) => (Icon::Warning, palette.warning),
        None => (Icon::Check, palette.good),
    };
    icons::paint(painter, icon, icons::square(at(columns.verdict), 12.0), fade(ink));
    let text = shown_text(&command);
    let ink = if problem.is_some() { palette.warning } else { palette.text };
    let room = rect.width() - columns.text - 4.0;
    let galley = fitted(painter, &text, font(), fade(ink), room);
    painter.galley(at(columns.text) - vec2(0.0, galley.size().y / 2.0), galley, ink);
    let node = ui.interact(rect, ui.scope_id().with(("line", seq)), Sense::hover());
    node.widget_info(|| {
        let verdict = problem.map_or_else(|| "ok".to_owned(), ToString::to_string);
        WidgetInfo::labeled(Role::ListItem, true, format!("{seq}: {text}, {verdict}"))
    });
}

fn problem_of(command: &Command) -> Option<&Problem> {
    match command {
        Command::Unknown(unknown) => Some(unknown.problem()),
        _ => None,
    }
}

/// The line as it can be shown: control characters as the signs that stand for them.
fn shown_text(command: &Command) -> String {
    let line = command.to_line();
    let sign = |c: char| match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    // A line may be megabytes long; nobody reads that in a list.
    line.chars().take(400).map(sign).collect()
}

/// What is known of the line shown: its verdict with the place of what was wrong, and its JSON.
fn particulars(ui: &mut Ui, log: &Log, seq: u64, rect: Rect) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 8.0, palette.raised);
    let inner = rect.shrink2(vec2(10.0, 8.0));
    let small = FontId::new(SMALL, FontFamily::Proportional);
    let Some(command) = log.command(seq) else {
        let text = "Click a line to go to its moment.";
        painter.text(inner.left_center(), Align2::LEFT_CENTER, text, small, palette.weak);
        return;
    };
    let text = shown_text(&command);
    let mut y = inner.top();
    let mut write = |text: &str, font: FontId, ink| {
        let galley = fitted(&painter, text, font, ink, inner.width());
        let height = galley.size().y;
        painter.galley(pos2(inner.left(), y), galley, ink);
        y += height + 4.0;
        height
    };
    match problem_of(&command) {
        Some(problem) => {
            // As much of the line as leaves the place in view.
            let digit = painter.layout_no_wrap("0".to_owned(), font(), palette.text).size().x;
            let fits = ((inner.width() / digit) as usize).max(8);
            let column = problem.column.saturating_sub(1);
            let skip = column.saturating_sub(fits / 2);
            let part: String = text.chars().skip(skip).collect();
            let height = write(&part, font(), palette.text);
            let x = inner.left() + digit * (column - skip) as f32;
            let length = digit * problem.found.chars().count().clamp(1, fits) as f32;
            let under = inner.top() + height + 1.0;
            painter.hline(x..=x + length, under, Stroke::new(2.0, palette.warning));
            write(
                &format!("Column {}: expected {}", problem.column, problem.expected),
                small.clone(),
                palette.warning,
            );
            let found = if problem.found.is_empty() { "the end of the line" } else { &problem.found };
            write(&format!("Found {found}"), small, palette.weak);
        }
        None => {
            write(&text, font(), palette.text);
            write("Understood", small, palette.good);
            let mut json = Vec::new();
            command.write_json(&mut json);
            let json = String::from_utf8_lossy(&json).into_owned();
            write(&json, font(), palette.weak);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Game, Micros};

    fn log(lines: &[&str]) -> Log {
        let mut log = Log::live(Game::Abalone);
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq), &Command::parse(Game::Abalone, line.as_bytes()));
        }
        log
    }

    fn found(filter: &mut Filter, log: &Log, text: &str, problems_only: bool) -> Vec<u64> {
        filter.ask(text, problems_only);
        while filter.advance(log, Duration::from_secs(1)) {}
        (0..filter.count(log)).map(|row| filter.seq_of(row)).collect()
    }

    #[test]
    fn lines_are_found_by_text_and_by_verdict() {
        let log = log(&["set E0 b1", "bsay Set me", "sett E0", "turns 3"]);
        let mut filter = Filter::default();
        assert_eq!(found(&mut filter, &log, "", false), [1, 2, 3, 4]);
        assert_eq!(found(&mut filter, &log, "SET", false), [1, 2, 3]);
        assert_eq!(found(&mut filter, &log, "", true), [3]);
        assert_eq!(found(&mut filter, &log, "turns", true), Vec::<u64>::new());
        assert_eq!(found(&mut filter, &log, "bsay", false), [2]);
        assert_eq!((filter.row_of(1), filter.row_of(2), filter.row_of(4)), (None, Some(0), Some(0)));
    }

    #[test]
    fn lines_that_come_later_are_filtered_too() {
        let mut log = log(&["set E0 b1"]);
        let mut filter = Filter::default();
        assert_eq!(found(&mut filter, &log, "e0", false), [1]);
        let _ = log.insert(2, Micros(9), &Command::parse(Game::Abalone, b"set E0 e"));
        assert_eq!(found(&mut filter, &log, "e0", false), [1, 2]);
    }

    #[test]
    fn control_characters_are_shown_as_signs() {
        assert_eq!(shown_text(&Command::parse(Game::Abalone, b"bsay a\tb\x00")), "bsay a␉b␀");
    }
}
