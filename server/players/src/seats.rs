//! Seats of a match, in the process that plays it: requests from bridges, and players that wait for them.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use grandstand_matches::{SeatReply, Seats};
use grandstand_protocol::{Label, Question, Seat, SeatRequest};

/// Maximum number of moves that wait for the player.
const WAITING: usize = 16;
/// Reason for refusing a move, as long as no other is known.
const NOT_YOURS: &str = "it is not your turn";

/// The seats of a match, in the order of its sides.
#[derive(Debug, Clone, Default)]
pub struct SeatList(Vec<SeatSlot>);

impl SeatList {
    /// A list of these seats.
    pub fn new(slots: Vec<SeatSlot>) -> Self {
        Self(slots)
    }

    /// Whether the match has no seats.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Seats for SeatList {
    fn list(&self) -> Vec<Seat> {
        self.0.iter().map(SeatSlot::seat).collect()
    }

    fn request(&self, team: &str, request: SeatRequest, reply: SeatReply) {
        match self.0.iter().find(|slot| &*slot.lock().team == team) {
            Some(slot) => slot.ask(request, reply),
            None => reply(Err(format!("there is no seat of the team `{team}`"))),
        }
    }
}

/// One seat. Clones share it.
#[derive(Debug, Clone)]
pub struct SeatSlot(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    team: Label,
    /// Whether the seat is taken, and the name of its holder if one was given.
    taken: bool,
    name: Option<Label>,
    /// Question that replaces the request for one move.
    question: Option<Question>,
    /// Time since which the seat is free.
    free_since: Instant,
    /// Whether a move is wanted; otherwise the reason why not.
    turn: Result<(), String>,
    moves: VecDeque<ProposedMove>,
    resign: Option<Resign>,
    over: bool,
}

/// Action that resigns, at any time.
#[derive(Clone)]
struct Resign(Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Resign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resign")
    }
}

/// Move that came over a bridge and that the player must accept or refuse.
pub struct ProposedMove {
    /// Number of moves played in the position for which the move was made.
    pub ply: u32,
    /// The move as it was written.
    pub text: Label,
    /// Time at which the move came.
    pub at: Instant,
    reply: SeatReply,
}

impl fmt::Debug for ProposedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProposedMove")
            .field("ply", &self.ply)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

impl ProposedMove {
    /// Sends the outcome to the sender of the move.
    pub fn answer(self, outcome: Result<(), String>) {
        (self.reply)(outcome);
    }
}

/// Result of waiting for a move at a seat.
#[derive(Debug)]
pub enum SeatEvent {
    /// A move was made.
    Move(ProposedMove),
    /// The seat has been free for too long.
    Free,
    /// No move was made until the deadline.
    Nothing,
}

