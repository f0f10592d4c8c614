//! Differences between two matches of one game: line by line, and board by board.
//!
//! Two logs are compared in parallel, step by step. The [`Lock`] decides what a step is: one command of each, one turn of each,
//! or the commands of each at one time. A step differs in its lines if these are not the same bytes; it differs in its boards if
//! the boards after it are not the same. Talk, clocks, thoughts, markers and overlays are not part of a board.

use std::ops::RangeInclusive;

use grandstand_protocol::{Micros, Scene};

use crate::log::{Growth, Log};

grandstand_protocol::words! {
    /// The criterion by which moments of two matches correspond.
    #[derive(Default)]
    Lock {
        /// Moments after the same number of commands.
        #[default]
        Command = "command",
        /// Moments in the same turn, after the same number of commands of it.
        Turn = "turn",
        /// Moments at the same time.
        Time = "time",
    }
}

/// The kind of a difference between two matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The lines differ.
    Lines,
    /// The boards differ.
    Boards,
}

/// The first step of a run of consecutive steps that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The last command of each log before the step.
    pub before: [u64; 2],
    /// The last command of each log in the step. One of the logs may have no command in it.
    pub after: [u64; 2],
}

impl Difference {
    /// The commands of one log in the step; empty if it has none.
    pub fn commands(&self, side: usize) -> RangeInclusive<u64> {
        self.before[side] + 1..=self.after[side]
    }

    /// The first pair of different lines in the step; `None` for a log that has no such line.
    pub fn lines(&self, logs: [&Log; 2]) -> [Option<u64>; 2] {
        let [mut left, mut right] = [self.commands(0), self.commands(1)];
        loop {
            let pair = [left.next(), right.next()];
            match pair {
                [Some(a), Some(b)] if logs[0].line(a) == logs[1].line(b) => {}
                pair => return pair,
            }
        }
    }
}

/// Finds the differences of two logs incrementally.
///
/// ```
/// use grandstand_replays::diff::{Diff, Kind, Lock};
/// use grandstand_replays::{Limits, Replay};
///
/// let open = |lines: &str| Replay::open(format!("{{\"grandstand\":1,\"game\":\"abalone\"}}\n{lines}").as_bytes(), Limits::default());
/// let a = open("[0,\"c\",\"turns 1\"]\n[0,\"c\",\"bsay Hi\"]\n[0,\"c\",\"set A0 b1\"]\n")?;
/// let b = open("[0,\"c\",\"turns 1\"]\n[0,\"c\",\"bsay Ho\"]\n[0,\"c\",\"set A0 w1\"]\n")?;
/// let mut diff = Diff::new(Lock::Command);
/// while diff.read([a.log(), b.log()], 100) {}
/// assert_eq!(diff.first(Kind::Lines).map(|found| found.after), Some([2, 2]));
/// assert_eq!(diff.first(Kind::Boards).map(|found| found.after), Some([3, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Diff {
    lock: Lock,
    /// The last command of each log that was read.
    at: [u64; 2],
    /// The boards after these commands; a single scene as long as all lines were the same.
    scenes: Option<Scenes>,
    found: [Vec<Difference>; 2],
    /// Whether the last step differed in its lines and in its boards.
    differs: [bool; 2],
}

#[derive(Debug, Clone)]
struct Scenes {
    left: Scene,
    right: Option<Scene>,
}

impl Diff {
    /// A comparison that has read nothing.
    pub fn new(lock: Lock) -> Diff {
        Diff { lock, at: [0; 2], scenes: None, found: [Vec::new(), Vec::new()], differs: [false; 2] }
    }

    /// The criterion of the steps.
    pub fn lock(&self) -> Lock {
        self.lock
    }

    /// Reads at most `steps` steps of two logs of one game. The logs must be the same ones at each call, and may have grown.
    /// Returns `true` if more can be read now; logs of different games are never read.
    pub fn read(&mut self, logs: [&Log; 2], steps: usize) -> bool {
        if logs[0].game() != logs[1].game() {
            return false;
        }
        for _ in 0..steps {
            let Some(after) = self.step(logs) else { return false };
            self.take(logs, Difference { before: self.at, after });
        }
        self.step(logs).is_some()
    }

    /// The part of both logs that was read, from 0 to 1.
    pub fn progress(&self, logs: [&Log; 2]) -> f32 {
        let all = logs[0].last_seq() + logs[1].last_seq();
        if all == 0 { 1.0 } else { (self.at[0] + self.at[1]) as f32 / all as f32 }
    }

    /// The first difference in the part that was read.
    pub fn first(&self, kind: Kind) -> Option<Difference> {
        self.found[kind as usize].first().copied()
    }

    /// The first difference after the scenes that are shown, given by their last commands.
    pub fn next(&self, kind: Kind, shown: [u64; 2]) -> Option<Difference> {
        let found = &self.found[kind as usize];
        let index = found.partition_point(|one| one.after[0] <= shown[0] && one.after[1] <= shown[1]);
        found.get(index).copied()
    }

    /// The last difference before the scenes that are shown, given by their last commands.
    pub fn previous(&self, kind: Kind, shown: [u64; 2]) -> Option<Difference> {
        let found = &self.found[kind as usize];
        let index = found.partition_point(|one| one.after[0] < shown[0] || one.after[1] < shown[1]);
        found[..index].last().copied()
    }

    /// The number of differences (runs of differing steps) in the part that was read.
    pub fn count(&self, kind: Kind) -> usize {
        self.found[kind as usize].len()
    }

