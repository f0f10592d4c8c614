//! Breakpoints: lines of the programs that are watched while a match goes by, forwards or backwards.

use grandstand_languages::view::{Extent, Seen, Visit};
use grandstand_languages::{Line, Machine, Pid, Program, TeamId, Watcher};

use crate::search::Moment;

/// A line that is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// Which.
    pub line: Line,
    /// Of one bot, or of any.
    pub bot: Option<u32>,
    /// An expression that must not be 0 there, in the program's language; a bot for which it has no value is passed over.
    pub condition: Option<String>,
    /// Expressions whose values are told each time.
    pub values: Vec<String>,
    /// Whether one stops there.
    pub stops: bool,
}

/// A breakpoint's line that was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// Which one, as an index.
    pub breakpoint: usize,
    /// The cycle in which the line's first operation begins.
    pub cycle: u64,
    /// By which bot.
    pub bot: u32,
    /// The values of its expressions, or why they have none.
    pub values: Vec<Result<Seen, String>>,
    /// The operation, by its index in the program's code.
    pub(crate) operation: u32,
}

/// What one stops at on the way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stops {
    /// Lines.
    pub breakpoints: Vec<Breakpoint>,
    /// Before a bot's program ends: it is stuck, or past a limit, or done.
    pub ends: bool,
    /// Before the game takes a bot away.
    pub removals: bool,
}

/// Why one stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A breakpoint, by its index.
    Breakpoint(usize),
    /// The bot is lost in the next cycle.
    Lost,
}

/// How far one came towards a stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Resumed {
    /// The breakpoints without a stop that were passed, in the order in which they were.
    pub passed: Vec<Reached>,
    /// Where one stopped: the bot's moment.
    pub stopped: Option<(Moment, u32, Reason)>,
    /// Otherwise all has been looked through up to the end of this cycle, or back to it.
    pub cycle: u64,
    /// Whether there is no further to go.
    pub at_end: bool,
}

/// A breakpoint with its expressions compiled.
#[derive(Debug)]
pub(crate) struct Point {
    /// By the machine's teams: the operations that reach the line.
    pub(crate) operations: Vec<Option<Vec<bool>>>,
    pub(crate) bot: Option<u32>,
    pub(crate) condition: Option<Program>,
    pub(crate) values: Vec<Program>,
}

/// Watches points, and evaluates their expressions.
#[derive(Debug)]
pub(crate) struct Watched<'p> {
    points: &'p [Point],
    /// By team: the operations of all points together.
    stops: Vec<Option<Vec<bool>>>,
    extent: Extent,
    /// No more than so many are kept.
    most: usize,
    pub(crate) reached: Vec<Reached>,
    /// How often points were reached.
    pub(crate) count: u64,
}

impl<'p> Watched<'p> {
    pub(crate) fn new(points: &'p [Point], extent: Extent, most: usize) -> Self {
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

impl Point {
    fn is_at(&self, team: Option<TeamId>, visit: Visit) -> bool {
        let operations = team.and_then(|team| self.operations.get(team.0 as usize)?.as_ref());
        self.bot.is_none_or(|bot| bot == visit.pid.0)
            && operations.is_some_and(|operations| operations[visit.operation as usize])
    }
}

impl Watcher for Watched<'_> {
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
                let extent = Extent { calls: 1, elements: 0, depth: 0 };
                let value = machine.evaluate(visit.pid, condition, extent);
                if matches!(value, Ok(Seen::Int(0)) | Err(_)) {
                    continue;
                }
            }
            self.count += 1;
            if self.reached.len() < self.most {
                let values = point.values.iter().map(|value| machine.evaluate(visit.pid, value, self.extent));
                self.reached.push(Reached {
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
