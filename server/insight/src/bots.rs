//! Lives of the bots of a match.

use std::collections::BTreeMap;
use std::sync::Arc;

use grandstand_matches::Side;
use grandstand_matches::machine::{LogEntry, LogEvent};

/// A bot: a thread of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Bot {
    /// Number of its thread.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// Cycle in which it was spawned; 0 for the bots that the match begins with.
    pub born: u64,
    /// The log entry that ended it, once it has left the match.
    pub gone: Option<Arc<LogEntry>>,
}

/// All bots so far, by number.
#[derive(Debug, Default)]
pub(crate) struct Bots(BTreeMap<u32, Bot>);

impl Bots {
    /// Adds a bot that the match begins with.
    pub(crate) fn begins(&mut self, bot: u32, side: usize) {
        self.0.insert(bot, Bot { bot, side, born: 0, gone: None });
    }

    /// Takes births and deaths from a log entry.
    pub(crate) fn take(&mut self, entry: &Arc<LogEntry>, sides: [Side; 2]) {
        match &entry.event {
            LogEvent::Spawned { child: Some(child), .. } => {
                let side = usize::from(entry.team == sides[1].name);
                let born = Bot { bot: child.0, side, born: entry.cycle, gone: None };
                self.0.entry(child.0).or_insert(born);
            }
            LogEvent::Removed(_) | LogEvent::Ended(_) => {
                if let Some(bot) = self.0.get_mut(&entry.pid.0) {
                    bot.gone.get_or_insert_with(|| entry.clone());
                }
            }
            _ => {}
        }
    }

    pub(crate) fn get(&self, bot: u32) -> Option<&Bot> {
        self.0.get(&bot)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Bot> {
        self.0.values()
    }
}
