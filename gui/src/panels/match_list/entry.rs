//! Entry of the list: a server's match or a recording of a folder.

use std::rc::Rc;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, MatchResult, Scene, Summary, TeamInfo};
use grandstand_story::format;
use grandstand_story::games::{sides, story};
use grandstand_story::sides::Side;

use crate::address::bookmarks::Bookmarks;
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
    /// The title; without one, the names of the players.
    pub name: String,
    pub has_title: bool,
    pub teams: Vec<TeamInfo>,
    pub sides: Vec<Side>,
    pub state: EntryState,
    pub result: Option<MatchResult>,
    /// Progress of the match in the game's words: `Turn 32 · 3–2`.
    pub moment: String,
    pub secs: Option<f64>,
    /// Start of the match as shown text.
    pub started: String,
    pub spectators: u64,
    /// Number of commands so far, for a server's match.
    pub seq: u64,
    /// The latest known scene, for the thumbnail.
    pub scene: Option<Rc<Scene>>,
    /// The searchable text, in lower case.
    pub words: String,
}

impl Entry {
    /// A match of a server.
    pub(super) fn of_match(base: &Base, summary: &Summary) -> Entry {
        let sides = sides(&Scene::new(summary.game), &summary.teams);
        let (base, id) = (base.clone(), summary.id.clone());
        let target = Target::Match { base, id, seq: None, marks: Bookmarks::default() };
        let state = match summary.state {
            MatchState::Live => EntryState::Live,
            MatchState::Finished => EntryState::Finished,
            MatchState::Interrupted => EntryState::Interrupted,
        };
        let mut entry = Entry {
            target,
            game: Some(summary.game),
            name: format::match_name(&summary.title, &sides),
            has_title: !summary.title.trim().is_empty(),
            teams: summary.teams.clone(),
            sides,
            state,
            result: summary.result.clone(),
            moment: String::new(),
            secs: None,
            started: format::started(&summary.started),
            spectators: summary.spectators,
            seq: summary.seq,
            scene: None,
            words: String::new(),
        };
        entry.index("");
        entry
    }

    /// A file that has not been read yet.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of_file(path: &std::path::Path) -> Entry {
        let name = file_name(path);
        let mut entry = Entry {
            target: Target::File(path.to_owned()),
            game: None,
            has_title: true,
            teams: Vec::new(),
            sides: Vec::new(),
            state: EntryState::Unread,
            result: None,
            moment: String::new(),
            secs: None,
            started: String::new(),
            spectators: 0,
            seq: 0,
            scene: None,
            words: String::new(),
            name,
        };
        entry.index("");
        entry
    }

    /// Fills the entry from its file, once that has been read.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn take(&mut self, told: Result<Box<crate::source::recordings::Recorded>, String>) {
        let Target::File(path) = &self.target else { return };
        let file = file_name(path);
        let recorded = match told {
            Ok(recorded) => *recorded,
            Err(why) => {
                self.state = EntryState::Unreadable(why);
                return;
            }
        };
        let known = recorded.scene.filter(|_| recorded.is_whole);
        let empty = Scene::new(recorded.game);
        self.sides = sides(known.as_deref().unwrap_or(&empty), &recorded.teams);
        self.game = Some(recorded.game);
        self.has_title = !recorded.title.trim().is_empty();
        self.name = format::match_name(&recorded.title, &self.sides);
        self.teams = recorded.teams;
        let over = recorded.is_whole && recorded.result.is_some();
        self.state = if over { EntryState::Finished } else { EntryState::Interrupted };
        self.result = recorded.result;
        self.moment = known.as_deref().map(standing).unwrap_or_default();
        self.secs = Some(recorded.secs).filter(|_| recorded.is_whole);
        self.started = format::started(&recorded.started);
        self.scene = known.map(Rc::from);
        self.index(&file);
    }

    /// Builds the searchable text; `more` is added to it.
    fn index(&mut self, more: &str) {
        let game = self.game.map_or("", Game::title);
        let names: Vec<&str> = self.sides.iter().map(|side| side.name.as_str()).collect();
        self.words = format!("{} {} {game} {more}", self.name, names.join(" ")).to_lowercase();
    }

    /// Takes the latest scene of a server's match.
    pub(super) fn show_picture(&mut self, scene: Rc<Scene>, secs: f64) {
        self.moment = standing(&scene);
        self.secs = Some(secs);
        self.sides = sides(&scene, &self.teams);
        self.scene = Some(scene);
    }

    /// Winner and cause; `None` in spoiler mode.
    pub(super) fn outcome(&self, hides: bool) -> Option<String> {
        let result = self.result.as_ref().filter(|_| !hides)?;
        Some(format::outcome(result, &self.sides))
    }
}

/// Moment and score of a match: `Turn 32 · 3–2`.
fn standing(scene: &Scene) -> String {
    let story = story(scene);
    let scores: Vec<String> = story.scores().iter().map(|(_, score)| score.to_string()).collect();
    let parts = [story.moment(), if scores.len() == 2 { scores.join("–") } else { String::new() }];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ·  ")
}

/// The last part of a path.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn file_name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
