//! Moves of turn games: notation, side and evaluation.
//!
//! An evaluation comes before its move, or at the end of the match with the number of moves before it.

use std::ops::RangeInclusive;

use grandstand_protocol::Micros;
use grandstand_protocol::turn::LATE_THOUGHTS_MAX;

use crate::format;

/// Number of moves at most.
const MOVES_MAX: usize = 4_096;

/// A move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Number of its command.
    pub seq: u64,
    /// Time.
    pub t: Micros,
    /// Its number, from 1.
    pub number: u32,
    /// Index of its side.
    pub side: usize,
    /// Notation of the game.
    pub text: String,
    /// Whether it captured something.
    pub takes: bool,
    /// Evaluation of the position before it, from the player's point of view.
    pub score: Option<i32>,
}

impl Move {
    /// `h8`, `h8 ×`: the move, marked if it captured something.
    pub fn words(&self) -> String {
        if self.takes { format!("{} ×", self.text) } else { self.text.clone() }
    }
}

/// Moves in the order of the commands.
#[derive(Debug, Default)]
pub struct MoveList {
    list: Vec<Move>,
    /// Number of the command of the last move that was added, whether or not the list had room for it.
    last: Option<u64>,
    /// Evaluation of each side since its last move.
    thoughts: [Option<i32>; 2],
    /// Whether each side has told how deep it searches.
    tells_depths: [bool; 2],
    /// Late evaluations: number of moves before, side, score.
    late: Vec<(u32, usize, i32)>,
    /// Grows with every change of the moves.
    version: u64,
}

impl MoveList {
    /// All moves.
    pub fn list(&self) -> &[Move] {
        &self.list
    }

    /// Changes with every change of the moves.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Index of the last move up to command `seq`.
    pub fn at(&self, seq: u64) -> Option<usize> {
        self.list.partition_point(|made| made.seq <= seq).checked_sub(1)
    }

    /// Commands from the move at or before `seq` on, up to the next move; without end from the last move on.
    pub(crate) fn turn_of(&self, seq: u64) -> Option<RangeInclusive<u64>> {
        let at = self.at(seq)?;
        let end = self.list.get(at + 1).map_or(u64::MAX, |next| next.seq - 1);
        Some(self.list[at].seq..=end)
    }

    /// The moves as one text: `1. h8 2. i9 3. h9`.
    pub fn notation(&self) -> String {
        let moves = self.list.iter().map(|made| format!("{}. {}", made.number, made.text));
        moves.collect::<Vec<_>>().join(" ")
    }

    /// `1 move`, `23 moves`
    pub fn count(&self) -> String {
        format::count(self.list.len() as u64, "move", "moves")
    }

    /// Command and time of the move after `ply` moves, or else of the last of them.
    pub(crate) fn place_after(&self, ply: u32) -> Option<(u64, Micros)> {
        let made = |number: u32| self.list.iter().rev().find(|made| made.number == number);
        made(ply.saturating_add(1)).or_else(|| made(ply)).map(|made| (made.seq, made.t))
    }

    /// Adds a move.
    pub(crate) fn put(&mut self, (seq, t): (u64, Micros), number: u32, side: usize, text: String) {
        let score = self.thoughts.get_mut(side).and_then(Option::take);
        self.last = Some(seq);
        if self.list.len() < MOVES_MAX {
            self.insert(Move { seq, t, number, side, text, takes: false, score });
        }
    }

    /// Marks the move that was added last as a capture.
    pub(crate) fn takes(&mut self) {
        let last = self.last;
        if let Some(last) = self.list.iter_mut().rev().find(|made| Some(made.seq) == last) {
            last.takes = true;
            self.version += 1;
        }
    }

    /// Whether an evaluation with this depth tells of a search: one of a player that tells depths, without any, is a guess beside a move that
    /// was the only one.
    pub(crate) fn is_searched(&mut self, side: usize, depth: u32) -> bool {
        let Some(tells_depths) = self.tells_depths.get_mut(side) else { return true };
        *tells_depths |= depth > 0;
        depth > 0 || !*tells_depths
    }

    /// Sets the evaluation of a side, from its point of view.
    pub(crate) fn thought(&mut self, side: usize, score: i32) {
        if let Some(thought) = self.thoughts.get_mut(side) {
            *thought = Some(score);
        }
    }

