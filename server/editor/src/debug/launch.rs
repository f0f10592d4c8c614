//! Launch of a debugged match: arguments of the editor, and the source of matches.

use grandstand_insight::Insight;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::files::Disk;

/// Match to debug: a recording, or a match of two players.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// Path of a recording.
    pub recording: Option<String>,
    /// Name of the game; by default it follows from the extension of the first player's file.
    pub game: Option<String>,
    /// First and second player, in the notation of `grandstand play`.
    pub players: Vec<String>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Map, for games with maps: a file, or the name of a shipped map.
    pub map: Option<String>,
    /// Settings of the game by name, if not the default.
    pub settings: Map<String, Value>,
    /// Directory for includes; by default the working directory of the adapter.
    pub cwd: Option<String>,
    /// More directories with sources, so that they open as files.
    pub sources: Vec<String>,
    /// Whether to stop at the start: at the given turn or cycle, or at the beginning of the match.
    pub stop_on_entry: bool,
    /// Start at the end of this turn.
    pub turn: Option<u64>,
    /// Start at the end of this cycle.
    pub cycle: Option<u64>,
}

/// Source of matches, for an [`Adapter`](super::Adapter) that reads no files itself.
pub trait Matches: Disk {
    /// Opens the match. It is not played yet.
    ///
    /// # Errors
    /// A message that says why there is no match.
    fn open(&self, launch: &Launch) -> Result<Insight, String>;

    /// Absolute path of a file below a directory.
    fn absolute(&self, directory: &str, path: &str) -> Option<String>;
}
