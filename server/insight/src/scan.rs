//! Searches over a whole match in stretches, so that they can report progress and be cancelled.

use std::collections::BTreeMap;

use grandstand_languages::view::{CellView, ViewLimits, Visit, Write};
use grandstand_languages::{Line, Machine, Operations, Pid, TeamId, Watcher};
use grandstand_matches::machine::LogEvent;
use grandstand_protocol::insight::Target;

use crate::breakpoint::{Breakpoint, StopConditions};
use crate::insight::Insight;
use crate::search::{Direction, Moment, Search};
use crate::view::AskError;

/// Cycles of the first stretch forwards. The width doubles up to [`LONGEST`].
const FIRST: u64 = 512;
/// Cycles of a stretch at most.
pub(crate) const LONGEST: u64 = 16_384;

/// Result of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing yet; the search can go on.
    NotYet,
    /// Found: the moment and the bot.
    At(Moment, u32),
    /// The whole match has been searched in vain.
    Nowhere,
}

/// A search under way.
#[derive(Debug)]
pub struct Scan {
    sought: Target,
    from: Moment,
    direction: Direction,
    teams: Vec<Option<Vec<bool>>>,
    /// Start of the next stretch; backwards, its end.
    edge: u64,
    width: u64,
    /// What the neighbouring stretch, searched before, leaves open about the cell.
    open: Open,
}

/// What one stretch leaves open for the next one.
#[derive(Debug, Default)]
struct Open {
    /// Forwards: the cell at the end of the stretch, with the operations that may still change it.
    known: Known,
    /// Backwards: changes by operations that began before the stretch, the last one first.
    unexplained: Vec<By>,
}

/// State of a cell and of the operations that may change it.
#[derive(Debug, Clone, Default)]
struct Known {
    /// The cell's last write and holder when it was looked at last.
    was: Option<(Option<Write>, Option<Pid>)>,
    /// The last operation of each bot.
    visits: BTreeMap<Pid, Visit>,
    last: Option<Visit>,
}

/// Cause of a change of a cell.
#[derive(Debug, Clone, Copy)]
enum By {
    /// The last operation of this bot.
    Bot(Pid),
    /// The last operation of any bot.
    Anybody,
}

impl Known {
    fn visit(&self, by: By) -> Option<Visit> {
        match by {
            By::Bot(pid) => self.visits.get(&pid).copied(),
            By::Anybody => self.last,
        }
    }
}

impl Scan {
    /// Begins a search at a moment.
    ///
    /// # Errors
    /// If the condition is not an expression, or the moment has not been played.
    pub fn new(
        insight: &Insight,
        sought: Target,
        from: Moment,
        direction: Direction,
    ) -> Result<Self, AskError> {
        insight.check(from)?;
        let meant = match &sought {
            Target::Line { file, line, condition, .. } => {
                condition.as_deref().map_or(Ok(()), |text| insight.check_expression(text))?;
                Some(Operations::Line(Line { file: file.clone(), line: *line }))
            }
            Target::Failure { .. } => None,
            Target::Write { .. } => Some(Operations::Writes),
            Target::Lock { .. } => Some(Operations::Locks),
        };
        let mut teams = meant.map(|meant| insight.operations(&meant)).unwrap_or_default();
        if let Target::Write { side, .. } | Target::Lock { side, .. } = &sought {
            let own = insight.team(*side).map(|team| team.0 as usize);
            for (team, operations) in teams.iter_mut().enumerate() {
                operations.take_if(|_| Some(team) != own);
            }
        }
        let edge = match direction {
            Direction::Forward => from.cycle,
            Direction::Backward => (from.cycle + 1).min(insight.last_cycle()),
        };
        Ok(Self { sought, from, direction, teams, edge, width: FIRST, open: Open::default() })
    }

