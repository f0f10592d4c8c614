//! Entry of the list: a server's match or a recording of a folder.

use std::collections::HashSet;
use std::rc::Rc;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, Label, MatchResult, MatchSummary, Scene, TeamInfo};
use grandstand_story::games::{sides, story};
use grandstand_story::sides::Side;
use grandstand_story::{format, identity, occasion};

use crate::address::{Base, Target};

/// State of a match as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EntryState {
    Live,
    Finished,
    /// Stopped before its end.
    Interrupted,
    /// Its file has not been read yet.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page reads no folders"))]
    Unread,
    /// The file can't be shown; the text says why.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page reads no folders"))]
    Unreadable(String),
}

/// Contents of a row.
#[derive(Debug)]
pub(super) struct Entry {
    pub target: Target,
    pub game: Option<Game>,
    /// The game and its variant, as far as they are known: `Riskless · europe`; empty without a game.
    pub identity: String,
    /// The title; without one, the names of the players.
    pub name: String,
    pub has_title: bool,
    /// The event and the round; empty without them.
    pub occasion: String,
    pub teams: Vec<TeamInfo>,
    pub sides: Vec<Side>,
    pub state: EntryState,
    pub result: Option<MatchResult>,
    /// Progress of the match in the game's words: `Turn 32`.
    pub moment: String,
    /// Score of both sides: `3 : 2`; empty in games without one.
    pub score: String,
    pub secs: Option<f64>,
    /// Start of the match as shown text.
    pub started: String,
    pub spectators: u64,
    /// Number of commands so far, for a server's match.
    pub seq: u64,
    /// The latest known scene, for the thumbnail.
    pub scene: Option<Rc<Scene>>,
    /// The searchable text without the game, in lower case.
    pub words: String,
}

impl Entry {
    fn new(target: Target, state: EntryState) -> Entry {
        Entry {
            target,
            game: None,
            identity: String::new(),
            name: String::new(),
            has_title: true,
            occasion: String::new(),
            teams: Vec::new(),
            sides: Vec::new(),
            state,
            result: None,
            moment: String::new(),
            score: String::new(),
            secs: None,
            started: String::new(),
            spectators: 0,
            seq: 0,
            scene: None,
            words: String::new(),
        }
    }

    /// A match of a server.
    pub(super) fn of_match(base: &Base, summary: &MatchSummary) -> Entry {
        let state = match summary.state {
            MatchState::Live => EntryState::Live,
            MatchState::Finished => EntryState::Finished,
            MatchState::Interrupted => EntryState::Interrupted,
        };
        let mut entry = Entry {
            occasion: occasion_of(&summary.event, &summary.round),
            result: summary.result.clone(),
            spectators: summary.spectators,
            seq: summary.seq,
            ..Entry::new(Target::of_match(base.clone(), summary.id.clone()), state)
        };
        entry.describe(&Scene::new(summary.game), &summary.title, &summary.teams, &summary.started);
        entry.index("");
        entry
    }

