//! What the machine tells: the answers of `server/INSIGHT.md`, as far as the panel shows them.

use serde::Deserialize;
use serde_json::Value as Json;

/// A place in a source; columns and widths count characters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub width: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Value {
    pub text: String,
    /// The same where it is made of integers.
    pub value: Json,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Name {
    pub name: String,
    pub constant: bool,
    /// `None` when it is not kept.
    pub value: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Call {
    pub function: Option<String>,
    pub place: Place,
    pub names: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct State {
    pub state: String,
    /// Who holds the lock that it waits for.
    pub holder: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Written {
    pub cycle: u64,
    pub bot: u32,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Cell {
    pub names: Vec<String>,
    pub value: Value,
    pub holder: Option<u32>,
    pub waiting: Vec<u32>,
    pub written: Option<Written>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Deed {
    pub cycle: u64,
    pub text: String,
}

/// A bot at a moment.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct View {
    pub bot: u32,
    pub side: usize,
    pub cycle: u64,
    pub within: u32,
    pub when: String,
    pub who: String,
    pub state: State,
    pub calls: Vec<Call>,
    pub depth: usize,
    pub cells: Vec<Cell>,
    /// The action under way.
    pub action: Option<String>,
    pub last: Vec<Deed>,
    /// What it does, in words.
    pub doing: String,
    /// The last command of the recording that has been drawn by then.
    pub seq: u64,
    pub turn: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct SourceFile {
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct SideFacts {
    pub files: Vec<SourceFile>,
    /// The lines on which something is done, with the index of their file.
    pub lines: Option<Vec<(u32, u32)>>,
}

/// What is known of a match before it is played.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Facts {
    pub sides: [SideFacts; 2],
    pub beat: String,
    pub ticks: u64,
    pub word: String,
}

/// What is known of it after that.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Played {
    pub remarks: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Here {
    pub bot: u32,
    pub side: usize,
    pub who: String,
    pub at: String,
}

/// Who is there after a command.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Present {
    pub cycle: u64,
    pub bots: Vec<Here>,
}

/// What was found by a step or a search, if anything.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Found {
    pub found: Option<Box<View>>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Row {
    pub bot: u32,
    pub cycle: u64,
    pub turn: u64,
    pub seq: u64,
    pub text: String,
    pub failed: bool,
}

/// The values of a print.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Rows {
    pub rows: Vec<Row>,
    pub count: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct HotLine {
    pub side: usize,
    pub file: String,
    pub line: u32,
    pub reductions: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct HotBot {
    pub bot: u32,
    /// By columns of turns.
    pub reductions: Vec<u64>,
}

/// Where reductions go.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Heat {
    pub lines: Vec<HotLine>,
    pub bots: Vec<HotBot>,
    /// Turns in a column.
    pub turns: u64,
}
