//! Print of a whole match in stretches.

use crate::breakpoint::{Breakpoint, StopConditions};
use crate::insight::Insight;
use crate::logpoint::{Logpoint, LogpointError, LogpointHit};
use crate::scan::LONGEST;
use crate::search::{Direction, Moment};
use crate::view::AskError;

/// A print under way.
#[derive(Debug)]
pub struct LogpointScan {
    stops: StopConditions,
    most: usize,
    /// The last cycle of the stretches done.
    edge: u64,
    /// Values so far, in order; `most` of them at most.
    pub printed: Vec<LogpointHit>,
    /// Number of visits so far.
    pub count: u64,
}

impl LogpointScan {
    /// Begins a print that keeps `most` values.
    ///
    /// # Errors
    /// If the text is not an expression, or the line has no code.
    pub fn new(insight: &Insight, prints: &Logpoint, most: usize) -> Result<Self, LogpointError> {
        insight.check_logpoint(prints)?;
        let Logpoint { line, expression, bot } = prints.clone();
        let sides = [true; 2];
        let breakpoint =
            Breakpoint { line, sides, bot, condition: None, values: vec![expression], stops: false };
        let stops = StopConditions { breakpoints: vec![breakpoint], ..StopConditions::default() };
        Ok(Self { stops, most, edge: 0, printed: Vec::new(), count: 0 })
    }

    /// Printed share of the match, from 0 to 1.
    pub fn progress(&self, insight: &Insight) -> f32 {
        self.edge as f32 / insight.last_cycle().max(1) as f32
    }

    /// Prints the next stretch; returns whether there is more.
    ///
    /// # Errors
    /// If the match has not been played that far.
    pub fn go_on(&mut self, insight: &mut Insight) -> Result<bool, AskError> {
        let from = (Moment::end_of(self.edge), None);
        let resumed = insight.resume(from, &self.stops, Direction::Forward, LONGEST)?;
        self.count += resumed.passed.len() as u64;
        for mut reached in resumed.passed {
            if self.printed.len() == self.most {
                break;
            }
            let side = insight.side_of(reached.bot);
            let value = reached.values.pop();
            self.printed.extend(value.map(|value| LogpointHit {
                cycle: reached.cycle,
                bot: reached.bot,
                side,
                value,
            }));
        }
        self.edge = resumed.cycle;
        Ok(!resumed.at_end)
    }
}
