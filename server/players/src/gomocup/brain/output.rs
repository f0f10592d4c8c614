//! Output of a brain: lines to write, and positions to search.

use std::time::Duration;

use grandstand_rules::stones::Rule;
use grandstand_search::budget::Budget;

use crate::gomocup::manager::BoardPoint;

/// Configuration of a search and its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// Number of columns, and of rows.
    pub size: u16,
    /// The rule.
    pub rule: Rule,
    /// Number of threads.
    pub threads: usize,
    /// Size of the table, in mebibytes.
    pub memory_mib: usize,
}

/// Position to be searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Number of the request; the answer carries it.
    pub id: u64,
    /// Configuration of the search.
    pub tables: Tables,
    /// Moves that led to the position, in the order of play.
    pub moves: Vec<BoardPoint>,
    /// Time for the search, from [`since`](Self::since).
    pub budget: Budget,
    /// Time at which the move was asked for.
    pub since: Duration,
    /// Limit of positions that the search visits.
    pub nodes: Option<u64>,
    /// Depth limit, in moves.
    pub depth: Option<u32>,
}

/// Action for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Write this line.
    Line(String),
    /// Create these tables, all empty, and then call [`Brain::prepared`](super::Brain::prepared).
    Prepare(Tables),
    /// Search this position while further lines are read, and then call [`Brain::found`](super::Brain::found).
    Think(Box<Request>),
    /// End the current search at once.
    Stop,
    /// End the process.
    Leave,
}

/// A point as players write it, such as `h8`.
pub(super) fn name_of((x, y): BoardPoint) -> String {
    let mut letters = Vec::new();
    let mut column = u32::from(x) + 1;
    while column > 0 {
        letters.push(b'a' + ((column - 1) % 26) as u8);
        column = (column - 1) / 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).chain(format!("{}", y + 1).chars()).collect()
}

/// Beginning of a manager's text, for a message.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
