//! Lines reached in a match: searches, stops and prints.

use grandstand_languages::view::ViewLimits;
use grandstand_languages::{LoadError, MemoryFiles, Operations, Program, Watch};
use grandstand_matches::machine::{GameWorld, LogEntry, LogEvent};
use grandstand_rules::Pid;

use super::{MatchReplay, ReplayedMatch as _};
use crate::breakpoint::{
    Breakpoint, BreakpointHit, BreakpointWatcher, CompiledBreakpoint, Reason, Resumed, StopConditions,
};
use crate::logpoint::{Logpoint, LogpointError, LogpointHit};
use crate::scan::line_stop;
use crate::search::{Direction, Moment, Search};
use crate::view::AskError;

/// Cycles in the first stretch of a search and in the longest one.
const WIDTH: (u64, u64) = (512, 16_384);
/// Limits of a printed value.
const PRINTED: ViewLimits = ViewLimits { calls: 1, elements: 32, depth: 5 };

/// Order of visits in a match: by cycle, bot, and operation within the cycle.
type Place = (u64, u32, u32);

impl<W: GameWorld> MatchReplay<W> {
    fn expression(&self, text: &str) -> Result<Program, LoadError> {
        const NAME: &str = "expression";
        W::LANGUAGE.load(NAME, &MemoryFiles::new().with(NAME, text))
    }

    /// Compiles the viewer's expression.
    pub(super) fn asked(&self, text: &str) -> Result<Program, AskError> {
        self.expression(text).map_err(|error| AskError::Condition(error.to_string()))
    }

    fn point(&self, breakpoint: &Breakpoint) -> Result<CompiledBreakpoint, AskError> {
        let Breakpoint { line, sides, bot, condition, values, .. } = breakpoint;
        let mut operations = self.operations(&Operations::Line(line.clone()));
        for team in [0, 1].into_iter().filter(|side| !sides[*side]).filter_map(|side| self.team(side)) {
            operations[team.0 as usize] = None;
        }
        Ok(CompiledBreakpoint {
            operations,
            bot: *bot,
            condition: condition.as_deref().map(|text| self.asked(text)).transpose()?,
            values: values.iter().map(|text| self.asked(text)).collect::<Result<_, _>>()?,
        })
    }

    /// Visits of points after cycle `after` up to `until`: the first `most`, and the number of all.
    fn reached_between(
        &mut self,
        (after, until): (u64, u64),
        points: &[CompiledBreakpoint],
        most: usize,
    ) -> Result<(Vec<BreakpointHit>, u64), AskError> {
        let mut state = self.state(after)?.clone();
        let mut watched = BreakpointWatcher::new(points, PRINTED, most);
        state.play_to(until, Some(&mut Watch::new(&mut watched)));
        let BreakpointWatcher { reached, count, .. } = watched;
        self.cursor = Some(state);
        Ok((reached, count))
    }

    /// The bot's moment right before an operation.
    pub(super) fn moment_of(&mut self, cycle: u64, bot: u32, operation: u32) -> Result<Moment, AskError> {
        let cycle = cycle.saturating_sub(1);
        let mut state = self.state(cycle)?.clone();
        let within = state.runner.step_inside(Pid(bot), u32::MAX, Some(operation));
        Ok(Moment { cycle, within })
    }

    fn moment_at(&mut self, reached: &BreakpointHit) -> Result<Moment, AskError> {
        self.moment_of(reached.cycle, reached.bot, reached.operation)
    }

    pub(super) fn find_line(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        let stops = line_stop(search.clone());
        // Further visits in the same cycle are not another moment.
        let mut from = match direction {
            Direction::Forward => (Moment::end_of(from.cycle + 1), None),
            Direction::Backward => (Moment::end_of(from.cycle), None),
        };
        loop {
            let resumed = self.go_on(from, &stops, direction, WIDTH.1)?;
            match resumed.stopped {
                Some((moment, bot, _)) => return Ok(Some((moment, bot))),
                None if resumed.at_end => return Ok(None),
                None => from = (Moment::end_of(resumed.cycle), None),
            }
        }
    }

    /// Goes on from a bot's moment, or from the end of a cycle, to the first stop or for `cycles`.
    pub(super) fn go_on(
        &mut self,
        (moment, bot): (Moment, Option<u32>),
        stops: &StopConditions,
        direction: Direction,
        cycles: u64,
    ) -> Result<Resumed, AskError> {
        let points =
            stops.breakpoints.iter().map(|point| self.point(point)).collect::<Result<Vec<_>, _>>()?;
        let from =
            bot.map_or((moment.cycle, u32::MAX, u32::MAX), |bot| (moment.cycle + 1, bot, moment.within));
        let last = self.last_cycle();
        let mut passed = Vec::new();
        let (mut edge, mut width) = (moment.cycle, WIDTH.0);
        let goal = match direction {
            Direction::Forward => moment.cycle.saturating_add(cycles).min(last),
            Direction::Backward => moment.cycle.saturating_sub(cycles),
        };
        loop {
            // The next stretch: cycles after `after`, up to `until`.
            let (after, until) = match direction {
                Direction::Forward => (edge.min(last), (edge + width).min(goal.max(edge))),
                // Backwards, the first stretch includes the present cycle: bots with smaller numbers have acted in it
                // already.
                Direction::Backward => {
                    let until = if edge == moment.cycle { (edge + 1).min(last) } else { edge };
                    (self.keyframes.before(edge.saturating_sub(1)).cycle(), until)
                }
            };
            if let Some(stopped) =
                self.stop_in((after, until), from, stops, &points, direction, &mut passed)?
            {
                return Ok(Resumed { passed, stopped: Some(stopped), cycle: stopped.0.cycle, at_end: false });
            }
            edge = if direction == Direction::Forward { until } else { after };
            let (is_through, at_end) = match direction {
                Direction::Forward => (edge >= goal, edge >= last),
                Direction::Backward => (edge <= goal, edge == 0),
            };
            if is_through {
                return Ok(Resumed { passed, stopped: None, cycle: edge, at_end });
            }
            width = (2 * width).min(WIDTH.1);
        }
    }

