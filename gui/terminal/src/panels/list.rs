//! The matches of a server or the recordings of a folder, one of which is selected.

use std::path::Path;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{MatchSummary, Scene};
use grandstand_source::address::{Base, Target};
use grandstand_source::errors::SourceError;
use grandstand_source::recordings::{Folder, FolderUpdate, Recorded};
use grandstand_story::{format, sides, story};
use ratatui_core::style::{Modifier, Style};

use crate::canvas::{Canvas, bold, columns, ink, shortened};
use crate::look::{ACCENT, LIVE, TEXT, WEAK};

/// The largest part of the width that the names take, as a divisor.
const NAMES: i32 = 3;
/// Facts that are cut rather than left out: the game and the result.
const FIRST: usize = 2;

/// A row: a match, a recording or a folder.
#[derive(Debug, Clone)]
pub(crate) struct ListRow {
    pub target: Target,
    is_live: bool,
    name: String,
    /// When the match began, as it is shown; empty if that is not known.
    started: String,
    /// The score, in games that have one.
    score: String,
    /// The game, the result, the turn, the length and when it began. What does not fit is left out from the end.
    facts: Vec<String>,
    /// The place of a recording among those of its folder.
    number: Option<usize>,
}

impl ListRow {
    fn of_match(base: &Base, summary: &MatchSummary) -> ListRow {
        let teams = sides(&Scene::new(summary.game), &summary.teams);
        let is_live = summary.state == MatchState::Live;
        let outcome = match &summary.result {
            _ if is_live => "live".to_owned(),
            Some(result) => format::result_sentence(result, &teams),
            None => "no result".to_owned(),
        };
        let started = format::started(&summary.started);
        let facts = [summary.game.title().to_owned(), outcome, started.clone()];
        let score = summary.result.as_ref().and_then(|result| format::result_score(result, &teams));
        ListRow {
            target: Target::of_match(base.clone(), summary.id.clone()),
            is_live,
            name: format::match_name(&summary.title, &teams),
            started,
            score: score.unwrap_or_default(),
            facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect(),
            number: None,
        }
    }

    /// A file or a folder of which only the name is known.
    fn named(target: Target, path: &Path, facts: Vec<String>) -> ListRow {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (started, score) = (String::new(), String::new());
        ListRow { target, is_live: false, name, started, score, facts, number: None }
    }

    /// Takes what was read of a recording, or the reason why it is none.
    fn take(&mut self, told: Result<Box<Recorded>, String>) {
        let Recorded { scan, scene } = match told {
            Ok(recorded) => *recorded,
            Err(why) => {
                self.facts = vec![format::uncapitalised(&why)];
                return;
            }
        };
        let (game, about) = (scan.header.game, &scan.header.about);
        let scene = scene.map_or_else(|| Scene::new(game), |scene| *scene);
        let teams = sides(&scene, &about.teams);
        let story = story(&scene);
        let outcome = match &scan.result {
            Some(result) => format::result_sentence(result, &teams),
            None => "no result".to_owned(),
        };
        let scores: Vec<i64> = story.scores().iter().map(|(_, score)| i64::from(*score)).collect();
        self.score = format::score(&scores).unwrap_or_default();
        self.started = about.started.as_ref().map(|at| format::started(at)).unwrap_or_default();
        // A shorter one tells nothing.
        let length = Some(scan.end.as_secs_f64()).filter(|secs| *secs >= 1.0).map(format::minutes);
        let facts = [
            game.title().to_owned(),
            outcome,
            story.progress_text(),
            length.unwrap_or_default(),
            self.started.clone(),
        ];
        self.name = format::match_name(&about.title, &teams);
        self.facts = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    }
}

/// The list as far as it is known, and the selection.
#[derive(Debug, Default)]
pub(crate) struct MatchList {
    /// The rows of the last answer; `None` before the first one.
    rows: Option<Result<Vec<ListRow>, SourceError>>,
    chosen: usize,
    /// What the user has selected, which then stays selected.
    chosen_target: Option<Target>,
}

impl MatchList {
    /// Takes the matches of a server. Live ones come first.
    pub(crate) fn take_matches(&mut self, base: &Base, matches: Result<Vec<MatchSummary>, SourceError>) {
        self.take(matches.map(|mut matches| {
            matches.sort_by_key(|summary| summary.state != MatchState::Live);
            matches.iter().map(|summary| ListRow::of_match(base, summary)).collect()
        }));
    }

    /// Takes what was read of a folder.
    pub(crate) fn take_folder(&mut self, update: FolderUpdate) {
        match update {
            FolderUpdate::Contents(folder) => {
                let rows = self.rows_of(&folder);
                self.take(Ok(rows));
            }
            FolderUpdate::Recording(number, told) => {
                let Some(Ok(mut rows)) = self.rows.take() else { return };
                if let Some(row) = rows.iter_mut().find(|row| row.number == Some(number)) {
                    row.take(told);
                }
                // The newest first, by the dates that are shown; then the folders.
                rows.sort_by(|a, b| {
                    (a.number.is_none().cmp(&b.number.is_none())).then_with(|| b.started.cmp(&a.started))
                });
                let chosen = rows.iter().position(|row| Some(&row.target) == self.chosen_target.as_ref());
                self.chosen = chosen.unwrap_or(self.chosen);
                self.rows = Some(Ok(rows));
            }
            FolderUpdate::Failed(trouble) => self.take(Err(trouble)),
        }
    }

