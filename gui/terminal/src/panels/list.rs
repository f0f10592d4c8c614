//! The matches of a server, one of which is selected.

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{MatchSummary, Scene};
use grandstand_source::address::Base;
use grandstand_source::errors::SourceError;
use grandstand_story::{format, sides};
use ratatui_core::style::{Modifier, Style};

use crate::canvas::{Canvas, bold, columns, ink, shortened};
use crate::look::{ACCENT, LIVE, TEXT, WEAK};

/// The list as far as it is known, and the selection.
#[derive(Debug, Default)]
pub(crate) struct MatchList {
    /// The last answer of the server; `None` before the first one.
    pub matches: Option<Result<Vec<MatchSummary>, SourceError>>,
    chosen: usize,
}

impl MatchList {
    /// Takes a new list. Live matches come first.
    pub(crate) fn take(&mut self, matches: Result<Vec<MatchSummary>, SourceError>) {
        let chosen = self.chosen().map(|summary| summary.id.clone());
        let matches = matches.map(|mut matches| {
            matches.sort_by_key(|summary| summary.state != MatchState::Live);
            matches
        });
        if let (Ok(matches), Some(id)) = (&matches, chosen) {
            // The selection stays on its match.
            self.chosen = matches.iter().position(|summary| summary.id == id).unwrap_or(self.chosen);
        }
        self.matches = Some(matches);
    }

    /// The selected match.
    pub(crate) fn chosen(&self) -> Option<&MatchSummary> {
        let matches = self.matches.as_ref()?.as_ref().ok()?;
        matches.get(self.chosen.min(matches.len().saturating_sub(1)))
    }

    /// Selects the next match or the previous one.
    pub(crate) fn choose(&mut self, next: bool) {
        let count = self.matches.as_ref().and_then(|matches| matches.as_ref().ok()).map_or(0, Vec::len);
        self.chosen = if next { self.chosen.saturating_add(1) } else { self.chosen.saturating_sub(1) };
        self.chosen = self.chosen.min(count.saturating_sub(1));
    }

    /// Paints the list.
    pub(crate) fn paint(&self, canvas: &mut Canvas<'_>, base: &Base) {
        let title = shortened(&format!("Matches at {base}"), canvas.width() - 2, canvas.look);
        canvas.text(1, 0, &title, bold(ACCENT));
        let rows = canvas.height() - 3;
        let keys = if canvas.look.unicode {
            "↑ ↓ choose   Enter watch   r again   q quit"
        } else {
            "up, down: choose   Enter: watch   r: again   q: quit"
        };
        canvas.text(1, canvas.height() - 1, keys, ink(WEAK));
        match &self.matches {
            None => drop(canvas.text(1, 2, "Loading…", ink(WEAK))),
            Some(Err(trouble)) => {
                let (width, height) = (canvas.width(), rows);
                super::trouble::paint(&mut canvas.part(0, 2, width, height), trouble);
            }
            Some(Ok(matches)) if matches.is_empty() => {
                canvas.text(1, 2, "No matches yet. The first one appears here by itself.", ink(WEAK));
            }
            Some(Ok(matches)) => {
                let chosen = self.chosen.min(matches.len() - 1);
                let first = (chosen as i32 + 1 - rows).max(0) as usize;
                for (y, (index, summary)) in (2..2 + rows).zip(matches.iter().enumerate().skip(first)) {
                    paint_match(canvas, y, summary, index == chosen);
                }
            }
        }
    }
}

fn paint_match(canvas: &mut Canvas<'_>, y: i32, summary: &MatchSummary, chosen: bool) {
    let (look, width) = (canvas.look, canvas.width());
    let live = summary.state == MatchState::Live;
    canvas.text(1, y, if live { look.sign("●", "*") } else { " " }, bold(LIVE));
    let about = format!(
        "{}  {}",
        summary.game.title(),
        if live { "live".to_owned() } else { format::started(&summary.started) }
    );
    let name = format::match_name(&summary.title, &sides(&Scene::new(summary.game), &summary.teams));
    let name = shortened(&name, width - columns(&about) - 6, look);
    canvas.text(3, y, &name, if live { bold(TEXT) } else { ink(TEXT) });
    canvas.text_to(width - 1, y, &about, ink(WEAK));
    if chosen {
        canvas.restyle(0, y, width, Style::new().add_modifier(Modifier::REVERSED));
    }
}
