//! Reviews of Gomoku, Pente and Riskless: an engine's judgement of each move, and the move that lost.
//!
//! [`ReviewSession`] reads the moves of a match from its commands. It searches the positions with a fixed number of nodes
//! each, from the last one back. A [`Review`] of the positions so far can be made at any time. The same match with the
//! same number of nodes has the same review.

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
use self::open::ReviewTask;
pub use self::open::{MOVES_MAX, ReviewError};

/// Default number of nodes for each position.
pub const NODES: u64 = 50_000;
/// Range of the number of nodes for each position.
pub const NODES_RANGE: std::ops::RangeInclusive<u64> = 1_000..=10_000_000;

/// A move of a reviewed match.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveReview {
    /// Number of the move, from 1.
    pub number: u32,
    /// Number of its command.
    pub seq: u64,
    /// Index of its side: 0 for the side that begins.
    pub side: usize,
    /// Move in the notation of the list of moves: `h8`, `Alaska → Kamchatka`.
    pub text: String,
    /// Score with the best move, from the mover's point of view; ±(30000 − n) is a forced win or loss in n plies.
    pub before: i32,
    /// Score after the move, from the mover's point of view.
    pub after: i32,
    /// Chances of a win for both scores, from 0 to 1.
    pub chances: [f64; 2],
    /// Grade of a bad move.
    pub grade: Option<Grade>,
    /// The engine's line with the better move first; empty if the played move is as good.
    pub better: Vec<String>,
    /// The other side's line of answer.
    pub reply: Vec<String>,
    /// Cause of a bad move.
    pub cause: Option<Cause>,
    /// Depth of the search of the position before the move.
    pub depth: u32,
}

impl MoveReview {
    /// Loss of chance by the move.
    pub fn loss(&self) -> f64 {
        (self.chances[0] - self.chances[1]).max(0.0)
    }

    /// The move with its mark: `k9 ??`.
    pub fn marked(&self) -> String {
        self.grade.map_or_else(|| self.text.clone(), |grade| format!("{} {}", self.text, grade.mark()))
    }
}

/// Review of a match, complete or so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The game.
    pub game: Game,
    /// Names of the sides in the dialect and of their players; the side that begins first.
    pub players: [(String, String); 2],
    /// Index of the winner.
    pub winner: Option<usize>,
    /// Reason of the end; `None` without an end.
    pub termination: Option<String>,
    /// Whether the rules ended the match, and not a clock or a forfeit.
    pub by_rules: bool,
    /// Number of moves.
    pub length: usize,
    /// Number of nodes for each position.
    pub nodes: u64,
    /// Numbers of searched positions and of all positions.
    pub progress: (usize, usize),
    /// The reviewed moves, in order.
    pub moves: Vec<MoveReview>,
    /// Chance of the side to move in the last position.
    pub last: Option<f64>,
    /// Remarks about the recording.
    pub remarks: Vec<String>,
}

impl Review {
    /// Whether all positions were searched.
    pub fn is_complete(&self) -> bool {
        self.progress.0 == self.progress.1
    }

    /// The move that lost: the loser's last move from a position that was not bad yet. Without such a move, the one
    /// with the greatest loss of chance.
    pub fn decisive(&self) -> Option<&MoveReview> {
        let loser = 1 - self.winner?;
        let own = || self.moves.iter().filter(|made| made.side == loser && made.grade.is_some());
        let turning = own().rfind(|made| made.chances[0] >= words::NOT_BAD);
        turning.or_else(|| own().max_by(|a, b| a.loss().total_cmp(&b.loss())))
    }

    /// Moves with a loss of chance, the greatest loss first.
    pub fn mistakes(&self) -> Vec<&MoveReview> {
        let mut mistakes: Vec<_> = self.moves.iter().filter(|made| made.grade.is_some()).collect();
        mistakes.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
        mistakes
    }

    /// The review in words.
    pub fn words(&self) -> String {
        words::whole(self)
    }

    /// First sentences: the loser and the losing move.
    pub fn headline(&self) -> String {
        words::headline(self)
    }

    /// Sentence about the losing move; empty for a match without a loser and without mistakes.
    pub fn verdict(&self) -> String {
        words::verdict(self)
    }

    /// The move that [`verdict`](Self::verdict) is about, if it is about one.
    pub fn subject(&self) -> Option<&MoveReview> {
        words::subject(self)
    }

    /// The move after which the win was forced, which [`verdict`](Self::verdict) names where no single move lost the match.
    pub fn forced(&self) -> Option<&MoveReview> {
        words::forced(self)
    }

    /// The review as a JSON object.
    pub fn json(&self) -> serde_json::Value {
        json::review(self)
    }
}

/// Whether matches of this game are reviewed.
pub fn has_review(game: Game) -> bool {
    opener(game).is_some()
}

/// Opens the review of a recorded match.
type Opener = fn(&open::Recorded<'_>) -> Result<Box<dyn ReviewTask>, ReviewError>;

/// Opener of a game's reviews; `None` for games without.
fn opener(game: Game) -> Option<Opener> {
    match game {
        Game::Gomoku | Game::Pente => Some(open::open::<grandstand_matches::games::stones::Stones>),
        Game::Riskless => Some(open::open::<grandstand_matches::games::riskless::Riskless>),
        _ => None,
    }
}

/// A review under way.
pub struct ReviewSession(Box<dyn ReviewTask>);

impl std::fmt::Debug for ReviewSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ReviewSession").field(&self.0.review().progress).finish()
    }
}

impl ReviewSession {
    /// Starts the review of a recording.
    ///
    /// # Errors
    /// The match can't be reviewed: see [`ReviewError`].
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

    /// Starts the review of a match from its log. `nodes` is clamped to [`NODES_RANGE`].
    ///
    /// # Errors
    /// The match can't be reviewed: see [`ReviewError`].
    pub fn of_log(
        game: Game,
        header: &MatchHeader,
        log: &Log,
        result: Option<&MatchResult>,
        nodes: u64,
    ) -> Result<Self, ReviewError> {
        let nodes = nodes.clamp(*NODES_RANGE.start(), *NODES_RANGE.end());
        let open = opener(game).ok_or(ReviewError::Game(game))?;
        Ok(Self(open(&open::Recorded { game, header, log, result, nodes })?))
    }

    /// Searches one position; returns whether there are more. `stop` ends the search under way without a result.
    pub fn work(&mut self, stop: &AtomicBool) -> bool {
        self.0.work(stop)
    }

    /// Numbers of searched positions and of all positions.
    pub fn progress(&self) -> (usize, usize) {
        self.0.progress()
    }

    /// Moves that were reviewed since the last call, and earlier ones whose review changed by what was found since.
    pub fn take_changed(&mut self) -> Vec<MoveReview> {
        self.0.take_changed()
    }

    /// Review so far.
    pub fn review(&self) -> Review {
        self.0.review()
    }
}
