//! Player that the match calls directly, without a thread.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::turn::{Position, Side};

use super::player::{Answered, MatchOver, Player, Preparation, Turn};
use super::player_thread::{Signal, Start, guarded, preparation};

/// A [direct](super::player::DirectPlayer) player. It sends the same signals as a player on a thread, but only while it
/// is called.
pub(super) struct DirectHost<P: Position> {
    index: usize,
    /// The player; `None` once it was dismissed.
    player: Option<Box<dyn Player<P>>>,
    preparation: Preparation<P>,
    signals: Sender<Signal<P::Move>>,
    ready: bool,
    turn: Option<Asked>,
}

/// Pending question, without the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) asked: Option<OpeningQuestion>,
    pub(super) side: Side,
    pub(super) left: [Option<Duration>; 2],
    pub(super) began: Instant,
    pub(super) deadline: Option<Instant>,
}

impl<P: Position> DirectHost<P> {
    pub(super) fn new(
        index: usize,
        player: Box<dyn Player<P>>,
        start: Start<P>,
        signals: Sender<Signal<P::Move>>,
    ) -> Self {
        let preparation = preparation(index, &*player, start, &signals);
        Self { index, player: Some(player), preparation, signals, ready: false, turn: None }
    }

    /// Whether this is the player with that index.
    pub(super) fn is(&self, index: usize) -> bool {
        self.index == index
    }

    /// Deadline for getting ready.
    pub(super) fn ready_by(&self) -> Option<Instant> {
        self.preparation.deadline
    }

    /// Asks a question; the player's clock runs from now on.
    pub(super) fn ask(&mut self, asked: Asked) {
        self.turn = Some(asked);
        self.signal(Signal::Began(self.index, asked.began));
    }

    /// Lets the player get ready or answer, at most until `until`.
    pub(super) fn go_on(&mut self, position: &P, moves: &[P::Move], until: Instant) {
        if !self.ready {
            self.get_ready(until);
        } else if let Some(asked) = self.turn {
            self.answer(asked, position, moves, until);
        }
    }

    fn get_ready(&mut self, until: Instant) {
        let Some(player) = &mut self.player else { return };
        let ready = guarded(|| player.direct().and_then(|direct| direct.get_ready(&self.preparation, until)));
        if let Some(ready) = flat(ready) {
            self.ready = true;
            self.signal(Signal::Ready(self.index, ready));
        }
    }

    fn answer(&mut self, asked: Asked, position: &P, moves: &[P::Move], until: Instant) {
        let Some(player) = &mut self.player else { return };
        let Preparation { reports, stop, time, .. } = &self.preparation;
        let turn = Turn {
            position,
            moves,
            side: asked.side,
            left: asked.left,
            increment: Duration::from_millis(time.increment_millis),
            began: asked.began,
            deadline: asked.deadline,
            reports,
            stop,
            answered: Answered::default(),
        };
        let answer = guarded(|| player.direct().and_then(|direct| direct.answer(asked.asked, &turn, until)));
        let Some(answer) = flat::<Answer<P::Move>>(answer) else { return };
        let now = Instant::now();
        let answered = turn.answered.get().map_or(now, |at| at.clamp(asked.began, now));
        reports.end_turn(answered);
        self.turn = None;
        self.signal(Signal::Answered(self.index, answered, answer));
    }

    /// Ends the player: no further questions follow. It learns how the match ended, if it did, and finishes.
    pub(super) fn dismiss(&mut self, over: Option<MatchOver<P>>) {
        let Some(mut player) = self.player.take() else { return };
        self.preparation.stop.set();
        let (index, signals) = (self.index, self.signals.clone());
        let lingers = player.direct().is_some_and(|direct| direct.lingers());
        let finish = move || {
            // A panic from here on comes after the match.
            if let Some(over) = over {
                drop(guarded(|| player.over(&over)));
            }
            drop(guarded(|| player.finish()));
            // Nobody receives once the match is over.
            let _ = signals.send(Signal::Gone(index));
        };
        if !lingers {
            finish();
        } else if thread::Builder::new().name(format!("player {}", index + 1)).spawn(finish).is_err() {
            // The closure was dropped, and with it the player and everything that it had started.
            self.signal(Signal::Gone(index));
        }
    }

    fn signal(&self, signal: Signal<P::Move>) {
        // The match holds the receiver.
        let _ = self.signals.send(signal);
    }
}

impl<P: Position> Drop for DirectHost<P> {
    fn drop(&mut self) {
        self.dismiss(None);
    }
}

/// Result of a call; a panic counts as the player's crash.
fn flat<T>(called: Result<Option<Result<T, Forfeit>>, Forfeit>) -> Option<Result<T, Forfeit>> {
    match called {
        Ok(came) => came,
        Err(crash) => Some(Err(crash)),
    }
}