    /// The first stop in a stretch beyond `from`; visits before it that don't stop are added to `passed`.
    fn stop_in(
        &mut self,
        (after, until): (u64, u64),
        from: Place,
        stops: &StopConditions,
        points: &[CompiledBreakpoint],
        direction: Direction,
        passed: &mut Vec<BreakpointHit>,
    ) -> Result<Option<(Moment, u32, Reason)>, AskError> {
        let is_beyond = |place: Place| match direction {
            Direction::Forward => place > from,
            Direction::Backward => place < from,
        };
        let reached = match points {
            [] => Vec::new(),
            points => self.reached_between((after, until), points, usize::MAX)?.0,
        };
        let losses = self.losses_in((after, until), stops);
        let loss = |place: &Place| is_beyond(*place);
        let loss = match direction {
            Direction::Forward => losses.into_iter().find(loss),
            Direction::Backward => losses.into_iter().rfind(loss),
        };
        let ordered: Box<dyn Iterator<Item = BreakpointHit>> = match direction {
            Direction::Forward => Box::new(reached.into_iter()),
            Direction::Backward => Box::new(reached.into_iter().rev()),
        };
        for reached in ordered {
            let mut place = (reached.cycle, reached.bot, 0);
            let moment = if (place.0, place.1) == (from.0, from.1) {
                let moment = self.moment_at(&reached)?;
                place.2 = moment.within;
                Some(moment)
            } else {
                None
            };
            let is_lost_first = loss.is_some_and(|loss| match direction {
                Direction::Forward => loss < place,
                Direction::Backward => loss > place,
            });
            if is_lost_first {
                break;
            }
            if !is_beyond(place) {
                continue;
            }
            let at = reached.breakpoint;
            if stops.breakpoints[at].stops {
                let moment = moment.map_or_else(|| self.moment_at(&reached), Ok)?;
                return Ok(Some((moment, reached.bot, Reason::Breakpoint(at))));
            }
            passed.push(reached);
        }
        Ok(loss.map(|(cycle, bot, _)| (Moment::end_of(cycle.saturating_sub(1)), bot, Reason::Lost)))
    }

    /// Losses of bots that stop, in order.
    fn losses_in(&self, (after, until): (u64, u64), stops: &StopConditions) -> Vec<Place> {
        let is_meant = |entry: &LogEntry| match entry.event {
            LogEvent::Ended(_) => stops.ends,
            LogEvent::Removed(_) => stops.removals,
            _ => false,
        };
        let begin = self.fates.partition_point(|entry| entry.cycle <= after);
        let entries = self.fates[begin..].iter().take_while(|entry| entry.cycle <= until);
        let mut losses: Vec<Place> =
            entries.filter(|entry| is_meant(entry)).map(|entry| (entry.cycle, entry.pid.0, 0)).collect();
        losses.sort_unstable();
        losses
    }

    /// Compiles a print.
    pub(super) fn printed_point(&self, prints: &Logpoint) -> Result<CompiledBreakpoint, LogpointError> {
        let expression = self.expression(&prints.expression)?;
        let operations = self.operations(&Operations::Line(prints.line.clone()));
        if operations.iter().all(Option::is_none) {
            return Err(self.no_line(prints));
        }
        Ok(CompiledBreakpoint { operations, bot: prints.bot, condition: None, values: vec![expression] })
    }

    pub(super) fn print_line(
        &mut self,
        prints: &Logpoint,
        most: usize,
    ) -> Result<(Vec<LogpointHit>, u64), LogpointError> {
        let point = self.printed_point(prints)?;
        let end = self.last_cycle();
        let Ok((reached, count)) = self.reached_between((0, end), &[point], most) else {
            return Ok((Vec::new(), 0));
        };
        let printed = reached.into_iter().filter_map(|reached| {
            let BreakpointHit { cycle, bot, mut values, .. } = reached;
            Some(LogpointHit { cycle, bot, side: self.side_of(bot), value: values.pop()? })
        });
        Ok((printed.collect(), count))
    }

    /// Error for a line without code.
    fn no_line(&self, prints: &Logpoint) -> LogpointError {
        let programs = [0, 1].into_iter().filter_map(|side| self.program_of(side));
        let (mut names, mut near) = (Vec::new(), None::<u32>);
        for program in programs {
            for (index, file) in program.sources().files().iter().enumerate() {
                if file.name == prints.line.file || file.name.ends_with(&format!("/{}", prints.line.file)) {
                    let lines = program.lines().into_iter().filter(|(of, _)| *of as usize == index);
                    let after = lines.map(|(_, line)| line).filter(|line| *line > prints.line.line).min();
                    near = near.or(after).or(Some(0));
                } else if !names.contains(&file.name) {
                    names.push(file.name.clone());
                }
            }
        }
        let (file, line) = (prints.line.file.clone(), prints.line.line);
        match near {
            Some(0) => LogpointError::Line { file, line, hint: String::new() },
            Some(next) => LogpointError::Line { file, line, hint: format!("; the next one is line {next}") },
            None => LogpointError::File { file, files: names.join(", ") },
        }
    }
}