    /// Adds an evaluation of a side after `ply` moves.
    pub(crate) fn late_thought(&mut self, ply: u32, side: usize, score: i32) {
        if self.late.len() < LATE_THOUGHTS_MAX {
            self.late.push((ply, side, score));
            self.place(ply, side, score);
        }
    }

    /// Takes an engine's score for the move of a command, as who moved sees the position after it.
    pub(crate) fn judge(&mut self, seq: u64, score: i32) {
        let at = self.list.partition_point(|made| made.seq < seq);
        if let Some(made) = self.list.get_mut(at).filter(|made| made.seq == seq) {
            made.score = Some(score);
            self.version += 1;
        }
    }

    /// Adds the moves of commands that were missing before.
    pub(crate) fn splice(&mut self, other: MoveList) {
        for made in other.list {
            if self.list.len() < MOVES_MAX {
                self.insert(made);
            }
        }
        self.late.extend(other.late);
        self.late.truncate(LATE_THOUGHTS_MAX);
        for (ply, side, score) in self.late.clone() {
            self.place(ply, side, score);
        }
    }

    fn insert(&mut self, made: Move) {
        let at = self.list.partition_point(|other| other.seq <= made.seq);
        self.list.insert(at, made);
        self.version += 1;
    }

    /// Assigns a late evaluation to its move.
    fn place(&mut self, ply: u32, side: usize, score: i32) {
        let numbered =
            |number: u32| self.list.iter().rposition(|made| made.side == side && made.number == number);
        // The side's own next move; a side that thinks during the other's turn moves one later.
        let led_to = numbered(ply.saturating_add(1)).or_else(|| numbered(ply.saturating_add(2)));
        if let Some(at) = led_to {
            self.list[at].score = Some(score);
            self.version += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Command, Game};
    use grandstand_replays::Log;

    use crate::EventIndex;

    /// Moves of these lines, one line every 10 ms: `1 0 h8 Some(5)`.
    fn moves(game: Game, lines: &[&str]) -> Vec<String> {
        let mut log = Log::live(game);
        for (seq, line) in (1..).zip(lines) {
            let t = grandstand_protocol::Micros(seq * 10_000);
            let _ = log.insert(seq, t, &Command::parse(game, line.as_bytes()));
        }
        let mut index = EventIndex::new(game);
        while index.update(&log, f64::INFINITY, || true) {}
        let list = index.findings().moves.list().iter();
        list.map(|made| format!("{} {} {} {:?}", made.number, made.side, made.words(), made.score)).collect()
    }

    #[test]
    fn a_move_stands_with_the_last_thought_of_who_made_it() {
        let lines = [
            "board 15",
            "thought black 1 1 9 h8",
            "thought black 5 2 9 h8",
            "move black h8",
            "move white i9",
            "thought white -30000 2 9 a1",
            "thought black 7 2 9 j10",
            "move black j10",
            "move white a1",
        ];
        let found = moves(Game::Gomoku, &lines);
        assert_eq!(found, ["1 0 h8 Some(5)", "2 1 i9 None", "3 0 j10 Some(7)", "4 1 a1 Some(-30000)"]);
    }

    #[test]
    fn a_late_thought_stands_with_the_move_that_it_led_to() {
        let lines = [
            "board 15",
            "move black h8",
            "move white i9",
            "thought@ 0 black 5 2 9 h8",
            "thought@ 1 white -4 2 9 i9",
        ];
        assert_eq!(moves(Game::Gomoku, &lines), ["1 0 h8 Some(5)", "2 1 i9 Some(-4)"]);
    }

    #[test]
    fn what_takes_is_marked_and_places_have_their_names() {
        let lines = ["board 19", "move black j10", "move white k10", "move black l10", "captures black 1"];
        assert_eq!(moves(Game::Pente, &lines).last().map(String::as_str), Some("3 0 l10 × None"));
        let lines =
            ["map 10 60 W", "territory 1 0 0 A", "territory 2 500 500 B", "road 1 2", "move maxie 1 2"];
        assert_eq!(moves(Game::Riskless, &lines), ["1 0 A → B None"]);
    }
}
