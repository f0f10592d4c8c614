//! Thread of a player, and the handle to it.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::clock::TimeControl;
use grandstand_rules::turn::{Position, Side};

use super::player::{Answered, MatchOver, Player, Preparation, Stop, Turn};
use super::reports::{Event, Reports};

/// Signal of a player's thread, with the player's index.
#[derive(Debug)]
pub(super) enum Signal<M> {
    /// The player is ready, or has failed to get ready.
    Ready(usize, Result<(), Forfeit>),
    /// The player has had the question since this moment.
    Began(usize, Instant),
    /// The player answered at this moment.
    Answered(usize, Instant, Result<Answer<M>, Forfeit>),
    /// The player sent a report.
    Report(Event<M>),
    /// The player has finished, and nothing that it started is left.
    Gone(usize),
}

/// Question to a player, with its view of the match.
#[derive(Debug)]
pub(super) struct Question<P: Position> {
    /// Question of an opening; `None` for a move.
    pub(super) asked: Option<OpeningQuestion>,
    pub(super) position: P,
    pub(super) moves: Vec<P::Move>,
    pub(super) side: Side,
    pub(super) left: [Option<Duration>; 2],
    /// Time for the answer.
    pub(super) budget: Option<Duration>,
}

/// Order to a player's thread.
#[derive(Debug)]
enum Order<P: Position> {
    Answer(Question<P>),
    Hear(MatchOver<P>),
}

/// Start of a match for a player.
#[derive(Debug)]
pub(super) struct Start<P> {
    pub(super) side: Side,
    pub(super) position: P,
    pub(super) time: TimeControl,
    pub(super) seed: u64,
    /// Whether only the last thought of each turn is passed on.
    pub(super) sparing: bool,
}

/// The preparation of the player with that index.
pub(super) fn preparation<P: Position>(
    index: usize,
    player: &dyn Player<P>,
    start: Start<P>,
    signals: &Sender<Signal<P::Move>>,
) -> Preparation<P> {
    let told = signals.clone();
    Preparation {
        side: start.side,
        start: start.position,
        time: start.time,
        seed: start.seed,
        deadline: player.preparation_limit().map(|limit| Instant::now() + limit),
        reports: Reports::new(index, move |event| drop(told.send(Signal::Report(event))), start.sparing),
        stop: Stop::default(),
    }
}

/// Handle to a player on its thread. No method waits for the player.
#[derive(Debug)]
pub(super) struct PlayerHandle<P: Position> {
    orders: Option<Sender<Order<P>>>,
    stop: Stop,
    /// Deadline for getting ready.
    pub(super) ready_by: Option<Instant>,
}

impl<P: Position> PlayerHandle<P> {
    /// Starts the thread of the player with that index, which gets ready at once.
    pub(super) fn start(
        index: usize,
        player: Box<dyn Player<P>>,
        start: Start<P>,
        signals: Sender<Signal<P::Move>>,
    ) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel();
        let preparation = preparation(index, &*player, start, &signals);
        let (stop, ready_by) = (preparation.stop.clone(), preparation.deadline);
        let thread = PlayerThread { index, player, signals, preparation };
        thread::Builder::new().name(format!("player {}", index + 1)).spawn(move || thread.live(&taken))?;
        Ok(Self { orders: Some(orders), stop, ready_by })
    }

    /// Asks a question.
    pub(super) fn ask(&self, question: Question<P>) {
        if let Some(orders) = &self.orders {
            // A thread that has ended has already sent a signal about it.
            let _ = orders.send(Order::Answer(question));
        }
    }

    /// Ends the player: its answer is not waited for, and no further questions follow. It learns how the match ended,
    /// if it did, and finishes.
    pub(super) fn dismiss(&mut self, over: Option<MatchOver<P>>) {
        if let Some((orders, over)) = self.orders.take().zip(over) {
            // A thread that has ended need not know.
            let _ = orders.send(Order::Hear(over));
        }
        self.stop.set();
    }
}

impl<P: Position> Drop for PlayerHandle<P> {
    fn drop(&mut self) {
        self.dismiss(None);
    }
}

/// State of the thread.
struct PlayerThread<P: Position> {
    index: usize,
    player: Box<dyn Player<P>>,
    signals: Sender<Signal<P::Move>>,
    preparation: Preparation<P>,
}

impl<P: Position> PlayerThread<P> {
    fn live(mut self, orders: &Receiver<Order<P>>) {
        let ready = guarded(|| self.player.prepare(&self.preparation)).and_then(|ready| ready);
        let well = ready.is_ok();
        self.signal(Signal::Ready(self.index, ready));
        while well && let Ok(order) = orders.recv() {
            match order {
                Order::Answer(question) => self.answer(&question),
                // A panic from here on comes after the match.
                Order::Hear(over) => drop(guarded(|| self.player.over(&over))),
            }
        }
        let _ = guarded(|| self.player.finish());
        self.signal(Signal::Gone(self.index));
    }

    fn answer(&mut self, question: &Question<P>) {
        let Preparation { reports, stop, time, .. } = &self.preparation;
        let began = Instant::now();
        let turn = Turn {
            position: &question.position,
            moves: &question.moves,
            side: question.side,
            left: question.left,
            increment: Duration::from_millis(time.increment_millis),
            began,
            deadline: question.budget.and_then(|budget| began.checked_add(budget)),
            reports,
            stop,
            answered: Answered::default(),
        };
        // Nobody receives once the match is over.
        let _ = self.signals.send(Signal::Began(self.index, began));
        let answer = guarded(|| match question.asked {
            None => self.player.choose(&turn),
            Some(asked) => self.player.answer_opening(asked, &turn),
        });
        let now = Instant::now();
        let answered = turn.answered.get().map_or(now, |at| at.clamp(began, now));
        reports.end_turn(answered);
        self.signal(Signal::Answered(self.index, answered, answer.and_then(|answer| answer)));
    }

    fn signal(&self, signal: Signal<P::Move>) {
        // Nobody receives once the match is over.
        let _ = self.signals.send(signal);
    }
}

/// Runs `work`; a panic counts as the player's crash.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Forfeit> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = message(&*panic);
        Forfeit::new(Forfeit::CRASH, format!("the player broke: {text}"))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("for no stated reason")
}