    /// A file that has not been read yet.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of_file(path: &std::path::Path) -> Entry {
        let name = file_name(path);
        let mut entry = Entry { name, ..Entry::new(Target::File(path.to_owned()), EntryState::Unread) };
        entry.index("");
        entry
    }

    /// Fills the entry from its file, once that has been read.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn take(&mut self, told: Result<Box<crate::source::recordings::Recorded>, String>) {
        let Target::File(path) = &self.target else { return };
        let file = file_name(path);
        let crate::source::recordings::Recorded { scan, scene } = match told {
            Ok(recorded) => *recorded,
            Err(why) => {
                self.state = EntryState::Unreadable(why);
                return;
            }
        };
        let is_whole = scan.damage.is_none();
        let known = scene.filter(|_| is_whole);
        let (empty, about) = (Scene::new(scan.header.game), &scan.header.about);
        let started = about.started.as_ref().map(ToString::to_string).unwrap_or_default();
        self.describe(known.as_deref().unwrap_or(&empty), &about.title, &about.teams, &started);
        self.identity = identity(known.as_deref().unwrap_or(&empty), about.rules.as_ref());
        self.occasion = occasion_of(&about.event, &about.round);
        let over = is_whole && scan.result.is_some();
        self.state = if over { EntryState::Finished } else { EntryState::Interrupted };
        self.result = scan.result;
        (self.moment, self.score) = known.as_deref().map(|scene| standing(scene, over)).unwrap_or_default();
        self.secs = is_whole.then(|| scan.end.as_secs_f64());
        self.scene = known.map(Rc::from);
        self.index(&file);
    }

    /// Takes the contents of the match's header.
    fn describe(&mut self, scene: &Scene, title: &str, teams: &[TeamInfo], started: &str) {
        self.game = Some(scene.game());
        self.identity = scene.game().title().to_owned();
        self.sides = sides(scene, teams);
        self.teams = teams.to_vec();
        // A title that only names the players stands for none: the row names them with their signs.
        let players = teams.iter().map(|team| team.name.trim()).collect::<Vec<_>>().join(" – ");
        self.has_title = !title.trim().is_empty() && title.trim() != players;
        self.name = format::match_name(title, &self.sides);
        self.started = format::started(started);
    }

    /// Builds the searchable text; `more` is added to it.
    fn index(&mut self, more: &str) {
        let names: Vec<&str> = self.sides.iter().map(|side| side.name.as_str()).collect();
        let variant = self.game.and_then(|game| self.identity.strip_prefix(game.title())).unwrap_or("");
        let words = [&self.name, &*names.join(" "), variant, &self.occasion, more];
        self.words = words.join(" ").to_lowercase();
    }

    /// Whether a word in lower case is found: anywhere in the searchable text, or where a word of the game's name begins.
    /// (`team` is not meant by Steam Fortress.)
    pub(super) fn has(&self, word: &str) -> bool {
        let game = self.game.map_or("", Game::title).to_lowercase();
        self.words.contains(word) || game.split_whitespace().any(|name| name.starts_with(word))
    }

    /// What tells the match from others of its name: the game, the players beside a title, the event, the file. Nothing of
    /// its outcome.
    pub(super) fn note(&self) -> String {
        let mut parts = vec![self.game.map_or("", Game::title).to_owned()];
        if self.has_title {
            let names: Vec<&str> = self.sides.iter().map(|side| side.name.as_str()).collect();
            parts.push(names.join(" – "));
        }
        parts.push(self.occasion.clone());
        if self.state == EntryState::Live {
            parts.push("live".to_owned());
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let (Target::File(path), true) = (&self.target, self.game.is_some()) {
            parts.push(file_name(path));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }

    /// Takes the latest scene of a server's match.
    pub(super) fn show_picture(&mut self, scene: Rc<Scene>, secs: f64) {
        (self.moment, self.score) = standing(&scene, self.state == EntryState::Finished);
        self.identity = identity(&scene, None);
        self.secs = Some(secs);
        self.sides = sides(&scene, &self.teams);
        self.scene = Some(scene);
    }

    /// Winner and cause; `None` in spoiler mode.
    pub(super) fn outcome(&self, hides: bool) -> Option<String> {
        let result = self.result.as_ref().filter(|_| !hides)?;
        Some(format::result_sentence(result, &self.sides))
    }
}

/// The event and the round of a match; empty without them.
fn occasion_of(event: &Option<Label>, round: &Option<Label>) -> String {
    let text = |label: &Option<Label>| label.as_ref().map(ToString::to_string).unwrap_or_default();
    occasion(&text(event), &text(round)).unwrap_or_default()
}

/// Moment and score of a match; of one that is over its length.
fn standing(scene: &Scene, is_over: bool) -> (String, String) {
    let story = story(scene);
    let scores: Vec<i64> = story.scores().iter().map(|(_, score)| i64::from(*score)).collect();
    let moment = if is_over { story.length_text() } else { story.progress_text() };
    (moment, format::score(&scores).unwrap_or_default())
}

/// The last part of a path.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn file_name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Entries, and those that pass the filter.
#[derive(Debug, Default)]
pub(super) struct EntryList {
    pub entries: Vec<Entry>,
    /// Indices of the shown entries, in order.
    pub shown: Vec<usize>,
}

impl EntryList {
    /// The shown entries, in order.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Entry> {
        self.shown.iter().filter_map(|number| self.entries.get(*number))
    }

    /// All entries: the shown ones, in order, and then the others.
    pub(super) fn all(&self) -> impl Iterator<Item = &Entry> {
        let shown: HashSet<usize> = self.shown.iter().copied().collect();
        let others = self.entries.iter().enumerate().filter(move |(number, _)| !shown.contains(number));
        self.shown().chain(others.map(|(_, entry)| entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_only_names_the_players_is_not_shown_beside_them() {
        let server: Target = "http://127.0.0.1:8126/".parse().expect("an address");
        let Target::Server(base) = server else { panic!("a server's list") };
        for (title, expected) in
            [("Reds – Blues", false), ("", false), ("Final", true), ("Reds – Greens", true)]
        {
            let summary = grandstand_testing::summary("m1", "finished", title);
            let summary: MatchSummary = serde_json::from_str(&summary).expect("a summary");
            let entry = Entry::of_match(&base, &summary);
            assert_eq!(entry.has_title, expected, "{title:?}");
            assert_eq!(entry.name, if title.is_empty() { "Reds – Blues" } else { title });
        }
    }
}
