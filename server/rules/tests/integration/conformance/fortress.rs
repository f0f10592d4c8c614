//! Steam Fortress in the conformance suite.

use std::collections::{BTreeMap, BTreeSet};

use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_rules::SplitMix64;
use grandstand_rules::fortress::{
    Action, Direction, Hand, Map, Position, Reply, Rules, Setup, Square, Team, Unit, UnitClass, UnitId, World,
};

use super::Simulation;

/// A match of random units on a small area, with short delays and high damage.
#[derive(Clone)]
pub(crate) struct Fortress {
    world: World,
    now: u64,
    /// Units whose request to come back has not been answered.
    waiting: BTreeSet<UnitId>,
}

impl Fortress {
    fn take_answers(&mut self) {
        for answer in self.world.drain_answers() {
            assert!(self.waiting.remove(&answer.unit), "nobody is answered twice");
            assert!(answer.millis <= self.world.now());
        }
    }
}

/// Two hills with ramps, and points close to each other.
fn map() -> Map {
    let mut rows = vec![vec!['l'; 51]; 25];
    for row in &mut rows[9..12] {
        for x in [22, 23, 27, 28] {
            row[x] = 'h';
        }
    }
    for x in [22, 28] {
        rows[12][x] = 'r';
    }
    for (letter, x) in "01234".chars().zip([19, 21, 25, 29, 31]) {
        rows[13][x] = letter;
    }
    let text: String =
        rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect();
    Map::parse(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"))
}

fn setup(seed: u64) -> Setup {
    let mut random = SplitMix64::new(seed);
    let rules = Rules {
        time_limit: 20_000,
        point_capture_time: 1 + random.below(3_000) as u32,
        respawn_time: random.below(5_000) as u32,
        move_delay_scale: 1 + random.below(20) as u32,
        health_medic: 200,
        health_pyro: 200,
        health_soldier: 300,
        rocket_cooldown: 1_000,
        talks_per_second: 1,
        ..Rules::default()
    };
    // In some matches a team needs only one more point.
    let owners = match seed % 3 {
        0 => [Some(Team::Red), Some(Team::Red), None, Some(Team::Blue), Some(Team::Blue)],
        1 => [Some(Team::Red), Some(Team::Red), Some(Team::Red), Some(Team::Red), None],
        _ => [None, Some(Team::Blue), Some(Team::Blue), Some(Team::Blue), Some(Team::Blue)],
    };
    let mut units: Vec<Unit> = Vec::new();
    for id in 0..2 + random.below(9) as u32 {
        let team = Team::ALL[id as usize % 2];
        let at = loop {
            let at = Square::new(random.below(15) as i64 - 7, random.below(6) as i64 - 3).unwrap();
            if units.iter().all(|unit| unit.at != at) {
                break at;
            }
        };
        let class = random.choose(&UnitClass::ALL).unwrap();
        let facing = random.choose(&Direction::ALL).unwrap();
        units.push(Unit::new(UnitId(id + 1), team, class, at, facing, rules.health(class)));
    }
    Setup { rules, map: map(), units, owners }
}

impl Simulation for Fortress {
    const GAME: Game = Game::Fortress;
    const MATCHES: u64 = 60;
    const MAX_STEPS: u64 = 20_000;

    fn start(seed: u64) -> Self {
        Self { world: World::from_setup(&setup(seed)).unwrap(), now: 0, waiting: BTreeSet::new() }
    }

    fn step(&mut self, random: &mut SplitMix64) {
        let ids: Vec<UnitId> = self.world.units().iter().map(|unit| unit.id).collect();
        // Sometimes an id that no unit has.
        let id = if random.below(200) == 0 { UnitId(99) } else { random.choose(&ids).unwrap() };
        let at = self.world.unit(id).map_or((0, 0), |unit| (i64::from(unit.at.x()), i64::from(unit.at.y())));
        let near = |random: &mut SplitMix64, reach: u64| Position {
            x: at.0 + random.below(2 * reach + 1) as i64 - reach as i64,
            y: at.1 + random.below(2 * reach + 1) as i64 - reach as i64,
        };
        let hand = Hand::ALL[random.below(2) as usize];
        let action = match random.below(40) {
            0..6 => {
                self.now += random.below(300);
                self.world.handle_time(self.now);
                return self.take_answers();
            }
            6 => {
                let next = self.world.next_event();
                assert!(next.is_none_or(|next| next > self.world.now()));
                self.now = next.unwrap_or(self.now);
                self.world.handle_time(self.now);
                return self.take_answers();
            }
            7..17 => Action::Move((random.below(3) == 0).then_some(hand)),
            17..21 => Action::Turn(hand),
            21..27 => Action::PrimaryAbility(near(random, 4)),
            27..33 => Action::SecondaryAbility(near(random, 4)),
            33 => Action::Scan(random.below(30) as i64 - 2),
            34 => Action::Inspect(near(random, 60)),
            35 => Action::MyStatus,
            36 => Action::GameStatus,
            37 => Action::Talk(format!("{}\r\n", random.next_u64())),
            _ => Action::Respawn(random.choose(&UnitClass::ALL).unwrap()),
        };
        // Times may stand still and even go back.
        let reply = self.world.act(self.now.saturating_sub(random.below(3)), id, action.clone());
        // A newer request answers the older one.
        self.take_answers();
        if reply == Reply::Later {
            assert!(matches!(action, Action::Respawn(_)) && !self.world.unit(id).unwrap().is_living());
            assert!(self.waiting.insert(id));
        }
    }

    fn drain(&mut self) -> Vec<(Micros, Command)> {
        let commands = self.world.drain_commands();
        commands.into_iter().map(|(millis, command)| (Micros(millis * 1_000), command)).collect()
    }

    fn check_picture(&self, drawn: &Scene) {
        let (Scene::Fortress(drawn), projected) = (drawn, self.world.scene()) else {
            panic!("another game's scene")
        };
        assert_eq!(drawn.elevation(), projected.elevation());
        assert_eq!(drawn.units(), projected.units());
        assert_eq!(drawn.fallen(), projected.fallen());
        assert_eq!(drawn.points(), projected.points());
        assert_eq!((drawn.time(), drawn.winner()), (projected.time(), projected.winner()));
    }

    fn check(&self) {
        let world = &self.world;
        for unit in world.units().iter().filter(|unit| unit.is_living()) {
            assert_eq!(world.unit_at(unit.at), Some(unit), "two units on a square");
            assert!((1..=world.rules().health(unit.class)).contains(&unit.health), "{unit:?}");
        }
        for point in world.points() {
            if let Some(capture) = point.capture {
                assert_ne!(point.owner, Some(capture.team));
                let lasted = world.now() - capture.since;
                assert!(lasted < u64::from(world.rules().point_capture_time), "a capture is overdue");
            }
        }
        assert!(world.now() <= u64::from(world.rules().time_limit));
        assert!(world.finish().is_none() || self.waiting.is_empty(), "who waited has been answered");
        assert_eq!(world.finish().is_some(), world.next_event().is_none());
    }

    fn is_over(&self) -> bool {
        self.world.finish().is_some()
    }

    fn state(&self) -> String {
        let world = &self.world;
        let dropped = Team::ALL.map(|team| world.dropped_talks(team));
        let (units, points, finish) = (world.units(), world.points(), world.finish());
        format!("{} {units:?} {points:?} {finish:?} {dropped:?}", world.now())
    }
}

#[test]
fn random_matches_of_fortress_end_in_every_way() {
    let (mut ends, mut falls) = (BTreeMap::new(), 0);
    for seed in 0..Fortress::MATCHES {
        let mut game = Fortress::start(seed);
        let mut random = SplitMix64::new(!seed);
        while !game.is_over() {
            game.step(&mut random);
        }
        *ends.entry(game.world.finish().unwrap().termination.name()).or_insert(0) += 1;
        falls += game.drain().iter().filter(|(_, command)| command.to_line().starts_with("remove ")).count();
    }
    assert!(["points", "time"].iter().all(|name| ends.get(name) >= Some(&5)), "{ends:?}");
    assert!(falls > 100, "{falls} units fell");
}
