//! Player of a turn game, and what it knows of a match.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::clock::TimeControl;
use grandstand_rules::turn::{Drawn, Position, Side};

use super::reports::Reports;
use crate::seats::SeatSlot;

/// Who plays one side of a turn game. It lives on a thread of its own, and may wait and compute as it likes there; two [direct](DirectPlayer)
/// ones need no threads.
///
/// A player whose time is over has lost, whatever it does then: it is told to [stop](Stop) and its answer is not waited for.
pub trait Player<P: Position>: Send {
    /// Gets ready before any clock starts: programs are started and tables are allocated here. It is not timed, but has a
    /// limit of its own, [`Preparation::deadline`].
    ///
    /// # Errors
    /// Why it can't play: it loses.
    fn prepare(&mut self, game: &Preparation<P>) -> Result<(), Forfeit>;

    /// How long getting ready may take at most; `None` for a player that is waited for.
    fn preparation_limit(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    /// After the end of its time, how long an answer that was there in time may be on its way to the referee: we may be slow, and the
    /// player has not to pay for that. It is more for one that notes [itself](Turn::answered_at) when its answers come.
    fn grace(&self) -> Duration {
        Duration::from_millis(150)
    }

    /// The seat that it plays from, if somebody sits there over a bridge.
    fn slot(&self) -> Option<SeatSlot> {
        None
    }

    /// Chooses a move. The clock runs until it returns, or until the moment that [`Turn::answered_at`] was told.
    ///
    /// # Errors
    /// Why it loses instead.
    fn choose(&mut self, turn: &Turn<'_, P>) -> Result<Answer<P::Move>, Forfeit>;

    /// Answers a question of an opening in which the players settle who has which side; the clock runs as it does for a move.
    ///
    /// # Errors
    /// Why it loses instead; who does not say otherwise can't play such openings.
    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, P>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        let _ = (asked, turn);
        Err(Forfeit::new(Forfeit::ILLEGAL, "it can't play openings in which colours are chosen"))
    }

    /// The match is over, and this is how; nobody waits any more for what the player does now.
    fn over(&mut self, end: &MatchOver<P>) {
        let _ = end;
    }

    /// The match is over, or this player is out of it. Whatever it has started must be gone when this returns.
    fn finish(&mut self) {}

    /// This player as one that needs no thread of its own, if it is one.
    fn direct(&mut self) -> Option<&mut dyn DirectPlayer<P>> {
        None
    }
}

/// Player that a match calls itself, without a thread between them: it never keeps its caller waiting for longer than it is told.
pub trait DirectPlayer<P: Position> {
    /// Begins or goes on to get ready, and waits until then at most; `None` while it is not ready.
    fn get_ready(&mut self, game: &Preparation<P>, until: Instant) -> Option<Result<(), Forfeit>>;

    /// Begins or goes on to answer, and waits until then at most; `None` while there is no answer. Until there is one, each call has the same
    /// question.
    fn answer(
        &mut self,
        asked: Option<OpeningQuestion>,
        turn: &Turn<'_, P>,
        until: Instant,
    ) -> Option<Result<Answer<P::Move>, Forfeit>>;

    /// Whether [`Player::finish`] may wait.
    fn lingers(&self) -> bool {
        false
    }
}

/// What a player knows before the match begins.
#[derive(Debug, Clone)]
pub struct Preparation<P: Position> {
    /// Its side. An opening may change that: then [`Turn::side`] says so.
    pub side: Side,
    /// The position before the players do anything, after the moves of an opening that nobody chooses.
    pub start: P,
    /// How the match is timed.
    pub time: TimeControl,
    /// What it may draw chance from. Each player of a match has another.
    pub seed: u64,
    /// Until when it must be ready.
    pub deadline: Option<Instant>,
    /// For what it has to tell outside of its turns too. It may be kept.
    pub reports: Reports<P::Move>,
    /// Set when it must give up, whatever it does. It may be kept.
    pub stop: Stop,
}

/// A question to a player.
#[derive(Debug)]
pub struct Turn<'a, P: Position> {
    /// The position. Its side to move is the one that is asked, but for an opening in which it places stones of both.
    pub position: &'a P,
    /// The moves that led there, in order, those of the opening too.
    pub moves: &'a [P::Move],
    /// The side that the player has now.
    pub side: Side,
    /// What each side had left for the whole match when the question was handed over, by [`Side::index`].
    pub left: [Option<Duration>; 2],
    /// What each move adds to that.
    pub increment: Duration,
    /// When the question was handed over: since then the clock runs.
    pub began: Instant,
    /// When the player has lost unless its answer is there; of the match and of the move what is over first.
    pub deadline: Option<Instant>,
    /// What the player tells of its thinking.
    pub reports: &'a Reports<P::Move>,
    /// Set when nobody waits for the answer any more.
    pub stop: &'a Stop,
    /// When the answer was there, where the player has told it.
    pub answered: Answered,
}

/// A moment that may be told once it is known.
#[derive(Debug, Default)]
pub struct Answered(Mutex<Option<Instant>>);

impl Answered {
    /// The moment.
    #[must_use]
    pub fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Position> Turn<'_, P> {
    /// Whether nobody waits for the answer any more: time is over, or the match is.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// How long it may think, from when the question was handed over.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.began))
    }

    /// Tells when the answer was there, where that was before [`Player::choose`] returns: when it came from outside,
    /// say. The clock stops at that moment.
    pub fn answered_at(&self, when: Instant) {
        *self.answered.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(when);
    }
}

/// How a match ended, for its players.
#[derive(Debug, Clone)]
pub struct MatchOver<P: Position> {
    /// The last position.
    pub position: P,
    /// The moves that led there.
    pub moves: Vec<P::Move>,
    /// The side that the player had.
    pub side: Side,
    /// Who has won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why it is over, by one of the words that the game documents.
    pub termination: &'static str,
    /// What happened, in words, where a player did not lose by the rules of the game.
    pub detail: Option<String>,
}

impl<P: Drawn> MatchOver<P> {
    /// Why it is over, in words: `white gave up`.
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

/// A signal that is given once: nobody waits any more. Clones share it.
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
    /// Whether it was given.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.shared.flag.load(Ordering::SeqCst)
    }

    /// The flag itself, for searches that look at it now and then.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.shared.flag
    }

    /// Runs `wake` once the signal is given, on the thread that gives it; at once if it was. It must be quick: wake up who
    /// waits for something else, no more.
    pub fn when_set(&self, wake: impl FnOnce() + Send + 'static) {
        let mut waking = self.shared.waking.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_set() {
            drop(waking);
            wake();
        } else {
            waking.push(Box::new(wake));
        }
    }

    /// Gives it.
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
