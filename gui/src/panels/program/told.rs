//! Answers of the machine (`server/INSIGHT.md`), as far as the panel shows them.

use grandstand_story::format::number;
use serde::Deserialize;
use serde_json::Value as Json;

/// A place in a source. Lines and columns count from 1; columns and widths count characters.
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
    /// The same as JSON, if it is made of integers.
    pub value: Json,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Name {
    pub name: String,
    pub constant: bool,
    /// `None` if the machine doesn't keep it.
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
    /// Holder of the lock that the bot waits for.
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

/// A lock that a bot holds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Lock {
    /// Where it was taken.
    pub taken: Place,
    /// The cycle in which it was taken.
    pub since: u64,
    /// The cell's value.
    pub value: Value,
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
    pub locks: Vec<Lock>,
    pub cells: Vec<Cell>,
    /// The action under way.
    pub action: Option<String>,
    pub last: Vec<Deed>,
    /// The bot's activity in words.
    pub doing: String,
    /// Number of the recording's last command drawn by then.
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
    /// Lines with code, each with the index of its file.
    pub lines: Option<Vec<(u32, u32)>>,
}

/// Facts about the match that are known before it is played.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Facts {
    pub sides: [SideFacts; 2],
    pub beat: String,
    pub ticks: u64,
    pub word: String,
}

impl Facts {
    /// Time of a view in words. In the last cycle of a turn its moves are made and the next turn is drawn, so the board shows the one or the other there.
    pub(super) fn when(&self, view: &View) -> String {
        let cycle = number(view.cycle);
        match (&*self.beat, view.cycle.checked_rem(self.ticks)) {
            ("turn", _) if view.cycle == 0 => "start of turn 1".to_owned(),
            ("turn", Some(0)) => format!("after turn {} · cycle {cycle}", view.turn),
            ("turn", _) => format!("in turn {} · cycle {cycle}", view.turn),
            _ => view.when.replace(&view.cycle.to_string(), &cycle),
        }
    }
}

/// Facts about the match that are known after it was played.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Played {
    pub remarks: Vec<String>,
    pub bots: Vec<Life>,
}

/// Life of a bot.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Life {
    pub bot: u32,
    /// Cycle in which it was spawned.
    pub born: u64,
    /// Cycle in which it left the match, if it did.
    pub gone: Option<u64>,
    /// How it left, with the time.
    pub fate: Option<String>,
}

impl Life {
    /// How the bot left the match, in one line without the time: `black bot 7 at D0 was pushed off`.
    pub(super) fn fate_words(&self) -> Option<&str> {
        let line = self.fate.as_deref()?.lines().next()?;
        Some(line.split_once(": ").map_or(line, |(_, words)| words))
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Here {
    pub bot: u32,
    pub side: usize,
    pub who: String,
    pub at: String,
}

/// The bots after a command.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Present {
    pub cycle: u64,
    pub bots: Vec<Here>,
}

/// Result of a step or a search.
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

/// Values of a print.
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
    /// One figure for each column of turns.
    pub reductions: Vec<u64>,
}

/// A heat map.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Heat {
    pub lines: Vec<HotLine>,
    pub bots: Vec<HotBot>,
    /// Turns in one column.
    pub turns: u64,
}
