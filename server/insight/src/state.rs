//! A match at a cycle: the runner, and what each bot has done last.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use grandstand_languages::Watch;
use grandstand_matches::machine::{GameWorld, LogEntry, LogEvent, Runner};
use grandstand_matches::{RunningMatch as _, StampedCommand};

/// So much of what a bot did last is kept.
const DEEDS: usize = 8;
/// What an entry of the log takes with its texts, about.
const DEED_BYTES: usize = 600;

/// A match at a cycle.
#[derive(Debug, Clone)]
pub(crate) struct State<W: GameWorld> {
    pub(crate) runner: Runner<W>,
    deeds: BTreeMap<u32, VecDeque<Arc<LogEntry>>>,
}

/// What came of playing on.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) commands: Vec<StampedCommand>,
    pub(crate) entries: Vec<Arc<LogEntry>>,
}

impl<W: GameWorld> State<W> {
    pub(crate) fn new(runner: Runner<W>) -> Self {
        Self { runner, deeds: BTreeMap::new() }
    }

    /// The last cycle that was executed.
    pub(crate) fn cycle(&self) -> u64 {
        self.runner.machine().cycle()
    }

    /// Plays on towards the end of `cycle`, at most to the next event of the world.
    pub(crate) fn advance(&mut self, cycle: u64, watch: Option<&mut Watch<'_>>) -> News {
        self.runner.advance_to(cycle, watch);
        let commands = self.runner.drain_commands();
        let entries: Vec<_> = self.runner.drain_log().into_iter().map(Arc::new).collect();
        for entry in &entries {
            self.take(entry);
        }
        News { commands, entries }
    }

    /// Plays on to the end of `cycle`, or of the match.
    pub(crate) fn play_to(&mut self, cycle: u64, mut watch: Option<&mut Watch<'_>>) {
        while self.cycle() < cycle && !self.runner.is_finished() {
            self.advance(cycle, watch.as_deref_mut());
        }
    }

    fn take(&mut self, entry: &Arc<LogEntry>) {
        let deed = match &entry.event {
            LogEvent::Removed(_) | LogEvent::Ended(_) => {
                self.deeds.remove(&entry.pid.0);
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
            let deeds = self.deeds.entry(bot.0).or_default();
            if deeds.len() == DEEDS {
                deeds.pop_front();
            }
            deeds.push_back(deed.clone());
        }
    }

    /// What a bot did last, the oldest first.
    pub(crate) fn deeds(&self, bot: u32) -> Vec<Arc<LogEntry>> {
        self.deeds.get(&bot).map(|deeds| deeds.iter().cloned().collect()).unwrap_or_default()
    }

    /// A copy without garbage, and the bytes that it takes, about.
    pub(crate) fn snapshot(&mut self) -> (Self, usize) {
        let runner = self.runner.snapshot();
        let deeds: usize = self.deeds.values().map(|deeds| deeds.len() * DEED_BYTES).sum();
        // A world has a board and its bots: some hundreds of fields.
        let bytes = runner.machine().bytes() + deeds + (16 << 10);
        (Self { runner, deeds: self.deeds.clone() }, bytes)
    }
}
