//! Player of a turn game, and its view of a match.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::clock::TimeControl;
use grandstand_rules::turn::{Drawn, Position, Side};

use super::reports::Reports;
use crate::seats::SeatSlot;

/// Player of one side of a turn game. It has its own thread and may block or compute on it; two
/// [direct](DirectPlayer) players need no threads.
///
/// A player that exceeds its time has lost: its [stop](Stop) signal is set, and its answer is not awaited.
pub trait Player<P: Position>: Send {
    /// Gets ready before any clock starts: programs are started and tables are allocated here. It is not timed, but
    /// must end by [`Preparation::deadline`].
    ///
    /// # Errors
    /// The reason for which the player can't play; it loses.
    fn prepare(&mut self, game: &Preparation<P>) -> Result<(), Forfeit>;

    /// Maximum time for getting ready; `None` for no limit.
    fn preparation_limit(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    /// Time after the deadline during which an answer that was there in time may still reach the referee, so that the
    /// player does not pay for our delays. It is longer for a player that [reports itself](Turn::answered_at) when its
    /// answers came.
    fn grace(&self) -> Duration {
        Duration::from_millis(150)
    }

    /// The seat of the player, if it plays from one over a bridge.
    fn slot(&self) -> Option<SeatSlot> {
        None
    }

    /// Chooses a move. The clock runs until the call returns, or until the moment that was reported by
    /// [`Turn::answered_at`].
    ///
    /// # Errors
    /// The reason for which the player loses instead.
    fn choose(&mut self, turn: &Turn<'_, P>) -> Result<Answer<P::Move>, Forfeit>;

    /// Answers a question of an opening that settles the sides; the clock runs as for a move.
    ///
    /// # Errors
    /// The reason for which the player loses instead. The default is for players that can't play such openings.
    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, P>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        let _ = (asked, turn);
        Err(Forfeit::new(Forfeit::ILLEGAL, "it can't play openings in which colours are chosen"))
    }

    /// Reports the end of the match; the player is no longer waited for.
    fn over(&mut self, end: &MatchOver<P>) {
        let _ = end;
    }

    /// Ends the player, after the match or when it has dropped out. Everything that it started must be gone when this
    /// returns.
    fn finish(&mut self) {}

    /// This player as one that is called without a thread, if it can be.
    fn direct(&mut self) -> Option<&mut dyn DirectPlayer<P>> {
        None
    }
}

/// Player that a match calls without a thread in between: no call lasts longer than its deadline.
pub trait DirectPlayer<P: Position> {
    /// Starts or continues to get ready, at most until `until`; `None` while the player is not ready.
    fn get_ready(&mut self, game: &Preparation<P>, until: Instant) -> Option<Result<(), Forfeit>>;

    /// Starts or continues to answer, at most until `until`; `None` while there is no answer. All calls until the
    /// answer have the same question.
    fn answer(
        &mut self,
        asked: Option<OpeningQuestion>,
        turn: &Turn<'_, P>,
        until: Instant,
    ) -> Option<Result<Answer<P::Move>, Forfeit>>;

    /// Whether [`Player::finish`] may block.
    fn lingers(&self) -> bool {
        false
    }
}

/// Information for a player before the match begins.
#[derive(Debug, Clone)]
pub struct Preparation<P: Position> {
    /// Side of the player. An opening may change it; [`Turn::side`] is up to date.
    pub side: Side,
    /// Position before the players' first decision, after the moves of a fixed opening.
    pub start: P,
    /// Time control of the match.
    pub time: TimeControl,
    /// Seed of the player's chance. Each player of a match has another one.
    pub seed: u64,
    /// Deadline for getting ready.
    pub deadline: Option<Instant>,
    /// Channel for reports, inside and outside of turns. It may be kept.
    pub reports: Reports<P::Move>,
    /// Set when the player must give up. It may be kept.
    pub stop: Stop,
}

/// A question to a player.
#[derive(Debug)]
pub struct Turn<'a, P: Position> {
    /// The position. Its side to move is the one that is asked, except when a player places stones of both in an
    /// opening.
    pub position: &'a P,
    /// Moves that led to the position, in order, including those of the opening.
    pub moves: &'a [P::Move],
    /// Current side of the player.
    pub side: Side,
    /// Remaining time of each side for the whole match when the question was asked, by [`Side::index`].
    pub left: [Option<Duration>; 2],
    /// Time that each move adds to that.
    pub increment: Duration,
    /// Moment at which the question was asked: the clock has run since then.
    pub began: Instant,
    /// Moment at which the player has lost without an answer: by the time of the match or of the move, whichever ends
    /// first.
    pub deadline: Option<Instant>,
    /// Channel for reports.
    pub reports: &'a Reports<P::Move>,
    /// Set when the answer is no longer awaited.
    pub stop: &'a Stop,
    /// Moment at which the answer was there, if the player has reported it.
    pub answered: Answered,
}

