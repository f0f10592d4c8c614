//! Progress and ending of a match of a turn game.

use std::time::Duration;

use grandstand_rules::turn::{Drawn, Side};
use serde_json::{Map, Value, json};

use super::referee::{Referee, Verdict};
use crate::spec::{self, Ending, each};

/// Presentation of a match: its sides, its score, and its kind of time.
#[derive(Debug, Clone, Copy)]
pub struct Presentation<P> {
    /// The sides.
    pub sides: [spec::Side; 2],
    /// The points of a position, in games that have some.
    pub score: fn(&P) -> Option<[u64; 2]>,
    /// Whether the match is in real time; otherwise each move is a tick.
    pub real: bool,
}

/// State of the match in one line.
pub fn progress<P: Drawn>(referee: &Referee<P>, sides: [spec::Side; 2], at: Duration) -> String {
    let Some(pending) = referee.pending() else { return "the players get ready".to_owned() };
    let mut line = format!("move {}", referee.moves().len() + 1);
    for side in Side::ALL {
        let mark = if side == referee.side_of(pending.player) { "*" } else { "" };
        line += &format!(", {}{mark}", sides[side.index()].name);
        if let Some(millis) = referee.shows(side, at) {
            line += &format!(" {}", clock_text(millis));
        }
    }
    line
}

/// Text of a clock: `4:03`, and tenths of a second below ten seconds.
pub fn clock_text(millis: i64) -> String {
    let (sign, left) = (if millis < 0 { "-" } else { "" }, millis.unsigned_abs());
    let (minutes, seconds) = (left / 60_000, left / 1_000 % 60);
    match (minutes, seconds) {
        (0, 0..10) => format!("{sign}{seconds}.{}", left / 100 % 10),
        (0..60, _) => format!("{sign}{minutes}:{seconds:02}"),
        _ => format!("{sign}{}:{:02}:{seconds:02}", minutes / 60, minutes % 60),
    }
}

/// Ending of the match, for counting and recording.
pub fn ending<P: Drawn>(referee: &Referee<P>, presentation: &Presentation<P>, verdict: &Verdict) -> Ending {
    let mut detail = Map::new();
    if let Some(reason) = &verdict.detail {
        detail.insert("reason".to_owned(), reason.as_str().into());
    }
    if presentation.real {
        let millis = referee.thought().map(|thought| json!(thought.as_millis() as u64));
        detail.insert("thinking_millis".to_owned(), each(presentation.sides, millis));
    }
    let swapped = referee.side_of(0) == Side::Second;
    if swapped {
        detail.insert("swapped".to_owned(), Value::Bool(true));
    }
    Ending {
        sides: presentation.sides,
        tick: verdict.tick,
        winner: verdict.winner.map(Side::index),
        termination: verdict.termination,
        score: (presentation.score)(referee.position()),
        lengths: vec![("moves", referee.moves().len() as u64)],
        detail,
        remarks: Map::new(),
        words: verdict.detail.clone(),
        swapped,
    }
}
