//! Why a game of Gomoku, Pente or Riskless was lost: each move as an engine sees it, and the move that lost.
//!
//! [`Reviewing`] reads the moves of a match from its commands, searches its positions with a fixed number of nodes each, from
//! the last one back, and can be asked at any time what it has found: a [`Review`]. The same match with the same number of
//! nodes gives the same review.

mod cause;
mod json;
mod open;
mod riskless;
mod stones;
mod words;

use std::sync::atomic::AtomicBool;

use grandstand_protocol::{Game, MatchHeader, MatchResult};
use grandstand_replays::{Log, Replay};
pub use grandstand_search::review::Grade;

pub use self::cause::{Cause, Kind};
use self::open::Open;
pub use self::open::{MOVES_MAX, ReviewError};

/// Nodes for each position where nothing else is asked for.
pub const NODES: u64 = 50_000;
/// The least and the most nodes for each position.
pub const NODES_RANGE: std::ops::RangeInclusive<u64> = 1_000..=10_000_000;

/// A move of a reviewed match.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveReview {
    /// Its number, from 1.
    pub number: u32,
    /// The command that made it.
    pub seq: u64,
    /// The side that made it: 0 for the one that begins.
    pub side: usize,
    /// The move as the list of moves has it: `h8`, `Alaska → Kamchatka`.
    pub text: String,
    /// The score before it, with the best move, for who made it; ±(30000 − n) is a forced win or loss in n plies.
    pub before: i32,
    /// The score after it for who made it.
    pub after: i32,
    /// The chances of a win that these scores stand for, from 0 to 1.
    pub chances: [f64; 2],
    /// How bad it was, if it was.
    pub grade: Option<Grade>,
    /// The engine's line in its place, beginning with the better move; empty where the move is as good.
    pub better: Vec<String>,
    /// The line with which the other side answers the move.
    pub reply: Vec<String>,
    /// Why it was bad, if it was.
    pub cause: Option<Cause>,
    /// The depth to which the position before it was searched.
    pub depth: u32,
}

impl MoveReview {
    /// The fall of the chance by the move.
    pub fn loss(&self) -> f64 {
        (self.chances[0] - self.chances[1]).max(0.0)
    }

    /// The move with its mark: `k9 ??`.
    pub fn marked(&self) -> String {
        self.grade.map_or_else(|| self.text.clone(), |grade| format!("{} {}", self.text, grade.mark()))
    }
}

/// What is known of a match, in whole or so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The game.
    pub game: Game,
    /// The names of the sides in the dialect, and of their players; the side that begins first.
    pub players: [(String, String); 2],
    /// The side that won.
    pub winner: Option<usize>,
    /// Why the match ended; `None` for one without an end.
    pub termination: Option<String>,
    /// Whether the position on the board ended it, and not a clock or a forfeit.
    pub by_rules: bool,
    /// The number of moves.
    pub length: usize,
    /// The nodes for each position.
    pub nodes: u64,
    /// The number of positions that were searched, and of all.
    pub progress: (usize, usize),
    /// The reviewed moves, in order.
    pub moves: Vec<MoveReview>,
    /// The chance of the side that is to move in the last position.
    pub last: Option<f64>,
    /// Remarks about the recording.
    pub remarks: Vec<String>,
}

impl Review {
    /// Whether all positions were searched.
    pub fn is_complete(&self) -> bool {
        self.progress.0 == self.progress.1
    }

    /// The move that lost: the loser's last one that gave up a position that was not bad yet. Where there is no such move, the
    /// one that gave up most.
    pub fn decisive(&self) -> Option<&MoveReview> {
        let loser = 1 - self.winner?;
        let own = || self.moves.iter().filter(|made| made.side == loser && made.grade.is_some());
        let turning = own().rfind(|made| made.chances[0] >= words::NOT_BAD);
        turning.or_else(|| own().max_by(|a, b| a.loss().total_cmp(&b.loss())))
    }

    /// The moves that gave up something, those that gave up most first.
    pub fn mistakes(&self) -> Vec<&MoveReview> {
        let mut mistakes: Vec<_> = self.moves.iter().filter(|made| made.grade.is_some()).collect();
        mistakes.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
        mistakes
    }

    /// The review in words.
    pub fn words(&self) -> String {
        words::whole(self)
    }

    /// The first sentences: who lost, and by which move.
    pub fn headline(&self) -> String {
        words::headline(self)
    }

    /// Which move lost, as a sentence; empty for a match without a loser and without mistakes.
    pub fn verdict(&self) -> String {
        words::verdict(self)
    }

    /// The review as a JSON object.
    pub fn json(&self) -> serde_json::Value {
        json::review(self)
    }
}

/// Whether matches of this game are reviewed.
pub fn has_review(game: Game) -> bool {
    matches!(game, Game::Gomoku | Game::Pente | Game::Riskless)
}

/// A review under way.
pub struct Reviewing(Box<dyn Open>);

impl std::fmt::Debug for Reviewing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reviewing").field(&self.0.review().progress).finish()
    }
}

impl Reviewing {
    /// The match of a recording.
    ///
    /// # Errors
    /// [`ReviewError`] says why it can't be reviewed.
    pub fn of_replay(replay: &Replay, nodes: u64) -> Result<Self, ReviewError> {
        let header = replay.header();
        let mut reviewing = Self::of_log(header.game, &header.about, replay.log(), replay.result(), nodes)?;
        if let Some(damage) = replay.damage() {
            reviewing.0.remark(format!("the recording is damaged and is reviewed up to there: {damage}"));
        } else if replay.log().end().is_none() {
            reviewing.0.remark("the recording has no result: the match was cut off".to_owned());
        }
        Ok(reviewing)
    }

    /// The match that these commands draw. `nodes` is held to [`NODES_RANGE`].
    ///
    /// # Errors
    /// [`ReviewError`] says why it can't be reviewed.
    pub fn of_log(
        game: Game,
        header: &MatchHeader,
        log: &Log,
        result: Option<&MatchResult>,
        nodes: u64,
    ) -> Result<Self, ReviewError> {
        let nodes = nodes.clamp(*NODES_RANGE.start(), *NODES_RANGE.end());
        let read = open::Recorded { game, header, log, result, nodes };
        Ok(Self(match game {
            Game::Gomoku | Game::Pente => open::open::<grandstand_matches::games::stones::Stones>(&read)?,
            Game::Riskless => open::open::<grandstand_matches::games::riskless::Riskless>(&read)?,
            game => return Err(ReviewError::Game(game)),
        }))
    }

    /// Searches one position. Returns whether there are more; `stop` ends the search under way, whose position is lost.
    pub fn work(&mut self, stop: &AtomicBool) -> bool {
        self.0.work(stop)
    }

    /// The number of searched positions, and of all.
    pub fn progress(&self) -> (usize, usize) {
        self.0.progress()
    }

    /// The moves that are reviewed so far, the last one first.
    pub fn judged(&self) -> &[MoveReview] {
        self.0.judged()
    }

    /// What is known so far.
    pub fn review(&self) -> Review {
        self.0.review()
    }
}
