//! Rows of the inspector: number, time, verdict and text of a line.

use eframe::egui::{Align2, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2};
use grandstand_board::text::paint_left;
use grandstand_board::theme::{MONO, Palette, mix};
use grandstand_protocol::{Command, Problem};
use grandstand_replays::Log;
use grandstand_story::format;

use crate::icons::{self, Icon};

/// Height of a row, in points.
pub(super) const ROW: f32 = 22.0;
/// Number of characters shown of a line, which may be megabytes long.
const LIST_CHARS: usize = 400;

/// Positions of the columns, from the left edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// Right edge of the number.
    number: f32,
    /// Right edge of the time.
    time: f32,
    verdict: f32,
    text: f32,
}

impl Columns {
    pub(super) fn of(ui: &Ui, log: &Log) -> Columns {
        let digit = ui.painter().layout_no_wrap("0".to_owned(), font(), Palette::of(ui.ctx()).text).size().x;
        let number = 6.0 + digit * log.last_seq().max(100).to_string().len() as f32;
        let time = number + 10.0 + digit * if log.end_time().as_secs_f64() >= 600.0 { 7.0 } else { 6.0 };
        Columns { number, time, verdict: time + 16.0, text: time + 28.0 }
    }
}

pub(super) fn font() -> FontId {
    FontId::monospace(MONO)
}

/// One row: the current one, a future one, one under the pointer.
pub(super) fn line(
    ui: &Ui,
    log: &Log,
    seq: u64,
    rect: Rect,
    columns: Columns,
    (now, later, hot): (bool, bool, bool),
) {
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
    let time = format::clock(log.time_of(seq).as_secs_f64());
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
    let text = shown_text(&command, LIST_CHARS);
    let ink = if problem.is_some() { palette.warning } else { palette.text };
    let room = rect.width() - columns.text - 4.0;
    paint_left(painter, at(columns.text), &text, font(), fade(ink), room);
    let node = ui.interact(rect, ui.scope_id().with(("line", seq)), Sense::hover());
    node.widget_info(|| {
        let verdict = problem.map_or_else(|| "ok".to_owned(), ToString::to_string);
        WidgetInfo::labeled(Role::ListItem, true, format!("{seq}: {text}, {verdict}"))
    });
}

pub(super) fn problem_of(command: &Command) -> Option<&Problem> {
    match command {
        Command::Unknown(unknown) => Some(unknown.problem()),
        _ => None,
    }
}

/// The first `most` characters of a line for display. Control characters, which fonts don't have, are escaped as in a
/// program: `\t`.
pub(super) fn shown_text(command: &Command, most: usize) -> String {
    let line = command.to_line();
    let mut shown = String::with_capacity(line.len().min(4 * most));
    for c in line.chars().take(most) {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::Game;

    #[test]
    fn control_characters_are_shown_as_a_program_writes_them() {
        let command = Command::parse(Game::Abalone, b"bsay a\tb\x00");
        assert_eq!(shown_text(&command, 400), "bsay a\\tb\\u{0}");
    }
}
