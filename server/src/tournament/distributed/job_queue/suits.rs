//! Selection of workers for a game: by the needs of its players, and, for games with clocks, by speed and load.

use std::collections::BTreeSet;

use super::super::messages::Hello;
use super::{JobQueue, Seat, Task};

/// Requirements of a worker for games with clocks.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct ClockedGameRequirements {
    /// Least speed, in percent of that of the fastest worker.
    pub(in super::super) min_speed: u32,
    /// Most that other programs may use of the cores, in percent.
    pub(in super::super) max_load: u32,
}

impl Default for ClockedGameRequirements {
    fn default() -> Self {
        Self { min_speed: 75, max_load: 25 }
    }
}

/// Known properties of a worker's machine.
#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    labels: BTreeSet<String>,
    /// Memory for one of its games.
    memory_mib: Option<u64>,
    pub(super) speed: Option<u32>,
    cores: u32,
    /// Load by other programs when it asked last, in percent.
    pub(super) load: Option<u8>,
    /// Why it was said that it gets no games with clocks.
    told: Option<Unsuited>,
}

/// Why a worker gets no games with clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unsuited {
    Crowded,
    Slow,
    Busy,
}

impl Machine {
    pub(super) fn of(hello: &Hello) -> Self {
        let labels = hello.labels.iter().chain([&hello.arch]).cloned().collect();
        let memory_mib = hello.memory_mib.map(|mib| mib / u64::from(hello.jobs.max(1)));
        Self { labels, memory_mib, speed: hello.speed, cores: hello.cores, load: None, told: None }
    }

    /// Its missing capabilities for a game, in words.
    pub(super) fn lacks(&self, task: &Task) -> Option<String> {
        task.needs.lacking(&self.labels, self.memory_mib)
    }
}

impl JobQueue {
    /// Why a worker gets no games with clocks now, in words; `None` if it gets them.
    fn unsuited(&self, seat: &Seat) -> Option<(Unsuited, String)> {
        let machine = &seat.of;
        if seat.jobs > machine.cores {
            let why = format!("it plays {} games at a time on {} cores", seat.jobs, machine.cores);
            return Some((Unsuited::Crowded, why));
        }
        let fastest = self.seats.values().filter_map(|seat| Some((seat.of.speed?, &seat.name))).max();
        if let (Some(speed), Some((fastest, name))) = (machine.speed, fastest) {
            let percent = u64::from(speed) * 100 / u64::from(fastest.max(1));
            if percent < u64::from(self.fairness.min_speed) {
                let why = format!(
                    "it has {percent} % of the speed of {name}, less than {} % (--min-speed)",
                    self.fairness.min_speed
                );
                return Some((Unsuited::Slow, why));
            }
        }
        let load = machine.load.filter(|load| u32::from(*load) > self.fairness.max_load)?;
        let why = format!(
            "other programs use {load} % of its cores, more than {} % (--max-load)",
            self.fairness.max_load
        );
        Some((Unsuited::Busy, why))
    }

    /// Whether a worker gets games with clocks now.
    pub(super) fn is_suited(&self, seat: &Seat) -> bool {
        self.unsuited(seat).is_none()
    }

    /// Tells when a worker gets no games with clocks any more, and when it gets them again.
    pub(super) fn tell_suited(&mut self, session: &super::Session) {
        let Some(seat) = self.seats.get(session) else { return };
        if !self.queue.iter().any(|task| task.job.clocks) {
            return;
        }
        let found = self.unsuited(seat);
        let (before, now) = (seat.of.told, found.as_ref().map(|(kind, _)| *kind));
        let name = seat.name.clone();
        if before == now {
            return;
        }
        self.news(match found {
            Some((_, why)) => format!("worker {name} gets no games with clocks: {why}"),
            None => format!("worker {name} gets games with clocks again"),
        });
        if let Some(seat) = self.seats.get_mut(session) {
            seat.of.told = now;
        }
    }

    /// Tells of games that wait, since no worker has what their players need: once for each need, until a worker comes.
    pub(super) fn tell_lacking(&mut self) {
        if self.seats.is_empty() {
            return;
        }
        let mut news = Vec::new();
        for task in &self.queue {
            if self.lacking.contains(&task.needs) {
                continue;
            }
            let lacks: Option<Vec<_>> =
                self.seats.values().map(|seat| Some((&seat.name, seat.of.lacks(task)?))).collect();
            let Some(lacks) = lacks else { continue };
            self.lacking.insert(task.needs.clone());
            let number = task.of.game.number;
            let lacks: Vec<String> =
                lacks.iter().take(5).map(|(name, what)| format!("{name} lacks {what}")).collect();
            news.push(format!(
                "game {number} waits, since no worker has what its players need: {}",
                lacks.join("; ")
            ));
        }
        news.into_iter().for_each(|text| self.news(text));
    }
}
