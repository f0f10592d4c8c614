//! Reports of a player besides its moves: thoughts, talk, notes.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use grandstand_matches::turns::referee::LONGEST_TEXT;
use grandstand_rules::turn::Thought;

/// Minimum time between two thoughts of a player that are passed on.
pub const THOUGHTS_APART: Duration = Duration::from_millis(200);
/// Maximum number of messages of a player that are passed on in a turn.
pub const TALK_A_TURN: u32 = 10;
/// Maximum number of a player's notes that are kept in a turn.
pub const NOTES_A_TURN: u32 = 100;

/// Report of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report<M> {
    /// Thought about the position.
    Thought(Thought<M>),
    /// Message to everybody.
    Say(String),
    /// Note for diagnostics.
    Note(String),
    /// Name of the player.
    Name(String),
    /// Resignation, in either side's turn.
    Resign,
}

/// A report with its player and moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<M> {
    /// Index of the player: 0 or 1, in the order in which they were named.
    pub player: usize,
    /// Moment of the report.
    pub at: Instant,
    /// The report.
    pub report: Report<M>,
}

/// Channel for a player's reports, at any time and from any thread. Clones share it. Excess reports are dropped, so
/// that a player that floods the channel does not disturb the match.
pub struct Reports<M> {
    player: usize,
    shared: Arc<Mutex<Shared<M>>>,
}

impl<M> fmt::Debug for Reports<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reports").field("player", &self.player).finish_non_exhaustive()
    }
}

impl<M> Clone for Reports<M> {
    fn clone(&self) -> Self {
        Self { player: self.player, shared: Arc::clone(&self.shared) }
    }
}

struct Shared<M> {
    receiver: Box<dyn Fn(Event<M>) + Send>,
    last: Option<Instant>,
    withheld: Option<Thought<M>>,
    talk: u32,
    notes: u32,
    /// Whether only the last thought of a turn is passed on, since the others depend on our speed.
    sparing: bool,
}

impl<M> Reports<M> {
    /// A channel from the player with that index to `receiver`. If `sparing`, only the last thought of a turn is passed
    /// on.
    pub(super) fn new(player: usize, receiver: impl Fn(Event<M>) + Send + 'static, sparing: bool) -> Self {
        let receiver = Box::new(receiver);
        let shared = Shared { receiver, last: None, withheld: None, talk: 0, notes: 0, sparing };
        Self { player, shared: Arc::new(Mutex::new(shared)) }
    }

    /// Reports a thought. Of thoughts that come faster than people read only some are passed on; the last one of a turn
    /// always is.
    pub fn thought(&self, thought: Thought<M>) {
        let mut shared = self.lock();
        let now = Instant::now();
        if shared.sparing || shared.last.is_some_and(|last| now - last < THOUGHTS_APART) {
            shared.withheld = Some(thought);
        } else {
            (shared.last, shared.withheld) = (Some(now), None);
            self.send(&shared, now, Report::Thought(thought));
        }
    }

    /// Sends a message to everybody.
    pub fn say(&self, text: &str) {
        let mut shared = self.lock();
        shared.talk += 1;
        if shared.talk <= TALK_A_TURN {
            self.send(&shared, Instant::now(), Report::Say(cut(text)));
        }
    }

    /// Writes a line into the match's log.
    pub fn note(&self, text: &str) {
        let mut shared = self.lock();
        shared.notes += 1;
        if shared.notes <= NOTES_A_TURN {
            self.send(&shared, Instant::now(), Report::Note(cut(text)));
        }
    }

    /// Reports the player's name where it is not known before, such as the name that an engine gives itself.
    pub fn name(&self, name: &str) {
        let mut shared = self.lock();
        shared.talk += 1;
        if shared.talk <= TALK_A_TURN {
            self.send(&shared, Instant::now(), Report::Name(cut(name)));
        }
    }

    /// Resigns, in either side's turn.
    pub fn resign(&self) {
        self.send(&self.lock(), Instant::now(), Report::Resign);
    }

    /// Ends a turn: passes the withheld thought on and resets the limits of a turn.
    pub fn end_turn(&self, at: Instant) {
        let mut shared = self.lock();
        (shared.talk, shared.notes) = (0, 0);
        if let Some(thought) = shared.withheld.take() {
            shared.last = Some(at);
            self.send(&shared, at, Report::Thought(thought));
        }
    }

    fn send(&self, shared: &Shared<M>, at: Instant, report: Report<M>) {
        (shared.receiver)(Event { player: self.player, at, report });
    }

    fn lock(&self) -> MutexGuard<'_, Shared<M>> {
        // No code panics while it holds the lock.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Text as one line of at most [`LONGEST_TEXT`] characters.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
