//! Moments in a bot's program; steps and searches between them.

use grandstand_languages::view::Visit;
use grandstand_languages::{Line, Machine, Pid, TeamId, Watcher};
use grandstand_protocol::insight::StepUnit;

/// A moment of a bot: after all of `cycle`, and after the bot's next `within` operations, which take no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The last complete cycle.
    pub cycle: u64,
    /// Number of the bot's operations after it.
    pub within: u32,
}

impl Moment {
    /// The end of a cycle.
    pub fn end_of(cycle: u64) -> Self {
        Self { cycle, within: 0 }
    }
}

/// Direction of a step or a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end of the match.
    Forward,
    /// Towards its beginning.
    Backward,
}

/// Search for a line over a whole match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Only for this bot; `None` for all.
    pub bot: Option<u32>,
    /// The line.
    pub line: Line,
    /// Expression in the program's language whose value must not be 0. A bot for which it has no value is skipped.
    pub condition: Option<String>,
}

/// A bot's position before a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct From {
    pub(crate) moment: Moment,
    /// Whether the bot stands before its next operation; that operation is its position and not a step away.
    pub(crate) is_at_operation: bool,
    pub(crate) line: (u32, u32),
    pub(crate) depth: usize,
}

/// Watcher of every operation of one bot, for a step.
#[derive(Debug)]
pub(crate) struct Steps<'p> {
    pub(crate) pid: Pid,
    pub(crate) step: StepUnit,
    pub(crate) from: From,
    pub(crate) direction: Direction,
    pub(crate) stops: &'p [bool],
    pub(crate) actions: &'p [bool],
    pub(crate) lines: &'p [(u32, u32)],
    /// The last visit, and the number of visits before it in the same cycle.
    last: Option<(Visit, u32)>,
    passed: u32,
    /// Number of frames at the operation before.
    last_depth: usize,
    /// The target among the visits so far: forwards the first one, backwards the last one.
    pub(crate) found: Option<Moment>,
}

impl<'p> Steps<'p> {
    pub(crate) fn new(
        pid: Pid,
        step: StepUnit,
        from: From,
        direction: Direction,
        (stops, actions, lines): (&'p [bool], &'p [bool], &'p [(u32, u32)]),
    ) -> Self {
        Self {
            pid,
            step,
            from,
            direction,
            stops,
            actions,
            lines,
            last: None,
            passed: 0,
            last_depth: usize::MAX,
            found: None,
        }
    }

    fn is_wanted(&self, visit: Visit) -> bool {
        let at = visit.operation as usize;
        let other_line = self.lines[at] != self.from.line;
        match self.step {
            StepUnit::Operation => true,
            StepUnit::Line => other_line || visit.depth != self.from.depth,
            StepUnit::Over => visit.depth < self.from.depth || visit.depth == self.from.depth && other_line,
            StepUnit::Out => visit.depth < self.from.depth,
            StepUnit::Call => visit.depth > self.last_depth,
            StepUnit::Action => self.actions[at],
            // Turns are counted in cycles, not in operations.
            StepUnit::Turn => false,
        }
    }
}

impl Watcher for Steps<'_> {
    fn stops(&self, _: TeamId, pid: Pid) -> Option<&[bool]> {
        let is_done = self.direction == Direction::Forward && self.found.is_some();
        (pid == self.pid && !is_done).then_some(self.stops)
    }

    fn reached(&mut self, _: &Machine, visit: Visit) {
        let within = match self.last {
            Some((last, within)) if last.cycle == visit.cycle => within + 1,
            _ => 0,
        };
        self.last = Some((visit, within));
        let moment = Moment { cycle: visit.cycle.saturating_sub(1), within };
        match self.direction {
            Direction::Forward => {
                // Visits up to the bot's position are not steps.
                let before = if self.from.is_at_operation { self.from.moment.within + 1 } else { 0 };
                self.passed += 1;
                if self.passed > before && self.found.is_none() && self.is_wanted(visit) {
                    self.found = Some(moment);
                }
            }
            Direction::Backward => {
                if moment < self.from.moment && self.is_wanted(visit) {
                    self.found = Some(moment);
                }
            }
        }
        self.last_depth = visit.depth;
    }
}
