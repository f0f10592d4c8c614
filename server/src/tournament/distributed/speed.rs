//! Measurements of a worker's machine: speed, memory, and the load by other programs.

use std::time::{Duration, Instant};

use grandstand_players::sandbox::Isolation;
use grandstand_protocol::Game;
use serde_json::Map;

use super::super::playing::set_up::{SetUp, describe};
use crate::cli::play::description::Programs;

/// Time for which the speed is measured, and least number of measurements.
const PERIOD: Duration = Duration::from_millis(150);
const LEAST: u32 = 2;
/// The game by which it is measured: its player, and so many moves of it.
const PLAYER: &str = "search:nodes=500";
const NODES: u32 = 500;
const MOVES: u32 = 16;
/// Time for which the load is measured.
#[cfg(target_os = "linux")]
const LOOK: Duration = Duration::from_millis(200);

/// Speed of one core, in thousands of nodes a second of the built-in player in a fixed game of Gomoku: the best of some
/// measurements. `None` if it can't be measured.
pub(super) fn measured() -> Option<u32> {
    let began = Instant::now();
    let (mut best, mut count) = (None::<Duration>, 0);
    while count < LEAST || began.elapsed() < PERIOD {
        let took = played()?;
        best = Some(best.map_or(took, |best| best.min(took)));
        count += 1;
    }
    let kilonodes = f64::from(NODES * MOVES) / 1000.0;
    Some(((kilonodes / best?.as_secs_f64().max(1e-6)) as u32).max(1))
}

/// The time that the game takes.
fn played() -> Option<Duration> {
    let of = SetUp {
        game: Game::Gomoku,
        players: [PLAYER, PLAYER],
        settings: Map::new(),
        speed: None,
        limits: &[],
        sandbox: Isolation::On,
        readable: &[],
        programs: &Programs::new(),
    };
    let mut running = describe(of, None).ok()?.variation(1, false).start().ok()?;
    let began = Instant::now();
    for _ in 0..MOVES {
        running.advance();
    }
    let took = began.elapsed();
    running.ending().is_none().then_some(took)
}

/// The machine's memory in MiB.
pub(super) fn memory_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib / 1024)
}

/// The load by others besides `playing` of `jobs` games, in percent of all cores; it takes a moment.
#[cfg(target_os = "linux")]
pub(super) fn load(playing: impl Fn() -> usize, jobs: usize) -> Option<u8> {
    let before = ticks(&std::fs::read_to_string("/proc/stat").ok()?)?;
    let mut most = playing();
    std::thread::sleep(LOOK);
    most = most.max(playing());
    let after = ticks(&std::fs::read_to_string("/proc/stat").ok()?)?;
    let (busy, all) = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
    let used = busy.saturating_mul(100).checked_div(all)?;
    let own = (most.min(jobs) * 100 / jobs.max(1)) as u64;
    u8::try_from(used.saturating_sub(own)).ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn load(_playing: impl Fn() -> usize, _jobs: usize) -> Option<u8> {
    None
}

/// Ticks of all cores since the start that were used, and all ticks, in the text of `/proc/stat`.
#[cfg(target_os = "linux")]
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let ticks: Vec<u64> = stat
        .lines()
        .next()?
        .strip_prefix("cpu ")?
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are parts of user and nice.
    let all: u64 = ticks.iter().take(8).sum();
    let idle: u64 = ticks.iter().skip(3).take(2).sum();
    (ticks.len() >= 5).then(|| (all.saturating_sub(idle), all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_of_this_machine_is_known() {
        assert!(measured().is_some_and(|speed| speed > 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn used_ticks_are_told_from_idle_ones() {
        assert_eq!(ticks("cpu  10 20 30 400 40 5 6 7 8 9\ncpu0 1\n"), Some((78, 518)));
        assert_eq!(ticks("intr 1\n"), None);
        assert_eq!(load(|| 1, 1), Some(0), "all of it may be its own");
    }
}
