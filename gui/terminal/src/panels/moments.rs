//! The moments of the match: the last events, the latest narration, and at the end what decided the match.

use grandstand_story::markers::{Filter, Origin};
use grandstand_story::summary::{FinishedMatch, ResultSummary};
use grandstand_story::{Side, format, moments, story};
use ratatui_core::style::Style;

use crate::canvas::{Canvas, bold, columns, ink, wrapped};
use crate::look::{self, ACCENT, TEXT, WEAK};
use crate::session::Session;

/// Number of markers that are looked at for each row: those of one event share a row.
const MARKERS: usize = 16;

/// Width of an area from which two short lines of narration share a row, in columns.
const PAIRED: i32 = 48;

/// A line and its style.
type Row = (String, Style);

/// Paints both lists: one above the other, or side by side in wide and low areas.
pub(crate) fn paint(canvas: &mut Canvas<'_>, session: &Session) {
    let (width, height) = (canvas.width(), canvas.height());
    let sides = session.sides();
    if width > 4 * height {
        let half = width / 2;
        let first = if session.is_at_end() {
            summary(session, &sides, half - 2)
        } else {
            last_moments(session, &sides, half - 2, height)
        };
        if first.is_empty() {
            return show(&mut canvas.part(1, 0, width - 2, height), &lines(session, width - 2, height));
        }
        show(&mut canvas.part(1, 0, half - 2, height), &first);
        return show(
            &mut canvas.part(half, 0, width - half - 1, height),
            &lines(session, width - half - 1, height),
        );
    }
    let mut rows = if session.is_at_end() { summary(session, &sides, width) } else { Vec::new() };
    if rows.is_empty() {
        rows = last_moments(session, &sides, width, height / 2);
    }
    if !rows.is_empty() {
        rows.push(Row::default());
    }
    rows.extend(lines(session, width, height - rows.len() as i32));
    show(canvas, &rows);
}

fn show(canvas: &mut Canvas<'_>, rows: &[Row]) {
    for ((text, style), y) in rows.iter().zip(0..) {
        canvas.text(0, y, text, *style);
    }
}

/// The last moments up to the shown position, the latest last.
fn last_moments(session: &Session, sides: &[Side], width: i32, height: i32) -> Vec<Row> {
    let findings = session.events.findings();
    let cast = findings.markers.cast(sides);
    let known = findings.markers.list();
    let known = &known[..known.partition_point(|marker| marker.seq <= session.seq())];
    // Only the last ones have room, and an event has few markers.
    let known = &known[known.len().saturating_sub(MARKERS * height.max(1) as usize)..];
    let visible = Filter::default().of(&findings.markers, session.seq());
    let together = story(session.scene()).group_window();
    let mut rows = Vec::new();
    for row in moments::rows(findings, &[known], &visible, together).iter().rev() {
        let marker = &known[row.at as usize];
        if !matches!(marker.origin, Origin::Game | Origin::Server) {
            continue;
        }
        let side = cast.side(marker).map(|(_, side)| side);
        let color = side.map_or(TEXT, look::side);
        let style = if marker.major { bold(color) } else { ink(color) };
        let text = format!("{} {}", format::minutes(marker.t.as_secs_f64()), marker.words(&cast));
        let lines = wrapped(&text, width);
        if rows.len() + lines.len() > height.max(0) as usize {
            break;
        }
        rows.extend(lines.into_iter().rev().map(|line| (line, style)));
    }
    rows.reverse();
    rows
}

/// The last lines of narration, the latest last. In a wide area two short ones stand beside each other.
fn lines(session: &Session, width: i32, height: i32) -> Vec<Row> {
    let half = width / 2;
    let is_short = |text: &str| width >= PAIRED && columns(text) <= half - 2;
    let mut rows = Vec::new();
    let mut rest = session.lines.iter().rev().peekable();
    // In a game by turns the move of who began is the left one.
    let mut alone = story(session.scene()).ply() % 2 == 1;
    while let Some(line) = rest.next() {
        let may_pair = !std::mem::take(&mut alone) && is_short(&line.text);
        let broken = match rest.next_if(|before| may_pair && is_short(&before.text)) {
            Some(before) => {
                let gap = " ".repeat((half - columns(&before.text)).max(0) as usize);
                vec![format!("{}{gap}{}", before.text, line.text)]
            }
            None => wrapped(&line.text, width),
        };
        if rows.len() + broken.len() > height.max(0) as usize {
            break;
        }
        let style = if rows.is_empty() { ink(TEXT) } else { ink(WEAK) };
        rows.extend(broken.into_iter().rev().map(|line| (line, style)));
    }
    rows.reverse();
    rows
}

/// The result of the match, and what decided it.
fn summary(session: &Session, sides: &[Side], width: i32) -> Vec<Row> {
    let summary = told(session, sides);
    let mut rows: Vec<Row> =
        wrapped(&summary.outcome, width).into_iter().map(|line| (line, bold(ACCENT))).collect();
    rows.extend(wrapped(&summary.facts.join(", "), width).into_iter().map(|line| (line, ink(TEXT))));
    for moment in &summary.moments {
        let text = format!("{} {}", format::minutes(moment.t.as_secs_f64()), moment.what);
        rows.extend(wrapped(&text, width).into_iter().map(|line| (line, ink(WEAK))));
    }
    rows
}

/// The summary of a match at its end.
pub(crate) fn told(session: &Session, sides: &[Side]) -> ResultSummary {
    ResultSummary::of(&FinishedMatch {
        log: session.whole_log(),
        scene: session.scene(),
        sides,
        findings: session.events.findings(),
        state: session.about.state,
        result: session.result(),
        secs: session.whole_log().end_time().as_secs_f64(),
    })
}