    /// The last commands of the next step; `None` if there is no next step, or it is incomplete.
    fn step(&self, logs: [&Log; 2]) -> Option<[u64; 2]> {
        let [a, b] = self.at;
        let ends = [0, 1].map(|side| end(logs[side], self.at[side]));
        if ends == [End::Waits, End::Waits] || ends == [End::Over, End::Over] {
            return None;
        }
        let after = match self.lock {
            Lock::Command => [a + 1, b + 1],
            Lock::Turn => {
                let turns = [0, 1].map(|side| turn_after(logs[side], self.at[side]));
                [turns[0]?, turns[1]?]
            }
            Lock::Time => {
                let times = [0, 1].map(|side| match ends[side] {
                    End::Goes => Some(logs[side].time_of(self.at[side] + 1)),
                    _ => None,
                });
                let t = times.into_iter().flatten().min()?;
                // Missing commands may still arrive with this time.
                if ends.contains(&End::Waits)
                    && logs.iter().any(|log| log.growth() != Growth::Complete && log.duration() < t)
                {
                    return None;
                }
                [0, 1].map(|side| logs[side].seq_at(t).max(self.at[side]))
            }
        };
        let after = [0, 1].map(|side| if ends[side] == End::Over { self.at[side] } else { after[side] });
        let whole = |side: usize| ends[side] != End::Waits || self.lock == Lock::Time;
        (whole(0) && whole(1) && after != self.at).then_some(after)
    }

    fn take(&mut self, logs: [&Log; 2], step: Difference) {
        let lines = step.lines(logs) != [None; 2];
        let scenes =
            self.scenes.get_or_insert_with(|| Scenes { left: Scene::new(logs[0].game()), right: None });
        if lines && scenes.right.is_none() {
            scenes.right = Some(scenes.left.clone());
        }
        let mut drawn = draw(&mut scenes.left, logs[0], step.commands(0));
        if let Some(right) = &mut scenes.right {
            drawn |= draw(right, logs[1], step.commands(1));
        }
        let boards = match (&scenes.right, drawn) {
            (None, _) => false,
            (Some(_), false) => self.differs[1],
            (Some(right), true) => *right != scenes.left,
        };
        for (kind, differs) in [lines, boards].into_iter().enumerate() {
            if differs && !self.differs[kind] {
                self.found[kind].push(step);
            }
            self.differs[kind] = differs;
        }
        self.at = step.after;
    }
}

/// The availability of the command after a given one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Goes,
    /// The command is missing, or has not arrived yet.
    Waits,
    /// There is no further command.
    Over,
}

fn end(log: &Log, seq: u64) -> End {
    if log.line(seq + 1).is_some() {
        End::Goes
    } else if log.growth() == Growth::Complete && seq >= log.last_seq() {
        End::Over
    } else {
        End::Waits
    }
}

/// The last command of the turn after command `seq`; after the last turn, the end of the log. `None` while more commands of
/// that turn may arrive.
fn turn_after(log: &Log, seq: u64) -> Option<u64> {
    let end = || log.known(log.last_seq()).max(seq);
    log.next_turn(seq).or_else(|| (log.growth() == Growth::Complete).then(end))
}

/// Applies commands to a board. Returns whether any of them draws. Sequence numbers and times are not part of a board.
fn draw(scene: &mut Scene, log: &Log, commands: RangeInclusive<u64>) -> bool {
    let mut drawn = false;
    for command in commands.filter_map(|seq| log.command(seq)) {
        if !command.is_aside() {
            scene.apply(0, Micros(0), &command);
            drawn = true;
        }
    }
    drawn
}

/// The ends of the turns of a log, computed on demand.
#[derive(Debug, Clone, Default)]
struct Turns(Vec<u64>);

impl Turns {
    /// Continues the search until a turn ends at or after command `seq`, or `count` turns are known. Each turn is taken from the
    /// budget `left`; returns `false` when the budget is used up first.
    fn look(&mut self, log: &Log, seq: u64, count: usize, left: &mut usize) -> bool {
        while self.0.last().is_none_or(|last| *last < seq) && self.0.len() < count {
            let Some(end) = log.next_turn(self.0.last().copied().unwrap_or(0)) else { return true };
            let Some(rest) = left.checked_sub(1) else { return false };
            *left = rest;
            self.0.push(end);
        }
        true
    }
}

/// The correspondence between moments of two logs.
#[derive(Debug, Clone, Default)]
pub struct Pairing {
    turns: [Turns; 2],
}

impl Pairing {
    /// The command of the other log that corresponds to command `seq`, shown at time `t`, of the log with index `side`.
    /// `None` if more than `most` turns would have to be searched. The turns that were found are remembered, so a repeated
    /// call continues from there.
    pub fn other(
        &mut self,
        lock: Lock,
        logs: [&Log; 2],
        side: usize,
        (seq, t): (u64, Micros),
        most: usize,
    ) -> Option<u64> {
        let other = logs[1 - side];
        let known = |seq: u64| other.known(seq.min(other.last_seq()));
        Some(match lock {
            Lock::Command => known(seq),
            Lock::Time => known(other.seq_at(t)),
            Lock::Turn => {
                let mut left = most;
                if !self.turns[side].look(logs[side], seq, usize::MAX, &mut left) {
                    return None;
                }
                let own = &self.turns[side].0;
                let turn = own.partition_point(|end| *end <= seq);
                let begin = turn.checked_sub(1).map_or(0, |index| own[index]);
                if !self.turns[1 - side].look(other, u64::MAX, turn + 1, &mut left) {
                    return None;
                }
                let ends = &self.turns[1 - side].0;
                let begins = match turn.checked_sub(1) {
                    None => 0,
                    // The other log has fewer turns: its end.
                    Some(index) => *ends.get(index).unwrap_or(&other.last_seq()),
                };
                let within = begins.saturating_add(seq - begin);
                known(within.min(*ends.get(turn).unwrap_or(&other.last_seq())))
            }
        })
    }
}
