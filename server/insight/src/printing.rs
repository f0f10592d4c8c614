//! Print that is under way: goes through a match a stretch at a time.

use crate::breakpoint::{Breakpoint, Stops};
use crate::insight::Insight;
use crate::print::{PrintError, Printed, Prints};
use crate::scan::LONGEST;
use crate::search::{Direction, Moment};
use crate::view::AskError;

/// A print over a whole match that is under way, a stretch at a time.
#[derive(Debug)]
pub struct Printing {
    stops: Stops,
    most: usize,
    /// The last cycle that has been gone through.
    edge: u64,
    /// What was printed so far, in order.
    pub printed: Vec<Printed>,
    /// How often the line was reached so far.
    pub count: u64,
}

impl Printing {
    /// A print of which `most` values are kept.
    ///
    /// # Errors
    /// If the expression is none, or nothing is done on the line.
    pub fn new(insight: &Insight, prints: &Prints, most: usize) -> Result<Self, PrintError> {
        insight.played.check_prints(prints)?;
        let Prints { line, expression, bot } = prints.clone();
        let breakpoint = Breakpoint { line, bot, condition: None, values: vec![expression], stops: false };
        let stops = Stops { breakpoints: vec![breakpoint], ..Stops::default() };
        Ok(Self { stops, most, edge: 0, printed: Vec::new(), count: 0 })
    }

    /// How much of the match has been gone through, from 0 to 1.
    pub fn progress(&self, insight: &Insight) -> f32 {
        self.edge as f32 / insight.last_cycle().max(1) as f32
    }

    /// Goes through the next stretch; whether there is more.
    ///
    /// # Errors
    /// If the match has not been played.
    pub fn go_on(&mut self, insight: &mut Insight) -> Result<bool, AskError> {
        let from = (Moment::end_of(self.edge), None);
        let resumed = insight.resume(from, &self.stops, Direction::Forward, LONGEST)?;
        self.count += resumed.passed.len() as u64;
        for mut reached in resumed.passed {
            if self.printed.len() == self.most {
                break;
            }
            let side = insight.played.side_of(reached.bot);
            let value = reached.values.pop();
            self.printed.extend(value.map(|value| Printed {
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
