//! λ-Shark in the conformance suite.

use std::collections::BTreeMap;

use grandstand_protocol::shark::{Heading, Map, Team, Tile};
use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_rules::shark::{Action, Kill, Object, Rules, World};
use grandstand_rules::{Pid, SplitMix64};

use super::Simulation;

/// A match of random robots by short rules, on a map on which they meet often.
#[derive(Clone)]
pub(crate) struct Shark {
    world: World,
    step: u64,
    next_pid: u32,
}

/// Two teams at close quarters in the upper left corner.
const PIT: [&str; 4] = ["rR.i..*b", "r..*...b", "b...*..r", "b*..i.Br"];

fn pit() -> Map {
    let rows = (0..16).map(|row| format!("{}{}", PIT.get(row).unwrap_or(&"********"), "*".repeat(24)));
    Map::from_rows(rows).unwrap()
}

impl Simulation for Shark {
    const GAME: Game = Game::Shark;
    const MATCHES: u64 = 100;
    const MAX_STEPS: u64 = 20_000;

    fn start(seed: u64) -> Self {
        let rules = Rules {
            map: pit(),
            game_length: 150 + seed % 7 * 150,
            winning_score: 1 + (seed % 3) as u32,
            health: [1, 3, 20, 100][seed as usize % 4],
            spawn_credits: (seed % 9) as u32,
            item_delay: 1 + seed % 11 * 17,
            at_move: seed % 3,
            at_face: seed % 2,
            at_shoot: seed % 13,
            at_look: seed % 2,
            time_every: 250,
            talk_limit: 1,
            ..Rules::default()
        };
        let world = World::new(rules, seed, Pid(1), Pid(2)).unwrap();
        Self { world, step: 1, next_pid: 3 }
    }

    fn step(&mut self, random: &mut SplitMix64) {
        let ready = self.world.bots().iter().filter(|bot| bot.ready <= self.step);
        let ready: Vec<Pid> = ready.map(|bot| bot.pid).collect();
        let Some(pid) = random.choose(&ready).filter(|_| random.below(4) > 0) else {
            self.world.end_step(self.step);
            self.step += 1;
            return;
        };
        let heading = Heading::ALL[random.below(4) as usize];
        let action = match random.below(64) {
            0..6 => {
                if self.world.spawn(self.step, pid, Pid(self.next_pid)).is_ok() {
                    self.next_pid += 1;
                }
                return;
            }
            6 => {
                if random.below(40) == 0 {
                    self.world.ended(self.step, pid);
                }
                return;
            }
            7..12 => Action::Shoot,
            12..28 => Action::Face(heading),
            28 => Action::Inspect { x: random.below(40) as i64 - 4, y: random.below(24) as i64 - 4 },
            29 => Action::Look(heading),
            30 => Action::Nearest(Object::ALL[random.below(10) as usize]),
            31 => Action::MyStats,
            32 => Action::TeamStats,
            33 => Action::FlagPos,
            34 => Action::Talk(format!("{}\r\n", random.next_u64())),
            _ => Action::Move,
        };
        let before = self.world.bots().len();
        if self.world.act(self.step, pid, action).is_ok() {
            let kills = self.world.drain_kills();
            assert_eq!(self.world.bots().len() + kills.len(), before);
            let is_right = |kill: &Kill| {
                kill.by.pid == pid && kill.step == self.step && self.world.bot(kill.bot.pid).is_none()
            };
            assert!(kills.iter().all(is_right));
        }
    }

    fn drain(&mut self) -> Vec<(Micros, Command)> {
        self.world.drain_commands().into_iter().map(|(step, command)| (Micros(step), command)).collect()
    }

    fn check_picture(&self, drawn: &Scene) {
        let Scene::Shark(drawn) = drawn else { panic!("another game's scene") };
        let projected = self.world.scene();
        assert_eq!(drawn.map(), projected.map());
        assert!(drawn.sprites().eq(projected.sprites()), "{drawn:?}\n{projected:?}");
        let figures = |scene: &grandstand_protocol::shark::Scene| {
            let teams = Team::ALL.map(|team| (scene.is_full(team), scene.credits(team), scene.score(team)));
            (teams, scene.time().clone(), scene.winner())
        };
        assert_eq!(figures(drawn), figures(&projected));
    }

    fn check(&self) {
        let world = &self.world;
        assert!(world.bots().is_sorted_by(|a, b| a.pid < b.pid));
        for bot in world.bots() {
            assert_eq!(world.bot_at(bot.place), Some(bot));
            assert!((1..=world.rules().health).contains(&bot.health));
        }
        for team in Team::ALL {
            assert_eq!(
                world.count(team) as usize,
                world.bots().iter().filter(|bot| bot.team == team).count()
            );
            let carriers: Vec<Tile> =
                world.bots().iter().filter(|bot| bot.team != team && bot.flag).map(|bot| bot.place).collect();
            match carriers[..] {
                [] => assert!(world.is_home(team) && world.flag(team) == world.field().stand(team)),
                [place] => assert!(!world.is_home(team) && world.flag(team) == place),
                _ => panic!("one flag, {} carriers", carriers.len()),
            }
        }
        for &place in world.powerups() {
            assert!(world.field().drops().contains(&place) && world.bot_at(place).is_none());
        }
    }

    fn is_over(&self) -> bool {
        self.world.finish().is_some()
    }

    fn state(&self) -> String {
        let world = &self.world;
        let teams = Team::ALL.map(|team| (world.score(team), world.credits(team), world.dropped_talks(team)));
        format!("{:?} {:?} {teams:?} {:?}", world.bots(), world.powerups(), world.finish())
    }
}

#[test]
fn random_matches_of_shark_end_in_every_way() {
    let mut ends = BTreeMap::new();
    let mut points = 0;
    for seed in 0..300 {
        let mut game = Shark::start(seed);
        let mut random = SplitMix64::new(!seed);
        while !game.is_over() {
            game.step(&mut random);
        }
        *ends.entry(game.world.finish().unwrap().termination.name()).or_insert(0) += 1;
        points += Team::ALL.iter().map(|&team| game.world.score(team)).sum::<u32>();
    }
    assert!(["score", "robots", "length"].iter().all(|name| ends.get(name) >= Some(&10)), "{ends:?}");
    assert!(points > 20, "{points} points in all");
}
