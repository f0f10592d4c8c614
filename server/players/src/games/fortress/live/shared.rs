//! State of a match that its connections, its clock and the thread that runs it share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use grandstand_matches::games::fortress::referee::{Cause, Input, Loss, Output, Referee, Stamped};
use grandstand_rules::fortress::{ByTeam, Team};
use tokio::sync::{Notify, mpsc};

use super::super::limits::TeamLimits;
use crate::input_file::InputFile;

/// Event of a team's program.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) text: String,
    /// Whether the person at the terminal should see it.
    pub(super) urgent: bool,
}

/// Bytes that wait to be written to a connection.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    bytes: AtomicUsize,
    taken: Notify,
}

impl Backlog {
    pub(super) fn take(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::AcqRel);
        self.taken.notify_one();
    }

    /// Waits until at most `most` bytes wait.
    pub(super) async fn below(&self, most: usize) {
        while self.bytes.load(Ordering::Acquire) > most {
            self.taken.notified().await;
        }
    }
}

/// Owner of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionOwner {
    /// The match has closed the connection; its last output is still being written.
    Closed,
    /// The connection has not identified itself yet.
    Nobody,
    /// The connection belongs to this team or to one of its units.
    Team(Team),
}

#[derive(Debug)]
struct Handle {
    lines: mpsc::UnboundedSender<String>,
    backlog: Arc<Backlog>,
}

#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    pub(super) limits: TeamLimits,
    pub(super) speed: f64,
}

#[derive(Debug)]
struct State {
    referee: Referee,
    /// Moment at which the match began.
    began: Option<Instant>,
    /// Time of the last input, in milliseconds of the match.
    last: u64,
    handles: HashMap<u32, Handle>,
    next_connection: u32,
    inputs: Option<InputFile>,
    events: Vec<(Team, Event)>,
    /// No new connections are admitted.
    closed: bool,
    /// Something has happened since the last wait.
    fresh: bool,
}

impl Shared {
    pub(super) fn new(referee: Referee, limits: TeamLimits, speed: f64, inputs: Option<InputFile>) -> Self {
        let state = State {
            referee,
            began: None,
            last: 0,
            handles: HashMap::new(),
            next_connection: 1,
            inputs,
            events: Vec::new(),
            closed: false,
            fresh: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), limits, speed }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock, and the state is whole at any moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a connection. Returns its number, its output channel and the count of waiting bytes, or `None` if
    /// connections are no longer admitted.
    pub(super) fn open(&self) -> Option<(u32, mpsc::UnboundedReceiver<String>, Arc<Backlog>)> {
        let mut state = self.lock();
        if state.closed {
            return None;
        }
        let connection = state.next_connection;
        state.next_connection += 1;
        let (lines, receiver) = mpsc::unbounded_channel();
        let backlog = Arc::new(Backlog::default());
        state.handles.insert(connection, Handle { lines, backlog: Arc::clone(&backlog) });
        self.apply_to(&mut state, connection, Input::Open);
        Some((connection, receiver, backlog))
    }

    /// Applies an input that happens now.
    pub(super) fn apply(&self, connection: u32, input: Input) {
        self.apply_to(&mut self.lock(), connection, input);
    }

    /// Reports that a connection has ended.
    pub(super) fn gone(&self, connection: u32, reason: String) {
        let mut state = self.lock();
        // The referee knows already of a connection that it has closed.
        if state.handles.remove(&connection).is_some() {
            self.apply_to(&mut state, connection, Input::Close(reason));
        }
    }

