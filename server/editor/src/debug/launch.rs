//! Launch of a debugged match: what the editor asks for, and where the match comes from.

use grandstand_insight::Insight;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::files::Disk;

/// What is to be debugged: a recording, or a match of two players.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The path of a recording.
    pub recording: Option<String>,
    /// The game, by its name; without it the ending of the first player's file tells it.
    pub game: Option<String>,
    /// The first player and the second, as `grandstand play` names them.
    pub players: Vec<String>,
    /// What chance is drawn from.
    pub seed: u64,
    /// The map, for games that have one: a file, or a shipped map by its name.
    pub map: Option<String>,
    /// Settings of the game that are not the usual ones, by their names.
    pub settings: Map<String, Value>,
    /// The directory that programs include from; without it the one where the adapter was started.
    pub cwd: Option<String>,
    /// More directories in which sources are looked for, so that they open as files.
    pub sources: Vec<String>,
    /// Whether one begins by looking, at the turn or the cycle that is said, or at the match's beginning.
    pub stop_on_entry: bool,
    /// Where one begins: the end of this turn.
    pub turn: Option<u64>,
    /// Where one begins: the end of this cycle.
    pub cycle: Option<u64>,
}

/// Where matches come from, for an [`Adapter`](super::Adapter) that reads no file itself.
pub trait Matches: Disk {
    /// The match that is asked for, not played yet.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn open(&self, launch: &Launch) -> Result<Insight, String>;

    /// The absolute path of a file below a directory.
    fn absolute(&self, directory: &str, path: &str) -> Option<String>;
}
