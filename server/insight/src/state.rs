//! State of a match at a cycle: the runner, and the latest actions of each bot.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use grandstand_languages::Watch;
use grandstand_matches::machine::{GameWorld, LogEntry, LogEvent, Runner, RunnerSnapshot};
use grandstand_matches::{RunningMatch as _, StampedCommand};

/// Number of actions kept for each bot.
const PAST_ACTIONS: usize = 8;
/// Size of a log entry with its texts, in bytes, estimated.
const ACTION_BYTES: usize = 600;

/// State of a match at a cycle.
#[derive(Debug, Clone)]
pub(crate) struct State<W: GameWorld> {
    pub(crate) runner: Runner<W>,
    past_actions: BTreeMap<u32, VecDeque<Arc<LogEntry>>>,
}

/// Commands and log entries of a stretch.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) commands: Vec<StampedCommand>,
    pub(crate) entries: Vec<Arc<LogEntry>>,
}

impl<W: GameWorld> State<W> {
    pub(crate) fn new(runner: Runner<W>) -> Self {
        Self { runner, past_actions: BTreeMap::new() }
    }

    /// The last executed cycle.
    pub(crate) fn cycle(&self) -> u64 {
        self.runner.machine().cycle()
    }

    /// Plays to the end of `cycle`, or to the world's next event if that is earlier.
    pub(crate) fn advance(&mut self, cycle: u64, watch: Option<&mut Watch<'_>>) -> News {
        self.runner.advance_to(cycle, watch);
        let commands = self.runner.drain_commands();
        let entries: Vec<_> = self.runner.drain_log().into_iter().map(Arc::new).collect();
        for entry in &entries {
            self.take(entry);
        }
        News { commands, entries }
    }

    /// Plays to the end of `cycle` or of the match.
    pub(crate) fn play_to(&mut self, cycle: u64, mut watch: Option<&mut Watch<'_>>) {
        while self.cycle() < cycle && !self.runner.is_finished() {
            self.advance(cycle, watch.as_deref_mut());
        }
    }

    fn take(&mut self, entry: &Arc<LogEntry>) {
        let action = match &entry.event {
            LogEvent::Removed(_) | LogEvent::Ended(_) => {
                self.past_actions.remove(&entry.pid.0);
                return;
            }
            LogEvent::Acted { .. }
            | LogEvent::Spawned { .. }
            | LogEvent::Moved { .. }
            | LogEvent::NoMove { .. }
            | LogEvent::Late { .. } => entry,
            _ => return,
        };
        let bots = if entry.bots.is_empty() { std::slice::from_ref(&entry.pid) } else { &entry.bots };
        for bot in bots {
            let past_actions = self.past_actions.entry(bot.0).or_default();
            if past_actions.len() == PAST_ACTIONS {
                past_actions.pop_front();
            }
            past_actions.push_back(action.clone());
        }
    }

    /// Latest actions of a bot, the oldest first.
    pub(crate) fn past_actions(&self, bot: u32) -> Vec<Arc<LogEntry>> {
        self.past_actions
            .get(&bot)
            .map(|past_actions| past_actions.iter().cloned().collect())
            .unwrap_or_default()
    }

    /// A copy that can be kept, and restored.
    pub(crate) fn snapshot(&mut self) -> Keyframe<W> {
        Keyframe { runner: self.runner.snapshot(), past_actions: self.past_actions.clone() }
    }
}

/// Snapshot of a match at a cycle.
#[derive(Debug)]
pub(crate) struct Keyframe<W: GameWorld> {
    runner: RunnerSnapshot<W>,
    past_actions: BTreeMap<u32, VecDeque<Arc<LogEntry>>>,
}

impl<W: GameWorld> Keyframe<W> {
    pub(crate) fn restore(&self) -> State<W> {
        State { runner: self.runner.restore(), past_actions: self.past_actions.clone() }
    }

    /// The last executed cycle.
    pub(crate) fn cycle(&self) -> u64 {
        self.runner.machine().cycle()
    }

    /// Estimated size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let past_actions: usize =
            self.past_actions.values().map(|past_actions| past_actions.len() * ACTION_BYTES).sum();
        // 16 KiB for the world: a board and its bots, some hundreds of fields.
        self.runner.machine().bytes() + past_actions + (16 << 10)
    }
}