    /// Searched share of the way, from 0 to 1.
    pub fn progress(&self, insight: &Insight) -> f32 {
        let (done, all) = match self.direction {
            Direction::Forward => (self.edge - self.from.cycle, insight.last_cycle() - self.from.cycle),
            Direction::Backward => (self.from.cycle.saturating_sub(self.edge), self.from.cycle),
        };
        done as f32 / all.max(1) as f32
    }

    /// Searches the next stretch.
    ///
    /// # Errors
    /// If the starting moment has not been played.
    pub fn go_on(&mut self, insight: &mut Insight) -> Result<Found, AskError> {
        let is_anywhere =
            matches!(self.sought, Target::Failure { .. }) || self.teams.iter().any(Option::is_some);
        if !is_anywhere {
            return Ok(Found::Nowhere);
        }
        if let Target::Line { file, line, condition, bot } = self.sought.clone() {
            let stops = line_stop(Search { bot, line: Line { file, line }, condition });
            return self.resume(insight, &stops);
        }
        let last = insight.last_cycle();
        let (after, until) = match self.direction {
            Direction::Forward => (self.edge, (self.edge + self.width).min(last)),
            Direction::Backward => (insight.snapshot_before(self.edge.saturating_sub(1)), self.edge),
        };
        if let Some((moment, bot)) = self.stretch(insight, after, until)? {
            return Ok(Found::At(moment, bot));
        }
        let is_over = match self.direction {
            Direction::Forward => until >= last,
            Direction::Backward => after == 0,
        };
        self.edge = if self.direction == Direction::Forward { until } else { after };
        self.width = (2 * self.width).min(LONGEST);
        Ok(if is_over { Found::Nowhere } else { Found::NotYet })
    }

    /// Searches the next stretch for a line.
    fn resume(&mut self, insight: &mut Insight, stops: &StopConditions) -> Result<Found, AskError> {
        // Further visits in the starting cycle are not another moment.
        let begin = match self.direction {
            Direction::Forward => self.edge.max(self.from.cycle + 1),
            Direction::Backward => self.edge.min(self.from.cycle),
        };
        if begin > insight.last_cycle() {
            return Ok(Found::Nowhere);
        }
        let resumed = insight.resume((Moment::end_of(begin), None), stops, self.direction, LONGEST)?;
        self.edge = resumed.cycle;
        Ok(match resumed.stopped {
            Some((moment, bot, _)) => Found::At(moment, bot),
            None if resumed.at_end => Found::Nowhere,
            None => Found::NotYet,
        })
    }

    /// The first hit of a stretch, in the direction of the search.
    fn stretch(
        &mut self,
        insight: &mut Insight,
        after: u64,
        until: u64,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        match &self.sought.clone() {
            Target::Line { .. } => Ok(None),
            Target::Failure { bot } => {
                let entries = insight.replay(after, until, None)?;
                let failures = entries.iter().filter(|entry| {
                    let refused = match &entry.event {
                        LogEvent::Acted { refused, .. }
                        | LogEvent::Spawned { refused, .. }
                        | LogEvent::Moved { refused, .. } => refused.is_some(),
                        _ => false,
                    };
                    refused
                        && bot.is_none_or(|bot| entry.pid.0 == bot || entry.bots.iter().any(|of| of.0 == bot))
                });
                let found = self.pick(failures, |entry| entry.cycle);
                Ok(found.map(|entry| (Moment::end_of(entry.cycle), bot.unwrap_or(entry.pid.0))))
            }
            Target::Write { side, cell } | Target::Lock { side, cell } => {
                let Some(team) = insight.team(*side) else { return Ok(None) };
                let forward = self.direction == Direction::Forward;
                let mut changes = Changes {
                    team,
                    teams: &self.teams,
                    cell,
                    writes: matches!(self.sought, Target::Write { .. }),
                    known: if forward { std::mem::take(&mut self.open.known) } else { Known::default() },
                    found: Vec::new(),
                    unexplained: Vec::new(),
                };
                if changes.known.was.is_none() {
                    let cells = insight.cells(after, team)?;
                    changes.look(&cells);
                }
                insight.replay(after, until, Some(&mut changes))?;
                // The effect of the stretch's last operation is visible at its end.
                let cells = insight.cells(until, team)?;
                changes.look(&cells);
                let Changes { known, mut found, unexplained, .. } = changes;
                if forward {
                    self.open.known = known;
                } else {
                    // Changes after this stretch by operations that began in it, or before it.
                    let mut open = unexplained;
                    for by in self.open.unexplained.drain(..) {
                        match known.visit(by) {
                            Some(visit) => found.push(visit),
                            None => open.push(by),
                        }
                    }
                    self.open.unexplained = open;
                }
                let Some(visit) = self.pick(found.into_iter(), |visit| visit.cycle.saturating_sub(1)) else {
                    return Ok(None);
                };
                Ok(Some((insight.moment_before(visit)?, visit.pid.0)))
            }
        }
    }