    /// The recordings of a folder, the folders in it, and the one above. What is known of a recording stays.
    fn rows_of(&self, folder: &Folder) -> Vec<ListRow> {
        let known = self.rows.iter().flatten().flatten();
        let recordings = folder.recordings.iter().enumerate().map(|(number, path)| {
            let target = Target::File(path.clone());
            let row = known.clone().find(|row| row.target == target).cloned();
            let row = row.unwrap_or_else(|| ListRow::named(target, path, Vec::new()));
            ListRow { number: Some(number), ..row }
        });
        let kind = || vec!["folder".to_owned()];
        let above = folder.path.parent().map(|path| {
            let row = ListRow::named(Target::Folder(path.to_owned()), path, kind());
            ListRow { name: "..".to_owned(), ..row }
        });
        let folders = folder.folders.iter();
        let folders = folders.map(|path| ListRow::named(Target::Folder(path.clone()), path, kind()));
        recordings.chain(folders).chain(above).collect()
    }

    fn take(&mut self, rows: Result<Vec<ListRow>, SourceError>) {
        let chosen = self.chosen().map(|row| row.target.clone());
        if let (Ok(rows), Some(target)) = (&rows, chosen) {
            // The selection stays on its match.
            self.chosen = rows.iter().position(|row| row.target == target).unwrap_or(self.chosen);
        }
        self.rows = Some(rows);
    }

    /// The selected row.
    pub(crate) fn chosen(&self) -> Option<&ListRow> {
        let rows = self.rows.as_ref()?.as_ref().ok()?;
        rows.get(self.chosen.min(rows.len().saturating_sub(1)))
    }

    /// Selects the next row or the previous one.
    pub(crate) fn choose(&mut self, next: bool) {
        let count = self.rows.as_ref().and_then(|rows| rows.as_ref().ok()).map_or(0, Vec::len);
        self.chosen = if next { self.chosen.saturating_add(1) } else { self.chosen.saturating_sub(1) };
        self.chosen = self.chosen.min(count.saturating_sub(1));
        self.chosen_target = self.chosen().map(|row| row.target.clone());
    }

    /// Paints the list of a server or a folder.
    pub(crate) fn paint(&self, canvas: &mut Canvas<'_>, of: &Target) {
        let (title, empty) = match of {
            Target::Folder(path) => {
                (format!("Recordings in {}", path.display()), "There is no recording here.")
            }
            of => (format!("Matches at {of}"), "No matches yet. The first one appears here by itself."),
        };
        let title = shortened(&title, canvas.width() - 2, canvas.look);
        canvas.text(1, 0, &title, bold(ACCENT));
        let rows = canvas.height() - 3;
        let keys = if canvas.look.unicode {
            "↑ ↓ choose   Enter watch   r again   q quit"
        } else {
            "up, down: choose   Enter: watch   r: again   q: quit"
        };
        canvas.text(1, canvas.height() - 1, keys, ink(WEAK));
        match &self.rows {
            None => drop(canvas.text(1, 2, "Loading…", ink(WEAK))),
            Some(Err(trouble)) => {
                let (width, height) = (canvas.width(), rows);
                super::trouble::paint(&mut canvas.part(0, 2, width, height), trouble);
            }
            Some(Ok(matches)) if matches.is_empty() => {
                canvas.text(1, 2, empty, ink(WEAK));
            }
            Some(Ok(matches)) => {
                let chosen = self.chosen.min(matches.len() - 1);
                let first = (chosen as i32 + 1 - rows).max(0) as usize;
                let table = Table::of(matches, canvas.width());
                for (y, (index, row)) in (2..2 + rows).zip(matches.iter().enumerate().skip(first)) {
                    table.paint(canvas, y, row, index == chosen);
                }
            }
        }
    }
}

/// The columns of the list: the names, the scores, and the facts in the rest of the width.
struct Table {
    names: i32,
    scores: i32,
}

impl Table {
    fn of(rows: &[ListRow], width: i32) -> Table {
        let widest = |of: fn(&ListRow) -> &str| rows.iter().map(|row| columns(of(row))).max().unwrap_or(0);
        let scores = widest(|row| &row.score);
        let names = widest(|row| &row.name).min((width / NAMES).max(1));
        Table { names, scores: if scores > 0 { scores + 2 } else { 0 } }
    }

    fn paint(&self, canvas: &mut Canvas<'_>, y: i32, row: &ListRow, chosen: bool) {
        let (look, width) = (canvas.look, canvas.width());
        canvas.text(1, y, if row.is_live { look.sign("●", "*") } else { " " }, bold(LIVE));
        let name = shortened(&row.name, self.names, look);
        canvas.text(3, y, &name, if row.is_live { bold(TEXT) } else { ink(TEXT) });
        let scores = 3 + self.names + self.scores;
        canvas.text_to(scores, y, &row.score, bold(TEXT));
        let room = width - scores - 3;
        let join = |facts: &[String]| facts.join(look.sign(" · ", " | "));
        let mut facts = row.facts.as_slice();
        while facts.len() > FIRST && columns(&join(facts)) > room {
            facts = &facts[..facts.len() - 1];
        }
        canvas.text(scores + 2, y, &shortened(&join(facts), room, look), ink(WEAK));
        if chosen {
            canvas.restyle(0, y, width, Style::new().add_modifier(Modifier::REVERSED));
        }
    }
}
