//! Progress and speed of a run, and the expected number of games.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use grandstand_tournaments::{EntryKind, Format};

use super::super::definition::Definition;
use super::matches::describe;
use crate::locked::Locked as _;

/// Period over which the speed is measured.
const RECENT: Duration = Duration::from_secs(60);

/// Progress and speed of a run.
#[derive(Debug)]
pub struct Progress {
    began: Instant,
    /// Number of games that ended in this run.
    done: u64,
    /// Samples of the last minute, at most one for each tenth of a second, with the count until then.
    recent: std::collections::VecDeque<(Instant, u64)>,
}

impl Progress {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { began: now, done: 0, recent: [(now, 0)].into() }
    }

    pub(super) fn played(&mut self) {
        self.done += 1;
        let now = Instant::now();
        if self.recent.back().is_none_or(|(last, _)| now - *last > Duration::from_millis(100)) {
            self.recent.push_back((now, self.done));
        }
        while self.recent.len() > 2 && self.recent.front().is_some_and(|(first, _)| now - *first > RECENT) {
            self.recent.pop_front();
        }
    }

    /// Number of games played in this run.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Games a second over the last minute; `None` before the first has ended.
    pub fn per_second(&self) -> Option<f64> {
        let (since, before) = self.recent.front()?;
        let (games, secs) = (self.done - before, since.elapsed().as_secs_f64());
        (games > 0 && secs > 0.0).then(|| games as f64 / secs)
    }

    /// Estimated time for `games` more at this speed.
    pub fn left(&self, games: u64) -> Option<Duration> {
        let secs = games as f64 / self.per_second()?;
        Duration::try_from_secs_f64(secs).ok()
    }

    /// Time since the start of the run.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// Number of games of a tournament, and whether it is exact rather than a maximum.
pub fn expected_games(definition: &Definition) -> (u64, bool) {
    let kind = |kind| definition.players.iter().filter(|player| player.kind == kind).count() as u64;
    let (entered, staff, house) = (kind(EntryKind::Entered), kind(EntryKind::Staff), kind(EntryKind::House));
    let (mut field, mut all, mut exact) = (entered + staff, 0, true);
    for stage in &definition.stages {
        let (plan, games) = (&stage.plan, u64::from(stage.plan.games));
        if plan.is_elimination() {
            field = field.min(entered);
        }
        all += match plan.format {
            Format::RoundRobin { cycles } => {
                let field = if field % 2 == 1 && house > 0 { field + 1 } else { field };
                field * field.saturating_sub(1) / 2 * u64::from(cycles) * games
            }
            Format::Gauntlet { challengers, cycles } => {
                let challengers = u64::from(challengers);
                challengers * field.saturating_sub(challengers) * u64::from(cycles) * games
            }
            Format::Swiss { rounds } => {
                let pairs = if house > 0 { field.div_ceil(2) } else { field / 2 };
                pairs * u64::from(rounds) * games
            }
            Format::Elimination { best_of, double, third_place } => {
                exact = false;
                // In double elimination each but the winner loses twice, and the winner once at most.
                let encounters = match (double, field) {
                    (_, 0 | 1) => 0,
                    (true, _) => 2 * field - 1,
                    (false, _) => field - 1 + u64::from(third_place && field > 3),
                };
                // One more part where all of them left it level.
                encounters * (u64::from(best_of) + 1) * games
            }
            Format::Sprt(plan) => {
                exact = false;
                u64::from(plan.max_games)
            }
        };
        if let Some(advance) = plan.advance {
            field = field.min(entered).min(u64::from(advance));
        }
    }
    (all, exact && definition.faults.is_none())
}

/// Result of trial games.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Number of games played to their ends.
    pub games: u32,
    /// Number of games that were unfinished at the end of the time.
    pub unfinished: u32,
    /// Games a second of all jobs together; a maximum if some were unfinished.
    pub per_second: f64,
}

/// Plays trial games for about `patience`, each player against the next one, `jobs` at a time. Their results are
/// discarded.
pub fn measure(definition: &Definition, jobs: usize, patience: Duration) -> Measured {
    let count = definition.players.len();
    let next = Mutex::new(0_usize);
    let began = Instant::now();
    let counts = Mutex::new((0_u32, 0_u32));
    let work = || {
        loop {
            let number = {
                let mut next = next.locked();
                *next += 1;
                *next - 1
            };
            if began.elapsed() >= patience || number >= 20 * count.max(2) {
                return;
            }
            // In each cycle the players meet different opponents.
            let (a, step) =
                (number % count.max(1), 1 + number / count.max(1) % count.saturating_sub(1).max(1));
            let players =
                [a, (a + step) % count.max(1)].map(|player| definition.players[player].play.as_str());
            let first = |length: usize| (length > 0).then_some(0);
            let stage = &definition.stages[0];
            let board = (0, first(stage.maps.len()), first(stage.openings.len()));
            let finished = describe(definition, players, board).ok().and_then(|spec| {
                let mut running = spec.variation(number as u64, number % 2 == 1).start().ok()?;
                while running.ending().is_none() && began.elapsed() < patience {
                    running.advance();
                    running.drain_commands();
                    running.drain_log_lines();
                }
                Some(running.ending().is_some())
            });
            let mut counts = counts.locked();
            match finished {
                Some(true) => counts.0 += 1,
                Some(false) => counts.1 += 1,
                None => {}
            }
        }
    };
    if count >= 2 {
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(work);
            }
        });
    }
    let (games, unfinished) = *counts.locked();
    let ended = f64::from(games + unfinished);
    Measured { games, unfinished, per_second: ended / began.elapsed().as_secs_f64().max(1e-3) }
}

#[cfg(test)]
mod tests {
    use grandstand_tournaments::{GameResult, TournamentState};

    use super::super::super::definition::parse;
    use super::*;

    /// Number of games of a tournament of `players` whose games end so.
    fn played(players: usize, stage: &str, winner: impl Fn(u64) -> Option<u8>) -> (u64, u64) {
        let names: Vec<String> =
            (0..players).map(|n| format!("[[player]]\nname = \"p{n}\"\nplay = \"random\"\n")).collect();
        let file = format!("game = \"gomoku\"\nseed = 1\n{}[[stage]]\n{stage}\n", names.concat());
        let definition = parse("cup.toml", &file).unwrap();
        let mut state = TournamentState::new(definition.plan(1)).unwrap();
        while let Some(game) = state.next_game() {
            let result = GameResult::Played { winner: winner(game.number), digest: Some(game.number) };
            state.record(game.number, result).unwrap();
        }
        (state.counted(), expected_games(&definition).0)
    }

    #[test]
    fn an_elimination_has_no_more_games_than_expected() {
        for players in [2, 3, 4, 5, 8, 11] {
            for stage in [
                "format = \"single-elimination\"\nbest_of = 3",
                "format = \"single-elimination\"\nthird_place = true",
                "format = \"double-elimination\"\nbest_of = 1",
            ] {
                for lot in 0..20 {
                    let (games, expected) = played(players, stage, |number| {
                        let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ lot << 40) >> 61;
                        [Some(0), Some(1), None][mixed as usize % 3]
                    });
                    assert!(games <= expected, "{players} players, {stage}: {games} of {expected}");
                }
            }
            // Draws alone leave every encounter level to its end.
            let (games, expected) = played(players, "format = \"single-elimination\"\nbest_of = 3", |_| None);
            assert_eq!(games, expected);
        }
    }
}
