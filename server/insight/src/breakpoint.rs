//! Breakpoints: lines of programs, watched while a match is replayed forwards or backwards.

use grandstand_languages::view::{ValueView, ViewLimits, Visit};
use grandstand_languages::{Line, Machine, Pid, Program, TeamId, Watcher};

use crate::search::Moment;

/// A watched line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// The line.
    pub line: Line,
    /// Only for the programs of these sides, by index: both may have a file of this name.
    pub sides: [bool; 2],
    /// Only for this bot; `None` for all.
    pub bot: Option<u32>,
    /// Expression in the program's language; the breakpoint counts only where its value is not 0. A bot for which it
    /// has no value is skipped.
    pub condition: Option<String>,
    /// Expressions that are evaluated each time.
    pub values: Vec<String>,
    /// Whether [`resume`](crate::ReplayedMatch::resume) stops there; otherwise it only reports the visit.
    pub stops: bool,
}

/// A visit of a breakpoint's line.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakpointHit {
    /// Index of the breakpoint.
    pub breakpoint: usize,
    /// Cycle in which the line's first operation begins.
    pub cycle: u64,
    /// The bot.
    pub bot: u32,
    /// Values of the expressions, or the reason for none.
    pub values: Vec<Result<ValueView, String>>,
    /// Index of the operation in the program's code.
    pub(crate) operation: u32,
}

/// Conditions under which [`resume`](crate::ReplayedMatch::resume) stops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StopConditions {
    /// Lines.
    pub breakpoints: Vec<Breakpoint>,
    /// Stop before a bot's program ends: stuck, past a limit, or done.
    pub ends: bool,
    /// Stop before the game removes a bot.
    pub removals: bool,
}

/// Reason of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A breakpoint, by index.
    Breakpoint(usize),
    /// The bot is lost in the next cycle.
    Lost,
}

/// Result of [`resume`](crate::ReplayedMatch::resume).
#[derive(Debug, Clone, PartialEq)]
pub struct Resumed {
    /// Visits of breakpoints without a stop, in the order in which they were passed.
    pub passed: Vec<BreakpointHit>,
    /// The stop: the moment, the bot, and the reason.
    pub stopped: Option<(Moment, u32, Reason)>,
    /// Without a stop, everything up to the end of this cycle (or back to it) has been searched.
    pub cycle: u64,
    /// Whether the end of the match (or its beginning) has been reached.
    pub at_end: bool,
}

/// A breakpoint with compiled expressions.
#[derive(Debug)]
pub(crate) struct CompiledBreakpoint {
    /// Operations that reach the line, by the machine's teams.
    pub(crate) operations: Vec<Option<Vec<bool>>>,
    pub(crate) bot: Option<u32>,
    pub(crate) condition: Option<Program>,
    pub(crate) values: Vec<Program>,
}

/// Watcher of points; evaluates their expressions.
#[derive(Debug)]
pub(crate) struct BreakpointWatcher<'p> {
    points: &'p [CompiledBreakpoint],
    /// Union of all points' operations, by team.
    stops: Vec<Option<Vec<bool>>>,
    extent: ViewLimits,
    /// Number of visits kept at most.
    most: usize,
    pub(crate) reached: Vec<BreakpointHit>,
    /// Number of visits, kept or not.
    pub(crate) count: u64,
}

impl<'p> BreakpointWatcher<'p> {
    pub(crate) fn new(points: &'p [CompiledBreakpoint], extent: ViewLimits, most: usize) -> Self {
        let mut stops: Vec<Option<Vec<bool>>> = Vec::new();
        for (team, operations) in points.iter().flat_map(|point| point.operations.iter().enumerate()) {
            stops.resize(stops.len().max(team + 1), None);
            match (&mut stops[team], operations) {
                (Some(all), Some(operations)) => {
                    all.iter_mut().zip(operations).for_each(|(all, one)| *all |= one);
                }
                (all @ None, Some(operations)) => *all = Some(operations.clone()),
                (_, None) => {}
            }
        }
        Self { points, stops, extent, most, reached: Vec::new(), count: 0 }
    }
}

impl CompiledBreakpoint {
    fn is_at(&self, team: Option<TeamId>, visit: Visit) -> bool {
        let operations = team.and_then(|team| self.operations.get(team.0 as usize)?.as_ref());
        self.bot.is_none_or(|bot| bot == visit.pid.0)
            && operations.is_some_and(|operations| operations[visit.operation as usize])
    }
}

impl Watcher for BreakpointWatcher<'_> {
    fn stops(&self, team: TeamId, pid: Pid) -> Option<&[bool]> {
        let is_looked_at = self.points.iter().any(|point| point.bot.is_none_or(|bot| bot == pid.0));
        self.stops.get(team.0 as usize)?.as_deref().filter(|_| is_looked_at)
    }

    fn reached(&mut self, machine: &Machine, visit: Visit) {
        let team = machine.team_of(visit.pid);
        for (breakpoint, point) in self.points.iter().enumerate() {
            if !point.is_at(team, visit) {
                continue;
            }
            if let Some(condition) = &point.condition {
                let extent = ViewLimits { calls: 1, elements: 0, depth: 0 };
                let value = machine.evaluate(visit.pid, condition, extent);
                if matches!(value, Ok(ValueView::Int(0)) | Err(_)) {
                    continue;
                }
            }
            self.count += 1;
            if self.reached.len() < self.most {
                let values = point.values.iter().map(|value| machine.evaluate(visit.pid, value, self.extent));
                self.reached.push(BreakpointHit {
                    breakpoint,
                    cycle: visit.cycle,
                    bot: visit.pid.0,
                    values: values.collect(),
                    operation: visit.operation,
                });
            }
        }
    }
}
