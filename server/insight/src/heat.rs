//! Heat of a match: its reductions by line, bot and turn.

use std::collections::BTreeMap;

use grandstand_languages::view::Visit;
use grandstand_languages::{Machine, Operations, Pid, TeamId, Watcher};
use grandstand_protocol::insight::HotLine;

use crate::insight::Insight;
use crate::scan::LONGEST;

/// Number of columns at most.
const COLUMNS: u64 = 100;

/// A line of a side's program: the side, the index of the file, the line.
type Place = (usize, u32, u32);

/// Reductions of a match by line, bot and turn, as far as it has been counted.
#[derive(Debug)]
pub struct Heat {
    counts: Counts,
    edge: u64,
    /// Turns in one column.
    pub turns: u64,
}

impl Heat {
    /// An empty count for a match that has been played.
    pub fn new(insight: &Insight) -> Self {
        let teams = insight.operations(&Operations::All);
        let mut lines = vec![(0, Vec::new()); teams.len()];
        for side in [0, 1] {
            if let (Some(team), Some(program)) = (insight.team(side), insight.program(side)) {
                lines[team.0 as usize] = (side, program.lines());
            }
        }
        let all = insight.turn_of(insight.cycle()).max(1);
        let turns = all.div_ceil(COLUMNS);
        let column = turns * insight.tempo().ticks.max(1);
        Self {
            counts: Counts { teams, lines, column, open: BTreeMap::new(), sums: BTreeMap::new() },
            edge: 0,
            turns,
        }
    }

    /// Counted share of the match, from 0 to 1.
    pub fn progress(&self, insight: &Insight) -> f32 {
        self.edge as f32 / insight.last_cycle().max(1) as f32
    }

    /// Counts the next stretch; returns whether there is more.
    pub fn go_on(&mut self, insight: &mut Insight) -> bool {
        let last = insight.last_cycle();
        let until = (self.edge + LONGEST).min(last);
        // No error is expected: a cycle that has been played can be replayed.
        let played = insight.replay(self.edge, until, Some(&mut self.counts)).is_ok();
        self.edge = until;
        let is_over = !played || until >= last;
        if is_over {
            self.counts.close();
        }
        !is_over
    }

    /// Lines with reductions, the hottest first.
    pub fn lines(&self, insight: &Insight) -> Vec<HotLine> {
        let mut lines: Vec<HotLine> = self
            .counts
            .sums
            .iter()
            .filter_map(|((side, file, line), by)| {
                let files = insight.program(*side)?.sources().files();
                let file = files.get(*file as usize)?.name.clone();
                Some(HotLine { side: *side, file, line: *line, reductions: by.values().sum() })
            })
            .collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.reductions));
        lines
    }

    /// Reductions of each bot in each column of turns, for all lines or for one: side, file and line.
    pub fn bots(&self, insight: &Insight, of: Option<(usize, &str, u32)>) -> Vec<(u32, Vec<u64>)> {
        let is_meant = |(side, file, line): &Place| match of {
            None => true,
            Some((of, name, number)) => {
                let files = insight.program(*side).map(|program| program.sources().files());
                let own = files.and_then(|files| files.get(*file as usize));
                *side == of && *line == number && own.is_some_and(|file| file.name == name)
            }
        };
        let columns = insight.turn_of(insight.last_cycle()).max(1).div_ceil(self.turns) as usize;
        let mut bots: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (_, by) in self.counts.sums.iter().filter(|(place, _)| is_meant(place)) {
            for ((bot, column), sum) in by {
                let row = bots.entry(*bot).or_insert_with(|| vec![0; columns]);
                if let Some(cell) = row.get_mut(*column as usize) {
                    *cell += sum;
                }
            }
        }
        bots.into_iter().collect()
    }
}

/// A bot's current operation, and the reductions counted on its line so far.
#[derive(Debug, Clone, Copy)]
struct Open {
    place: Place,
    column: u32,
    steps: u64,
    sum: u64,
}

/// Watcher that counts the reductions of every bot between its operations.
#[derive(Debug)]
struct Counts {
    teams: Vec<Option<Vec<bool>>>,
    /// By team: its side, and the file and line of each operation.
    lines: Vec<(usize, Vec<(u32, u32)>)>,
    /// Cycles in one column.
    column: u64,
    open: BTreeMap<u32, Open>,
    /// Reductions by line, and there by bot and column.
    sums: BTreeMap<Place, BTreeMap<(u32, u32), u64>>,
}

impl Counts {
    fn close(&mut self) {
        for (bot, open) in std::mem::take(&mut self.open) {
            self.add(bot, open);
        }
    }

    fn add(&mut self, bot: u32, open: Open) {
        if open.sum > 0 {
            *self.sums.entry(open.place).or_default().entry((bot, open.column)).or_default() += open.sum;
        }
    }
}

impl Watcher for Counts {
    fn stops(&self, team: TeamId, _: Pid) -> Option<&[bool]> {
        self.teams.get(team.0 as usize)?.as_deref()
    }

    fn reached(&mut self, machine: &Machine, visit: Visit) {
        let (Some(team), Some(steps)) = (machine.team_of(visit.pid), machine.steps(visit.pid)) else {
            return;
        };
        let Some((side, lines)) = self.lines.get(team.0 as usize) else { return };
        let (file, line) = lines[visit.operation as usize];
        let place = (*side, file, line);
        let column = (visit.cycle.saturating_sub(1) / self.column) as u32;
        let bot = visit.pid.0;
        let new = Open { place, column, steps, sum: 0 };
        let Some(open) = self.open.get_mut(&bot) else {
            self.open.insert(bot, new);
            return;
        };
        open.sum += steps.saturating_sub(open.steps);
        open.steps = steps;
        if (open.place, open.column) != (place, column) {
            let done = std::mem::replace(open, new);
            self.add(bot, done);
        }
    }
}
