//! Numbers that an editor is told for frames and values, until everything moves.

use grandstand_languages::view::Seen;
use serde_json::{Value, json};

/// The most numbers between two moves.
const MOST: usize = 100_000;

/// What a number stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Handle {
    /// A call of a bot, the innermost being 0.
    Frame { bot: u32, depth: usize },
    /// The names in scope at a call: those that are bound as it runs, or those that always stand for the same.
    Names { bot: u32, depth: usize, constant: bool },
    /// The cells that a bot's team shares.
    Cells { bot: u32 },
    /// What else there is to say of a bot.
    Bot { bot: u32 },
    /// A list of names and texts.
    List(Vec<(String, String)>),
    /// A value with parts.
    Parts(Seen),
}

/// All numbers that have been told. The first is 1: 0 is nothing.
#[derive(Debug, Default)]
pub(super) struct Handles(Vec<Handle>);

impl Handles {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The number of something; 0 when there are too many.
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

    /// A name and a value, as the protocol has them.
    pub(super) fn variable(&mut self, name: &str, value: &Seen) -> Value {
        let reference = match value {
            Seen::Array(parts) | Seen::Pair(parts) if !parts.is_empty() => {
                self.number(Handle::Parts(value.clone()))
            }
            Seen::Cell { .. } => self.number(Handle::Parts(value.clone())),
            _ => 0,
        };
        json!({ "name": name, "value": value.to_string(), "type": kind(value), "variablesReference": reference })
    }

    /// The parts of a value.
    pub(super) fn parts(&mut self, value: &Seen) -> Vec<Value> {
        match value {
            Seen::Array(parts) => {
                parts.iter().enumerate().map(|(at, part)| self.variable(&format!("[{at}]"), part)).collect()
            }
            Seen::Pair(parts) => {
                let last = parts.len().saturating_sub(1);
                let name = |at: usize| if at == last { "rest".to_owned() } else { format!("{at}") };
                parts.iter().enumerate().map(|(at, part)| self.variable(&name(at), part)).collect()
            }
            Seen::Cell { value, .. } => vec![self.variable("!", value)],
            Seen::Int(_) | Seen::Function(_) | Seen::More => Vec::new(),
        }
    }
}

fn kind(value: &Seen) -> &'static str {
    match value {
        Seen::Int(_) => "integer",
        Seen::Function(_) => "function",
        Seen::Array(_) => "array",
        Seen::Pair(_) => "pair",
        Seen::Cell { shared: true, .. } => "cell of the team",
        Seen::Cell { shared: false, .. } => "cell",
        Seen::More => "",
    }
}
