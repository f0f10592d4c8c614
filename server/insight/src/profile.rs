//! Profile of a match: the reductions of every bot, by its calls.
//!
//! Every operation is visited, so nothing is estimated: a reduction belongs to the operation that began last. An operation stands for its line, and the calls
//! around it for the lines where they were made.

use std::collections::{BTreeMap, HashMap};

use grandstand_languages::view::Visit;
use grandstand_languages::{Machine, Operations, Pid, Program, TeamId, Watcher};
use serde_json::{Value, json};

use crate::insight::Insight;
use crate::scan::LONGEST;

/// Maximum number of calls in a stack; the innermost ones are kept.
const CALLS: usize = 100;

/// Reductions of a match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Lines of functions that occur in stacks.
    pub frames: Vec<Frame>,
    /// Bots with reductions, by number.
    pub bots: Vec<BotProfile>,
}

/// A line of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The side whose program it is in, as an index.
    pub side: usize,
    /// The name of the function, if it has one.
    pub function: Option<String>,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The reductions of a bot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BotProfile {
    /// Its number.
    pub bot: u32,
    /// Its side, as an index.
    pub side: usize,
    /// Stacks, the outermost call first, as indices of frames, each with its reductions; in the order of their first reduction.
    pub stacks: Vec<(Vec<u32>, u64)>,
}

impl Profile {
    /// The profile of a match, as far as it has been played.
    pub fn new(insight: &mut Insight) -> Self {
        let teams = insight.operations(&Operations::All);
        let mut programs = vec![None; teams.len()];
        for side in [0, 1] {
            if let (Some(team), Some(program)) = (insight.team(side), insight.program(side)) {
                let lines = program.lines();
                let known = vec![None; lines.len()];
                programs[team.0 as usize] = Some(Lines { side, program: program.clone(), lines, known });
            }
        }
        let mut counts = Counts { teams, programs, ..Counts::default() };
        let (mut edge, last) = (0, insight.last_cycle());
        while edge < last {
            let until = (edge + LONGEST).min(last);
            // No error is expected: a cycle that has been played can be replayed.
            if insight.replay(edge, until, Some(&mut counts)).is_err() {
                break;
            }
            edge = until;
        }
        let bots = counts.bots.into_values().map(|mut open| {
            open.profile.stacks.retain(|(_, count)| *count > 0);
            open.profile
        });
        Self { bots: bots.filter(|bot| !bot.stacks.is_empty()).collect(), frames: counts.frames }
    }

    /// The profile in speedscope's file format, with one thread for each bot, named by `name`.
    pub fn speedscope(&self, title: &str, name: impl Fn(&BotProfile) -> String) -> Value {
        let frames = self.frames.iter().map(|frame| {
            let function = frame.function.as_deref().unwrap_or("(no name)");
            let (file, line) = (&frame.file, frame.line);
            json!({ "name": format!("{function} {file}:{line}"), "file": file, "line": line })
        });
        let profiles = self.bots.iter().map(|bot| {
            let (samples, weights): (Vec<&Vec<u32>>, Vec<u64>) =
                bot.stacks.iter().map(|(stack, count)| (stack, *count)).unzip();
            json!({
                "type": "sampled",
                "name": name(bot),
                "unit": "none",
                "startValue": 0,
                "endValue": weights.iter().sum::<u64>(),
                "samples": samples,
                "weights": weights,
            })
        });
        json!({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "name": title,
            "exporter": concat!("grandstand ", env!("CARGO_PKG_VERSION")),
            "activeProfileIndex": 0,
            "shared": { "frames": frames.collect::<Vec<_>>() },
            "profiles": profiles.collect::<Vec<_>>(),
        })
    }
}

/// A program, and the frames of its operations.
#[derive(Debug, Clone)]
struct Lines {
    side: usize,
    program: Program,
    /// The file and the line of each operation.
    lines: Vec<(u32, u32)>,
    /// The frame of each operation, once it has been made.
    known: Vec<Option<u32>>,
}

/// A bot, and the stack of its latest operation.
#[derive(Debug, Default)]
struct Open {
    profile: BotProfile,
    by_frames: HashMap<Vec<u32>, usize>,
    current: usize,
    steps: u64,
}

/// Watcher that counts the reductions of every bot between its operations.
#[derive(Debug, Default)]
struct Counts {
    teams: Vec<Option<Vec<bool>>>,
    programs: Vec<Option<Lines>>,
    frames: Vec<Frame>,
    by_frame: HashMap<Frame, u32>,
    bots: BTreeMap<u32, Open>,
}

impl Counts {
    /// The frame of an operation.
    fn frame(&mut self, team: usize, operation: u32) -> Option<u32> {
        let own = self.programs.get_mut(team)?.as_mut()?;
        let known = own.known.get_mut(operation as usize)?;
        if known.is_none() {
            let (file, line) = own.lines[operation as usize];
            let file = own.program.sources().files().get(file as usize)?.name.clone();
            let function = own.program.function_of(operation).map(str::to_owned);
            let frame = Frame { side: own.side, function, file, line };
            let next = self.frames.len() as u32;
            let index = *self.by_frame.entry(frame.clone()).or_insert(next);
            if index == next {
                self.frames.push(frame);
            }
            *known = Some(index);
        }
        *known
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
        let team = team.0 as usize;
        let operations = machine.stack(visit.pid, CALLS).unwrap_or_default();
        let stack: Vec<u32> =
            operations.into_iter().rev().filter_map(|operation| self.frame(team, operation)).collect();
        let side = self.programs.get(team).and_then(Option::as_ref).map_or(0, |own| own.side);
        let open = self.bots.entry(visit.pid.0).or_default();
        (open.profile.bot, open.profile.side) = (visit.pid.0, side);
        let made = steps.saturating_sub(open.steps);
        open.steps = steps;
        if let Some((_, count)) = open.profile.stacks.get_mut(open.current) {
            *count += made;
        }
        open.current = match open.by_frames.get(&stack) {
            Some(index) => *index,
            None => {
                let index = open.profile.stacks.len();
                open.by_frames.insert(stack.clone(), index);
                open.profile.stacks.push((stack, 0));
                index
            }
        };
    }
}
