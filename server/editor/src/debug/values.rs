//! Numbers of frames and values in the protocol, valid until the next move.

use grandstand_languages::view::ValueView;
use serde_json::{Value, json};

/// Number of handles between two moves at most.
const MOST: usize = 100_000;

/// Meaning of a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Handle {
    /// Call of a bot; the innermost has depth 0.
    Frame { bot: u32, depth: usize },
    /// Names in scope at a call: either the variables or the constants.
    Names { bot: u32, depth: usize, constant: bool },
    /// Shared cells of a bot's team.
    Cells { bot: u32 },
    /// Other facts about a bot.
    Bot { bot: u32 },
    /// List of names and texts.
    List(Vec<(String, String)>),
    /// Value with parts.
    Parts(ValueView),
}

/// Handles by number, from 1; 0 means none.
#[derive(Debug, Default)]
pub(super) struct Handles(Vec<Handle>);

impl Handles {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns a new number; 0 if there are too many.
    pub(super) fn number(&mut self, handle: Handle) -> usize {
        if self.0.len() == MOST {
            return 0;
        }
        self.0.push(handle);
        self.0.len()
    }

    pub(super) fn get(&self, number: i64) -> Option<&Handle> {
        self.0.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// Name and value as a variable of the protocol.
    pub(super) fn variable(&mut self, name: &str, value: &ValueView) -> Value {
        let reference = match value {
            ValueView::Array(parts) | ValueView::Pair(parts) if !parts.is_empty() => {
                self.number(Handle::Parts(value.clone()))
            }
            ValueView::Cell { .. } => self.number(Handle::Parts(value.clone())),
            _ => 0,
        };
        json!({ "name": name, "value": value.to_string(), "type": kind(value), "variablesReference": reference })
    }

    /// Parts of a value as variables.
    pub(super) fn parts(&mut self, value: &ValueView) -> Vec<Value> {
        match value {
            ValueView::Array(parts) => {
                parts.iter().enumerate().map(|(at, part)| self.variable(&format!("[{at}]"), part)).collect()
            }
            ValueView::Pair(parts) => {
                let last = parts.len().saturating_sub(1);
                let name = |at: usize| if at == last { "rest".to_owned() } else { format!("{at}") };
                parts.iter().enumerate().map(|(at, part)| self.variable(&name(at), part)).collect()
            }
            ValueView::Cell { value, .. } => vec![self.variable("!", value)],
            ValueView::Int(_) | ValueView::Function(_) | ValueView::More => Vec::new(),
        }
    }
}

fn kind(value: &ValueView) -> &'static str {
    match value {
        ValueView::Int(_) => "integer",
        ValueView::Function(_) => "function",
        ValueView::Array(_) => "array",
        ValueView::Pair(_) => "pair",
        ValueView::Cell { shared: true, .. } => "cell of the team",
        ValueView::Cell { shared: false, .. } => "cell",
        ValueView::More => "",
    }
}