impl SeatSlot {
    /// A free seat of that team.
    pub fn new(team: &str) -> Self {
        let state = State {
            team: team.into(),
            taken: false,
            name: None,
            question: None,
            free_since: Instant::now(),
            turn: Err(NOT_YOURS.to_owned()),
            moves: VecDeque::new(),
            resign: None,
            over: false,
        };
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seat(&self) -> Seat {
        let state = self.lock();
        Seat {
            team: state.team.clone(),
            taken: state.taken,
            name: state.name.clone(),
            question: state.question.clone(),
        }
    }

    /// Sets the team that is played from here, the question that replaces the request for one move, and whether it is
    /// this team's turn or why not. During the turn a move waits for the player, who may not ask for it yet.
    pub fn place(&self, team: &str, question: Option<Question>, turn: Result<(), String>) {
        let mut state = self.lock();
        (state.team, state.question, state.turn) = (team.into(), question, turn);
    }

    /// Sets the action that resigns, in either side's turn.
    pub fn on_resign(&self, resign: impl Fn() + Send + Sync + 'static) {
        self.lock().resign = Some(Resign(Arc::new(resign)));
    }

    /// Wakes all waiting threads to check their conditions again.
    pub fn wake(&self) {
        // Under the lock, so that no thread is between its check and its wait.
        let _state = self.lock();
        self.0.changed.notify_all();
    }

    /// Waits until the seat is taken, at most until `until` and as long as `goes_on`; returns the name of its holder.
    pub fn wait_taken(&self, until: Option<Instant>, goes_on: impl Fn() -> bool) -> Option<Option<Label>> {
        let mut state = self.lock();
        while !state.taken {
            if !goes_on() || until.is_some_and(|until| Instant::now() >= until) {
                return None;
            }
            state = self.wait(state, until);
        }
        Some(state.name.clone())
    }

    /// Waits for a move, at most until `until` and as long as `goes_on`. Returns [`SeatEvent::Free`] once the seat has
    /// been free for `patience`.
    pub fn wait_move(
        &self,
        until: Option<Instant>,
        patience: std::time::Duration,
        goes_on: impl Fn() -> bool,
    ) -> SeatEvent {
        let mut state = self.lock();
        state.turn = Ok(());
        loop {
            if let Some(proposal) = state.moves.pop_front() {
                return SeatEvent::Move(proposal);
            }
            let now = Instant::now();
            if !goes_on() || until.is_some_and(|until| now >= until) {
                return SeatEvent::Nothing;
            }
            let mut wake = until;
            if !state.taken {
                let lost = state.free_since + patience;
                if now >= lost {
                    return SeatEvent::Free;
                }
                wake = Some(wake.map_or(lost, |wake| wake.min(lost)));
            }
            state = self.wait(state, wake);
        }
    }

    fn wait<'a>(&'a self, state: MutexGuard<'a, State>, until: Option<Instant>) -> MutexGuard<'a, State> {
        let changed = &self.0.changed;
        match until {
            None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// Ends the turn: pending and further moves are refused with the reason `why`.
    pub fn turn_over(&self, why: &str) {
        let mut state = self.lock();
        state.turn = Err(why.to_owned());
        let late = std::mem::take(&mut state.moves);
        drop(state);
        late.into_iter().for_each(|proposal| proposal.answer(Err(why.to_owned())));
    }

    /// Ends the match at this seat.
    pub fn close(&self) {
        let mut state = self.lock();
        (state.over, state.resign) = (true, None);
        drop(state);
        self.turn_over("the match is over");
    }

    /// Handles a request of a bridge, or hands it to the player; `reply` receives the outcome, sooner or later.
    pub fn ask(&self, request: SeatRequest, reply: impl FnOnce(Result<(), String>) + Send + 'static) {
        let mut state = self.lock();
        let outcome = match request {
            _ if state.over => Err("the match is over".to_owned()),
            SeatRequest::Take { .. } if state.taken => Err(format!("the seat of {} is taken", &*state.team)),
            SeatRequest::Take { name } => {
                (state.taken, state.name) = (true, name);
                Ok(())
            }
            _ if !state.taken => Err(format!("nobody has the seat of {}", &*state.team)),
            SeatRequest::Leave => {
                (state.taken, state.name, state.free_since) = (false, None, Instant::now());
                Ok(())
            }
            SeatRequest::New { .. } => Err("this match has no other settings to choose".to_owned()),
            SeatRequest::Move { text, .. } if text.trim() == "resign" && state.resign.is_some() => {
                let resign = state.resign.clone();
                drop(state);
                // The reply must precede the end of the match, which ends all replies.
                reply(Ok(()));
                if let Some(Resign(resign)) = resign {
                    resign();
                }
                return;
            }
            SeatRequest::Move { .. } if state.turn.is_err() => state.turn.clone(),
            SeatRequest::Move { .. } if state.moves.len() >= WAITING => {
                Err("too many moves at once".to_owned())
            }
            SeatRequest::Move { ply, text } => {
                let proposal = ProposedMove { ply, text, at: Instant::now(), reply: Box::new(reply) };
                state.moves.push_back(proposal);
                drop(state);
                self.0.changed.notify_all();
                return;
            }
        };
        drop(state);
        self.0.changed.notify_all();
        reply(outcome);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Outcome of a request that is answered at once; `None` if it waits for the player.
    fn ask(slot: &SeatSlot, request: SeatRequest) -> Option<Result<(), String>> {
        let (sender, answer) = mpsc::channel();
        slot.ask(request, move |outcome| sender.send(outcome).unwrap());
        answer.try_recv().ok()
    }

    fn mv(ply: u32, text: &str) -> SeatRequest {
        SeatRequest::Move { ply, text: text.into() }
    }

    #[test]
    fn a_seat_is_taken_once_and_free_again_when_it_is_left() {
        let slot = SeatSlot::new("black");
        let sit = || SeatRequest::Take { name: Some("Ann".into()) };
        assert_eq!(ask(&slot, mv(0, "h8")), Some(Err("nobody has the seat of black".into())));
        assert_eq!(ask(&slot, sit()), Some(Ok(())));
        assert_eq!(slot.wait_taken(None, || true), Some(Some("Ann".into())));
        let other = SeatRequest::New { settings: [("SIZE".into(), "19".into())].into() };
        let refused = "this match has no other settings to choose";
        assert_eq!(ask(&slot, other), Some(Err(refused.into())));
        assert_eq!(ask(&slot, sit()), Some(Err("the seat of black is taken".into())));
        assert_eq!(ask(&slot, SeatRequest::Leave), Some(Ok(())));
        assert!(!SeatList::new(vec![slot.clone()]).list()[0].taken);
        assert_eq!(slot.wait_taken(Some(Instant::now()), || true), None);
        assert_eq!(slot.wait_taken(None, || false), None);
        assert!(matches!(slot.wait_move(None, Duration::ZERO, || true), SeatEvent::Free));
    }

    #[test]
    fn an_unwanted_move_is_refused() {
        let slot = SeatSlot::new("black");
        ask(&slot, SeatRequest::Take { name: None });
        assert_eq!(ask(&slot, mv(0, "h8")), Some(Err("it is not your turn".into())));
        assert!(matches!(slot.wait_move(Some(Instant::now()), HOUR, || true), SeatEvent::Nothing));
        let (sender, answers) = mpsc::channel();
        for (ply, text) in [(0, "h8"), (0, "h9")] {
            let sender = sender.clone();
            slot.ask(mv(ply, text), move |outcome| sender.send(outcome).unwrap());
        }
        let SeatEvent::Move(proposal) = slot.wait_move(None, HOUR, || true) else { panic!("a move") };
        assert_eq!((proposal.ply, &*proposal.text), (0, "h8"));
        proposal.answer(Ok(()));
        slot.turn_over("you have moved");
        assert_eq!(answers.try_iter().collect::<Vec<_>>(), [Ok(()), Err("you have moved".to_owned())]);
        slot.wait_move(Some(Instant::now()), HOUR, || true);
        let waiting: Vec<_> = (0..=WAITING).map(|_| ask(&slot, mv(1, "h9"))).collect();
        assert_eq!(waiting[WAITING], Some(Err("too many moves at once".into())));
    }

    #[test]
    fn a_move_in_ones_turn_waits_for_a_player_who_is_not_there_yet() {
        let slot = SeatSlot::new("black");
        ask(&slot, SeatRequest::Take { name: None });
        slot.place("black", None, Err("the match has not begun".into()));
        assert_eq!(ask(&slot, mv(0, "h8")), Some(Err("the match has not begun".into())));
        slot.place("black", None, Ok(()));
        assert_eq!(ask(&slot, mv(0, "h8")), None);
        let SeatEvent::Move(proposal) = slot.wait_move(None, HOUR, || true) else { panic!("a move") };
        assert_eq!(&*proposal.text, "h8");
    }

    #[test]
    fn giving_up_is_possible_at_any_time_until_the_end() {
        let slot = SeatSlot::new("white");
        let (sender, resigned) = mpsc::channel();
        slot.on_resign(move || sender.send(()).unwrap());
        ask(&slot, SeatRequest::Take { name: None });
        assert_eq!(ask(&slot, mv(9, " resign ")), Some(Ok(())));
        assert!(resigned.try_recv().is_ok());
        slot.close();
        assert_eq!(ask(&slot, mv(9, "resign")), Some(Err("the match is over".into())));
    }
}
