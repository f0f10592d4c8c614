//! Cost of one action of a robot, of steps in which nobody does anything, and of whole matches of random pilots.
//!
//! `cargo bench -p grandstand-rules --bench shark`
#![allow(clippy::unwrap_used, reason = "a benchmark has nobody to report to")]

use divan::Bencher;
use grandstand_protocol::shark::{Heading, Map, Team, Tile};
use grandstand_rules::Pid;
use grandstand_rules::shark::pilots::{PilotTeam, PilotTeams, Random};
use grandstand_rules::shark::{Action, Bot, Object, Rules, Setup, World, maps};

fn main() {
    divan::main();
}

/// Five robots per team, all on spawn points of the first shipped map, without delays.
fn crowded() -> World {
    let map: Map = maps::by_name(maps::SHIPPED[0].0).unwrap();
    let rules = Rules {
        map,
        at_move: 0,
        at_face: 0,
        at_shoot: 0,
        laser_damage: 0,
        melee_damage: 0,
        ..Rules::default()
    };
    let field = World::new(rules.clone(), 1, Pid(1), Pid(2)).unwrap().field().clone();
    let places = Team::ALL
        .into_iter()
        .flat_map(|team| field.spawns(team).iter().take(4).map(move |&place| (team, place)));
    let extra = [(Team::Red, Tile::new(10, 8).unwrap()), (Team::Blue, Tile::new(21, 7).unwrap())];
    let bot = |((team, place), pid)| Bot {
        pid: Pid(pid),
        team,
        place,
        heading: Heading::Right,
        health: 3,
        flag: false,
        ready: 1,
    };
    let bots = places.chain(extra).zip(1..).map(bot).collect();
    let setup = Setup {
        rules,
        seed: 1,
        step: 1,
        score: [0; 2],
        credits: [3; 2],
        bots,
        powerups: field.drops()[..4].to_vec(),
    };
    let mut world = World::from_setup(&setup).unwrap();
    world.drain_commands();
    world
}

#[divan::bench(args = [
    "Move", "Face", "Shoot", "Inspect", "Look", "NearestEmpty", "NearestWall", "NearestSpawn", "NearestOpponent",
    "NearestOppFlag", "MyStats", "TeamStats", "FlagPos"
])]
fn act(bencher: Bencher, name: &str) {
    let mut world = crowded();
    let mut n = 0_u64;
    bencher.bench_local(|| {
        n += 1;
        let heading = Heading::ALL[n as usize % 4];
        let action = match name {
            "Move" => Action::Move,
            "Face" => Action::Face(heading),
            "Shoot" => Action::Shoot,
            "Inspect" => Action::Inspect { x: 10, y: 8 },
            "Look" => Action::Look(heading),
            "NearestEmpty" => Action::Nearest(Object::Empty),
            "NearestWall" => Action::Nearest(Object::Wall),
            "NearestSpawn" => Action::Nearest(Object::Spawn),
            "NearestOpponent" => Action::Nearest(Object::Opponent),
            "NearestOppFlag" => Action::Nearest(Object::OppFlag),
            "MyStats" => Action::MyStats,
            "TeamStats" => Action::TeamStats,
            _ => Action::FlagPos,
        };
        if n.is_multiple_of(1_000) {
            world.drain_commands();
        }
        // One step per action: every robot is ready, and the match does not end.
        let step = 1 + n % 9_000;
        if step == 1 {
            world = crowded();
        }
        world.act(step, Pid(1 + (n % 10) as u32), action)
    });
}

/// 10,000,000 steps with only powerups and reports of the time.
#[divan::bench]
fn nobody_does_anything(bencher: Bencher) {
    let ready = || World::new(Rules::default(), 1, Pid(1), Pid(2)).unwrap();
    bencher.with_inputs(ready).bench_local_values(|mut world| {
        world.end_step(u64::MAX);
        world
    });
}

/// Random robots: 10,000,000 steps with the default delays, and 1,000,000 without any.
#[divan::bench(args = ["as set", "never waiting"])]
fn random_match(bencher: Bencher, how: &str) {
    let mut rules = Rules { health: 255, spawn_credits: 8, ..Rules::default() };
    if how == "never waiting" {
        (rules.at_move, rules.at_face, rules.at_shoot) = (0, 0, 0);
        // Keeps all robots to the end.
        (rules.laser_damage, rules.melee_damage, rules.winning_score) = (0, 0, 1_000);
        rules.game_length = 1_000_000;
    }
    let ready = || {
        let crew =
            |root: u32| PilotTeam::new(Box::new(Random::new(root.into())), Pid(root), Pid(root * 1_000_000));
        (World::new(rules.clone(), 1, Pid(1), Pid(2)).unwrap(), PilotTeams::new([crew(1), crew(2)]))
    };
    bencher.with_inputs(ready).bench_local_values(|(mut world, mut crews)| {
        while world.finish().is_none() {
            let step = world.next_event_step();
            crews.run(&mut world, step, Pid(u32::MAX));
            world.end_step(step);
            world.drain_commands();
        }
        world
    });
}

#[divan::bench]
fn snapshot(bencher: Bencher) {
    let world = crowded();
    bencher.bench_local(|| world.clone());
}
