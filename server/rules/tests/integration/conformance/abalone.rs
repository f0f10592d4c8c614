//! Robot Abalone in the conformance suite.

use std::collections::BTreeMap;

use grandstand_protocol::abalone::{Facing, Team};
use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_rules::abalone::{Action, Reply, Rules, World};
use grandstand_rules::{Pid, SplitMix64};

use super::Simulation;
use crate::abalone::common;

/// A match of random bots with short turns and a short game.
#[derive(Clone)]
pub(crate) struct Abalone {
    world: World,
    cycle: u64,
    next_pid: u32,
}

impl Simulation for Abalone {
    const GAME: Game = Game::Abalone;
    const MATCHES: u64 = 200;
    const MAX_STEPS: u64 = 20_000;

    fn start(seed: u64) -> Self {
        let rules = Rules {
            cycles_per_turn: 1 + seed % 7,
            game_length: 300,
            winning_score: 1 + (seed % 5) as u32 * 2,
            max_pieces: 1 + (seed % 17) as u32,
            talks_per_turn: 1,
            ..Rules::default()
        };
        Self { world: common::start(rules, seed), cycle: 1, next_pid: 3 }
    }

    fn step(&mut self, random: &mut SplitMix64) {
        let pids: Vec<Pid> = self.world.bots().iter().map(|bot| bot.pid).collect();
        let free: Vec<Pid> = pids.into_iter().filter(|&pid| !self.world.is_waiting(pid)).collect();
        let bot = random.choose(&free).unwrap_or(Pid(1));
        match random.below(64) {
            0..8 => {
                if self.world.spawn(self.cycle, bot, Pid(self.next_pid)).is_ok() {
                    self.next_pid += 1;
                }
            }
            8 if random.below(12) == 0 => {
                self.world.ended(self.cycle, bot);
            }
            9..24 => {
                let end = self.world.end_cycle(self.cycle);
                for pid in end.woken {
                    assert!(self.world.bots().iter().any(|bot| bot.pid == pid));
                }
                self.cycle += 1;
            }
            choice => {
                let facing = Facing::ALL[random.below(7) as usize];
                let action = match choice {
                    24 => Action::WaitTurn,
                    25 => Action::WaitMyTurn,
                    26 => Action::MyStat,
                    27 => Action::TeamStat,
                    28 => Action::GameStat,
                    29 => Action::Inspect {
                        row: random.below(12) as i64 - 6,
                        diagonal: random.below(12) as i64 - 6,
                    },
                    30 => Action::Look(facing),
                    31 => Action::Scan,
                    32 => Action::Talk(format!("{}\r\n", random.next_u64())),
                    // Often the same direction, so that there are lines and pushes.
                    33..50 => Action::CommitMove(if bot.0.is_multiple_of(2) {
                        Facing::DownLeft
                    } else {
                        Facing::UpRight
                    }),
                    _ => Action::CommitMove(facing),
                };
                if let Ok(Reply::Wait) = self.world.act(self.cycle, bot, action) {
                    assert!(self.world.is_waiting(bot));
                }
            }
        }
    }

    fn drain(&mut self) -> Vec<(Micros, Command)> {
        self.world.drain_commands().into_iter().map(|command| (Micros(self.cycle), command)).collect()
    }

    fn check_picture(&self, drawn: &Scene) {
        let Scene::Abalone(drawn) = drawn else { panic!("another game's scene") };
        common::assert_same_picture(drawn, &self.world.scene());
    }

    fn check(&self) {
        let world = &self.world;
        for bot in world.bots() {
            assert_eq!(world.bot_at(bot.hex), Some(bot));
        }
        assert!(world.bots().is_sorted_by(|a, b| a.pid < b.pid));
        let count = |team| world.bots().iter().filter(|bot| bot.team == team).count();
        for team in Team::ALL {
            assert_eq!(world.pieces(team), count(team));
            assert!(count(team) <= world.rules().max_pieces as usize);
        }
        // Every lost piece gave a point.
        let made = self.next_pid - 1;
        let points = world.score(Team::Black) + world.score(Team::White);
        assert_eq!(made, points + world.bots().len() as u32);
    }

    fn is_over(&self) -> bool {
        self.world.finish().is_some()
    }

    fn state(&self) -> String {
        let world = &self.world;
        format!(
            "{}{:?} turn {} {:?} {:?}",
            common::board(world),
            common::score(world),
            world.turn(),
            world.finish(),
            Team::ALL.map(|team| world.dropped_talks(team))
        )
    }
}

#[test]
fn random_matches_of_abalone_end_in_every_way() {
    let mut ends = BTreeMap::new();
    let mut turns = 0;
    for seed in 0..300 {
        let mut game = Abalone::start(seed);
        let mut random = SplitMix64::new(!seed);
        while !game.is_over() {
            game.step(&mut random);
        }
        let finish = game.world.finish().unwrap();
        *ends.entry(finish.termination.name()).or_insert(0) += 1;
        turns += finish.turns;
    }
    assert!(["score", "pieces", "length"].iter().all(|name| ends.get(name) >= Some(&10)), "{ends:?}");
    assert!(turns > 5_000, "{turns} turns in all");
}