    /// Owners of these connections.
    pub(super) fn standings<'a>(&self, connections: impl Iterator<Item = &'a u32>) -> Vec<ConnectionOwner> {
        let state = self.lock();
        let standing = |connection: &u32| match state.referee.team_of(*connection) {
            _ if !state.handles.contains_key(connection) => ConnectionOwner::Closed,
            None => ConnectionOwner::Nobody,
            Some(team) => ConnectionOwner::Team(team),
        };
        connections.map(standing).collect()
    }

    /// Whether the connection has identified itself to the referee.
    pub(super) fn is_known(&self, connection: u32) -> bool {
        self.lock().referee.is_known(connection)
    }

    /// Tells the referee that time has passed.
    pub(super) fn tick(&self) {
        let mut state = self.lock();
        if state.referee.has_begun() {
            self.apply_to(&mut state, 0, Input::Tick);
        }
    }

    fn apply_to(&self, state: &mut State, connection: u32, input: Input) {
        let passed = |began: Instant| (began.elapsed().as_secs_f64() * self.speed * 1_000.0) as u64;
        let millis = state.began.map_or(0, passed).max(state.last);
        state.last = millis;
        let stamped = Stamped { millis, connection, input };
        let was_over = state.referee.finish().is_some();
        state.referee.apply(&stamped);
        let ends = state.referee.finish().is_some() && !was_over;
        if let Some(inputs) = &mut state.inputs
            && (stamped.input != Input::Tick || ends)
        {
            inputs.write(&stamped.to_line());
        }
        if state.began.is_none() && state.referee.has_begun() {
            state.began = Some(Instant::now());
        }
        for output in state.referee.drain_outputs() {
            match output {
                Output::Send { connection, mut line } => {
                    if let Some(handle) = state.handles.get(&connection) {
                        line.push('\n');
                        handle.backlog.bytes.fetch_add(line.len(), Ordering::AcqRel);
                        // Sending fails only if the connection has ended.
                        let _ = handle.lines.send(line);
                    }
                }
                Output::Close { connection } => {
                    state.handles.remove(&connection);
                }
            }
        }
        state.fresh = true;
        self.changed.notify_all();
    }

    /// Waits until something happens, at most until the next event of the match and for `most`.
    pub(super) fn wait(&self, most: Duration) {
        let state = self.lock();
        let next = state.referee.world().and_then(|world| world.next_event());
        let due = state.began.zip(next).map(|(began, next)| {
            let at = Duration::from_secs_f64(next as f64 / 1_000.0 / self.speed.max(1e-6));
            (began + at).saturating_duration_since(Instant::now())
        });
        let wait = due.unwrap_or(most).min(most);
        let waited = self.changed.wait_timeout_while(state, wait, |state| !state.fresh);
        waited.unwrap_or_else(PoisonError::into_inner).0.fresh = false;
    }

    /// Calls `look` with the referee.
    pub(super) fn with<T>(&self, look: impl FnOnce(&mut Referee) -> T) -> T {
        look(&mut self.lock().referee)
    }

    /// Whether the match waits only for teams that should have joined.
    pub(super) fn waits(&self) -> bool {
        self.with(|referee| !referee.has_begun() && referee.is_full())
    }

    pub(super) fn is_over(&self) -> bool {
        self.with(|referee| referee.finish().is_some())
    }

    /// Whether no connection is open.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().handles.is_empty()
    }

    /// Marks a team absent whose program has ended, once its last connection is closed.
    pub(super) fn absent_if_gone(&self, team: Team) {
        let mut state = self.lock();
        if state.referee.is_gone(team) && !state.referee.is_absent(team) {
            self.apply_to(&mut state, 0, Input::Absent(team));
        }
    }

    /// The longest silence of a team, in milliseconds of the match.
    fn most_silence(&self) -> u64 {
        (self.limits.silence.as_millis() as f64 * self.speed.max(1.0)) as u64
    }

    /// The loss of a team, if it has lost by its own fault. `ended` is the ending of its program, if it has one that
    /// has ended.
    fn loss(&self, referee: &Referee, team: Team, ended: Option<String>) -> Option<Loss> {
        let (cause, reason) = if referee.has_no_unit(team) {
            (Cause::Startup, ended.unwrap_or_else(|| "none of its units has come".to_owned()))
        } else if let Some(ended) = ended.filter(|_| referee.is_gone(team)) {
            (Cause::Crash, ended)
        } else if referee.silence(team) >= self.most_silence() {
            let secs = self.limits.silence.as_secs_f32();
            (Cause::Hang, format!("nothing was heard of it for {secs} s"))
        } else {
            return None;
        };
        Some(Loss { cause, reason })
    }

    /// Ends a match that has begun if a team has lost it by its own fault. `ended` has the endings of the programs
    /// that have ended.
    pub(super) fn forfeit(&self, ended: ByTeam<Team, Option<String>>) {
        let mut state = self.lock();
        if !state.referee.has_begun() || state.referee.finish().is_some() {
            return;
        }
        let [red, blue] = ended.into_array();
        let loss = |team, ended| self.loss(&state.referee, team, ended);
        let losses = ByTeam::new(loss(Team::Red, red), loss(Team::Blue, blue));
        if losses.iter().any(|(_, loss)| loss.is_some()) {
            self.apply_to(&mut state, 0, Input::Lost(losses));
        }
    }

    pub(super) fn tell(&self, team: Team, event: Event) {
        self.lock().events.push((team, event));
    }

    pub(super) fn drain_events(&self) -> Vec<(Team, Event)> {
        std::mem::take(&mut self.lock().events)
    }

    /// Closes every connection, once its waiting output is written.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.handles.clear();
    }

    /// Completes the file of inputs; returns the error if that failed.
    pub(super) fn finish_inputs(&self) -> Option<String> {
        self.lock().inputs.take()?.finish().err().map(|error| error.to_string())
    }
}
