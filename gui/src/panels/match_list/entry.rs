//! Entry of the list: a server's match, or a recording of a folder, as far as it is known.

use std::rc::Rc;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, MatchResult, Scene, Summary, TeamInfo};
use grandstand_story::format;
use grandstand_story::games::{sides, story};
use grandstand_story::sides::Side;

use crate::address::bookmarks::Bookmarks;
use crate::address::{Base, Target};

/// How far a match is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EntryState {
    Live,
    Finished,
    /// It stopped before its end.
    Interrupted,
    /// Its file has not been read yet.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page reads no folders"))]
    Unread,
    /// Its file can't be shown, and why.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page reads no folders"))]
    Unreadable(String),
}

/// What a row tells of.
#[derive(Debug)]
pub(super) struct Entry {
    pub target: Target,
    pub game: Option<Game>,
    /// Its title; where it has none, who plays.
    pub name: String,
    pub has_title: bool,
    pub teams: Vec<TeamInfo>,
    pub sides: Vec<Side>,
    pub state: EntryState,
    pub result: Option<MatchResult>,
    /// How far it is, in the game's words.
    pub moment: String,
    pub secs: Option<f64>,
    /// When it began, as it is shown.
    pub started: String,
    pub spectators: u64,
    /// Of a server's match, how many commands there have been.
    pub seq: u64,
    /// The picture that it has, where that is known.
    pub scene: Option<Rc<Scene>>,
    /// Everything by which it is found, in small letters.
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

    /// The same, once it has been read.
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

    /// Takes note of by what it is found.
    fn index(&mut self, more: &str) {
        let game = self.game.map_or("", Game::title);
        let names: Vec<&str> = self.sides.iter().map(|side| side.name.as_str()).collect();
        self.words = format!("{} {} {game} {more}", self.name, names.join(" ")).to_lowercase();
    }

    /// Takes the picture of a server's match as it was last told.
    pub(super) fn show_picture(&mut self, scene: Rc<Scene>, secs: f64) {
        self.moment = standing(&scene);
        self.secs = Some(secs);
        self.sides = sides(&scene, &self.teams);
        self.scene = Some(scene);
    }

    /// Who won and how; nothing in spoiler mode.
    pub(super) fn outcome(&self, hides: bool) -> Option<String> {
        let result = self.result.as_ref().filter(|_| !hides)?;
        Some(format::outcome(result, &self.sides))
    }
}

/// How far a match is and how it stands: `Turn 32 · 3–2`.
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