    /// The hit next to the starting moment. `cycle` gives the last complete cycle at a hit.
    fn pick<T>(&self, mut all: impl DoubleEndedIterator<Item = T>, cycle: impl Fn(&T) -> u64) -> Option<T> {
        match self.direction {
            Direction::Forward => all.find(|one| cycle(one) > self.from.cycle),
            Direction::Backward => all.rfind(|one| cycle(one) < self.from.cycle),
        }
    }
}

/// The search for a line as a breakpoint.
pub(crate) fn line_stop(search: Search) -> StopConditions {
    let Search { bot, line, condition } = search;
    let sides = [true; 2];
    let breakpoint = Breakpoint { line, sides, bot, condition, values: Vec::new(), stops: true };
    StopConditions { breakpoints: vec![breakpoint], ..StopConditions::default() }
}

/// Watcher of a team's operations that write cells or change locks, for changes of one cell.
struct Changes<'s> {
    team: TeamId,
    teams: &'s [Option<Vec<bool>>],
    cell: &'s str,
    /// Whether writes are searched; otherwise changes of the lock.
    writes: bool,
    known: Known,
    /// Operations that changed the cell.
    found: Vec<Visit>,
    /// Changes by operations that began before the first one that was watched.
    unexplained: Vec<By>,
}

impl Changes<'_> {
    /// Compares the cell with its last state. A change is due to an operation that began before.
    fn look(&mut self, cells: &[CellView]) {
        let Some(cell) = cells.iter().find(|cell| cell.names.iter().any(|name| name == self.cell)) else {
            return;
        };
        let is = (cell.written.as_ref().map(|(write, _)| *write), cell.holder);
        let Some(was) = self.known.was.replace(is) else { return };
        let by = match (self.writes, is.0) {
            (true, Some(write)) if was.0 != is.0 => By::Bot(write.pid),
            (false, _) if was.1 != is.1 => By::Anybody,
            _ => return,
        };
        match self.known.visit(by) {
            Some(visit) => self.found.push(visit),
            None => self.unexplained.push(by),
        }
    }
}

impl Watcher for Changes<'_> {
    fn stops(&self, team: TeamId, _: Pid) -> Option<&[bool]> {
        self.teams.get(team.0 as usize)?.as_deref()
    }

    fn reached(&mut self, machine: &Machine, visit: Visit) {
        self.look(&machine.cells(self.team, ViewLimits::default()));
        self.known.visits.insert(visit.pid, visit);
        self.known.last = Some(visit);
    }
}

impl Insight {
    /// The next or the previous moment of a subject, with the bot; `None` if there is none. A [`Scan`] does the same in
    /// stretches.
    ///
    /// # Errors
    /// As [`find`](crate::ReplayedMatch::find).
    pub fn seek(
        &mut self,
        from: Moment,
        sought: Target,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        let mut scan = Scan::new(self, sought, from, direction)?;
        loop {
            match scan.go_on(self)? {
                Found::NotYet => {}
                Found::At(moment, bot) => return Ok(Some((moment, bot))),
                Found::Nowhere => return Ok(None),
            }
        }
    }
}