/// Moment of an answer, once it is known.
#[derive(Debug, Default)]
pub struct Answered(Mutex<Option<Instant>>);

impl Answered {
    /// The moment.
    pub fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Position> Turn<'_, P> {
    /// Whether the answer is no longer awaited: the time or the match is over.
    pub fn stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// Time for the answer, from the moment at which the question was asked.
    pub fn budget(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.began))
    }

    /// Reports the moment at which the answer was there, if that was before [`Player::choose`] returns, for instance
    /// when it came from outside. The clock stops at that moment.
    pub fn answered_at(&self, when: Instant) {
        *self.answered.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(when);
    }
}

/// Result of a match, for one of its players.
#[derive(Debug, Clone)]
pub struct MatchOver<P: Position> {
    /// Final position.
    pub position: P,
    /// Moves that led to it.
    pub moves: Vec<P::Move>,
    /// Final side of the player.
    pub side: Side,
    /// Winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Cause of the end, one of the words that the game documents.
    pub termination: &'static str,
    /// Details of a loss other than by the rules of the game, in words.
    pub detail: Option<String>,
}

impl<P: Drawn> MatchOver<P> {
    /// Cause of the end in words, such as `white gave up`.
    pub fn why(&self) -> String {
        let loser = match self.winner {
            Some(winner) if winner != self.side => "you",
            Some(winner) => P::team_name(winner.opponent()),
            None => return self.termination.replace('-', " "),
        };
        match (self.termination, &self.detail) {
            (Forfeit::RESIGNED, _) => format!("{loser} gave up"),
            (Forfeit::LEFT, _) => format!("{loser} left"),
            (Forfeit::TIME, _) if loser == "you" => "your time was over".to_owned(),
            (Forfeit::TIME, _) => format!("{loser}'s time was over"),
            (termination, Some(detail)) => format!("{loser} lost by {termination}: {detail}"),
            (termination, None) => termination.replace('-', " "),
        }
    }
}

/// One-time signal that an answer is no longer awaited. Clones share it.
#[derive(Clone, Default)]
pub struct Stop {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    flag: AtomicBool,
    waking: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl Stop {
    /// Whether the signal was given.
    pub fn is_set(&self) -> bool {
        self.shared.flag.load(Ordering::SeqCst)
    }

    /// The flag itself, for searches that poll it.
    pub fn flag(&self) -> &AtomicBool {
        &self.shared.flag
    }

    /// Runs `wake` on the thread that gives the signal, or at once if it was given. `wake` must be quick: it should
    /// only wake up another thread.
    pub fn when_set(&self, wake: impl FnOnce() + Send + 'static) {
        let mut waking = self.shared.waking.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_set() {
            drop(waking);
            wake();
        } else {
            waking.push(Box::new(wake));
        }
    }

    /// Gives the signal.
    pub fn set(&self) {
        let mut waking = self.shared.waking.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.flag.store(true, Ordering::SeqCst);
        let woken = std::mem::take(&mut *waking);
        drop(waking);
        woken.into_iter().for_each(|wake| wake());
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_set()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_stop_wakes_who_waits_once() {
        let (sender, woken) = mpsc::channel();
        let stop = Stop::default();
        let before = sender.clone();
        stop.when_set(move || before.send("before").unwrap());
        assert!(!stop.is_set() && woken.try_recv().is_err());
        stop.clone().set();
        stop.set();
        assert!(stop.is_set() && stop.flag().load(Ordering::SeqCst));
        stop.when_set(move || sender.send("after").unwrap());
        assert_eq!(woken.iter().collect::<Vec<_>>(), ["before", "after"]);
    }
}
