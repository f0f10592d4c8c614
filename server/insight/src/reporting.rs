//! Making of a report in stretches: the state of each lost bot takes a short replay.

use std::sync::Arc;

use grandstand_languages::LockWait;
use grandstand_matches::machine::{LogEntry, LogEvent};

use crate::insight::Insight;
use crate::report::{Loss, Report, Turned};

/// A report under way.
#[derive(Debug)]
pub(crate) struct Reporting {
    fates: Vec<Arc<LogEntry>>,
    /// Number of fates that are told.
    done: usize,
    lost: [Vec<Loss>; 2],
    deadlocks: [Vec<(u64, Vec<LockWait>)>; 2],
}

impl Reporting {
    /// Begins the report of a match that has been played.
    pub(crate) fn new(insight: &Insight) -> Self {
        let (lost, deadlocks) = Default::default();
        Self { fates: insight.fates().to_vec(), done: 0, lost, deadlocks }
    }

    /// The share that is done, from 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        self.done as f32 / self.fates.len().max(1) as f32
    }

    /// Tells one fate more. Returns whether there are others.
    pub(crate) fn go_on(&mut self, insight: &mut Insight) -> bool {
        let Some(entry) = self.fates.get(self.done) else { return false };
        self.done += 1;
        let side = usize::from(entry.team == insight.sides()[1].name);
        match &entry.event {
            LogEvent::Removed(_) | LogEvent::Ended(_) => self.lost[side].push(insight.loss(entry)),
            LogEvent::Deadlocked(circle) => self.deadlocks[side].push((entry.cycle, circle.clone())),
            _ => {}
        }
        true
    }

    /// The report, of the fates that are told.
    pub(crate) fn finish(self, insight: &Insight) -> Report {
        let Self { lost, deadlocks, .. } = self;
        let (ending, sides) = (insight.ending(), insight.sides());
        let [first, second] = insight.names();
        let winner = ending.as_ref().and_then(|ending| ending.winner);
        let turned = winner.and_then(|winner| {
            let cycle = insight.decisive_cycle(winner)?;
            let loss = lost[1 - winner].iter().rev().find(|loss| loss.cycle == cycle).cloned();
            Some(Turned { cycle, turn: insight.turn_of(cycle), loss })
        });
        Report {
            players: [(sides[0].name, first), (sides[1].name, second)],
            winner,
            score: ending.as_ref().and_then(|ending| ending.score),
            termination: ending.as_ref().map(|ending| ending.termination),
            turned,
            lost,
            deadlocks,
            accounts: insight.mistake_costs(),
            remarks: insight.remarks(),
        }
    }
}
