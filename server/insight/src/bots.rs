//! The lives of the bots of a match.

use std::collections::BTreeMap;
use std::sync::Arc;

use grandstand_matches::Side;
use grandstand_matches::machine::{LogEntry, LogEvent};

/// A bot that is the thread of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Bot {
    /// Its thread's number.
    pub bot: u32,
    /// Its side, as an index.
    pub side: usize,
    /// The cycle in which it was spawned; 0 for those that a match begins with.
    pub born: u64,
    /// What became of it, once it has left the match.
    pub gone: Option<Arc<LogEntry>>,
}

/// All bots that there have been.
#[derive(Debug, Default)]
pub(crate) struct Bots(BTreeMap<u32, Bot>);

impl Bots {
    /// A bot that the match begins with.
    pub(crate) fn begins(&mut self, bot: u32, side: usize) {
        self.0.insert(bot, Bot { bot, side, born: 0, gone: None });
    }

    /// Takes what an entry of the log says of lives.
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
