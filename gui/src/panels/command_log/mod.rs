//! Protocol inspector: every line with number, time, text, JSON and verdict, and a filter; a click seeks to a line.

mod controls;
pub(crate) mod copy;
mod details;
mod filter;
mod list;
mod missing;
mod word_counts;

use std::time::Duration;

use eframe::egui::{Align2, Context, FontId, Rect, Ui, UiBuilder, pos2, vec2};
use grandstand_board::theme::{Palette, SMALL};
use grandstand_protocol::Place;
use grandstand_replays::Log;
use grandstand_story::format;
use grandstand_story::sides::Side;

use self::copy::{CopyFormat, Copying};
use self::filter::{Filter, LineStatus, Query};
use self::list::{Columns, ROW};
use self::word_counts::WordCounts;
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::widgets::rows::Rows;

/// Time for filtering and copying in one frame.
const BUDGET: Duration = Duration::from_millis(4);

/// Height below which the lines take the room of the details, under a pointer and for fingers, in points.
const LOW: f32 = 190.0;
const LOW_FOR_FINGERS: f32 = 320.0;

/// State of the inspector.
#[derive(Debug, Default)]
pub(crate) struct CommandLog {
    rows: Rows,
    /// The query, as it is being typed.
    query: Query,
    filter: Filter,
    word_counts: WordCounts,
    copying: Option<Copying>,
    /// The query for which missing lines are fetched.
    fetches: Option<Query>,
    /// A request to copy the shown line.
    wants: Option<CopyFormat>,
    /// Key of the last automatic scroll: command, row and height of the list.
    revealed: Option<(u64, usize, u32)>,
    /// Whether the viewer has scrolled away from the current line.
    away: bool,
}

/// Requests of the viewer.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct CommandLogRequest {
    /// The line that was clicked.
    pub seq: Option<u64>,
    /// The line under the pointer.
    pub hot: Option<u64>,
    /// A message about what was done.
    pub notice: Option<String>,
}

impl CommandLog {
    /// Filters by a place, or no longer by any.
    pub(crate) fn ask_place(&mut self, place: Option<Place>) {
        self.query.place = place;
        self.fetches = None;
        self.revealed = None;
        self.away = false;
    }

    /// The place that is filtered by.
    pub(crate) fn place(&self) -> Option<Place> {
        self.query.place
    }

    /// Shows the controls above the lines, where they were scrolled away.
    pub(crate) fn show_controls(&mut self) {
        self.rows.show_head();
    }

    /// Shows the inspector in the remaining space.
    pub(crate) fn show(&mut self, ui: &mut Ui, session: &Session, sides: &[Side]) -> CommandLogRequest {
        let log = session.log();
        let mut asked = CommandLogRequest::default();
        if ui.memory(|memory| memory.has_focus(Self::filter_id())) {
            self.show_controls();
        }
        let mut rows = self.rows;
        rows.head(ui, (self.filter.count(log), ROW, 1), |ui| self.controls(ui, session, sides));
        self.rows = rows;
        self.filter.ask(&self.query);
        if self.filter.advance(log, BUDGET) {
            ui.ctx().request_repaint();
        }
        if self.fetches.as_ref() == Some(&self.query)
            && let Some(seq) = self.filter.last_missing()
        {
            // The latest lines first, one stretch after the other.
            session.ask_for(seq);
            ui.ctx().request_repaint_after(Duration::from_millis(50));
        }
        let count = self.filter.count(log);
        let shown = session.seq();
        // The result card may take the lower part of the panel.
        let free = ui.available_rect_before_wrap();
        let room = free.height();
        // With little room, the lines take all of it.
        let low = if ScreenLayout::of(ui.ctx()).is_touched() { LOW_FOR_FINGERS } else { LOW };
        let detail = if room < low { 0.0 } else { (room * 0.38).min(240.0) };
        let list = Rect::from_min_max(
            ui.cursor().min,
            pos2(free.right(), free.bottom() - if detail > 0.0 { detail + 8.0 } else { 0.0 }),
        );
        if count == 0 {
            self.nothing(ui, log, list);
        } else {
            // Another filter or height moves the line as well.
            let row = self.filter.row_of(shown).unwrap_or(0);
            let place = (shown, row, list.height() as u32);
            // A line that is not in the list yet is revealed later.
            if self.revealed != Some(place) && !self.away && row < count {
                self.revealed = Some(place);
                self.rows.reveal(row);
            }
            let mut child = ui.new_child(UiBuilder::new().max_rect(list).id_salt("lines"));
            let columns = Columns::of(ui, log);
            let filter = &self.filter;
            let mut current = false;
            let result = self.rows.show(&mut child, count, ROW, |ui, row, rect, hot| {
                let seq = filter.seq_of(row);
                current |= seq == shown;
                if hot {
                    asked.hot = Some(seq);
                }
                if log.line(seq).is_none() {
                    session.ask_for(seq);
                }
                list::line(ui, log, seq, rect, columns, (seq == shown, seq > shown, hot));
            });
            if result.scrolled {
                self.away = !current;
            }
            if let Some(row) = result.clicked {
                asked.seq = Some(self.filter.seq_of(row));
                self.away = false;
                self.revealed = asked.seq.map(|seq| (seq, row, list.height() as u32));
            }
        }
        let rest = Rect::from_min_max(pos2(list.left(), list.bottom() + 8.0), free.max);
        let wants = if detail > 0.0 { details::show(ui, log, shown, rest) } else { None };
        let wants = wants.or(self.wants.take());
        asked.notice = match wants {
            Some(form) => Some(copy_line(ui.ctx(), log, shown, form)),
            None => self.copy(ui, log),
        };
        asked
    }

    /// Continues copying; returns a message when it is done.
    fn copy(&mut self, ui: &Ui, log: &Log) -> Option<String> {
        let mut copying = self.copying.take()?;
        if !copying.advance(log, BUDGET) {
            self.copying = Some(copying);
            ui.ctx().request_repaint();
            return None;
        }
        let (text, words) = copying.finish();
        ui.ctx().copy_text(text);
        Some(words)
    }

    fn nothing(&self, ui: &Ui, log: &Log, list: Rect) {
        let palette = Palette::of(ui.ctx());
        let only_problems = Query { verdict: LineStatus::Problem, ..Query::default() };
        let text = if log.last_seq() == 0 {
            "No lines yet."
        } else if !self.filter.is_done(log) {
            "Searching…"
        } else if self.query == only_problems {
            "Every line was understood."
        } else {
            "No line fits the filter."
        };
        let font = FontId::proportional(SMALL + 1.0);
        ui.painter().text(
            list.center_top() + vec2(0.0, 32.0),
            Align2::CENTER_CENTER,
            text,
            font,
            palette.weak,
        );
    }
}

/// Copies a line; returns a message.
pub(crate) fn copy_line(ctx: &Context, log: &Log, seq: u64, form: CopyFormat) -> String {
    match copy::one(log, seq, form) {
        Some(text) => {
            ctx.copy_text(text);
            let what = if form == CopyFormat::Json { " as JSON" } else { "" };
            format!("Copied line {}{what}", format::number(seq))
        }
        None => "There is no line to copy here".to_owned(),
    }
}
