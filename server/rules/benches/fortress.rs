//! Cost of one action of a unit among ten, of a second without actions, and of a picture.
//!
//! `cargo bench -p grandstand-rules --bench fortress`
#![allow(clippy::unwrap_used, reason = "a benchmark has nobody to report to")]

use divan::Bencher;
use grandstand_rules::fortress::{
    Action, ByTeam, Hand, Position, Rules, Setup, UnitClass, UnitId, World, maps,
};

fn main() {
    divan::main();
}

/// The start of a match of ten units, in which rifles and rockets do no damage.
fn start() -> World {
    let team = |from: u32| {
        let classes =
            [UnitClass::Soldier, UnitClass::Medic, UnitClass::Pyro, UnitClass::Soldier, UnitClass::Pyro];
        (from..).map(UnitId).zip(classes).collect()
    };
    let rules = Rules {
        time_limit: 3_600_000,
        rifle_damage: 0,
        rocket_damage: 0,
        rocket_burst_damage: 0,
        ..Rules::default()
    };
    let setup = Setup::start(rules, maps::by_name("canyon").unwrap(), &ByTeam::new(team(1), team(6)));
    let mut world = World::from_setup(&setup).unwrap();
    world.drain_commands();
    world
}

#[divan::bench(args = ["MyStatus", "GameStatus", "Inspect", "Scan", "Move", "Turn", "Rifle", "Cone", "TooEarly"])]
fn act(bencher: Bencher, name: &str) {
    let mut world = start();
    let (mut n, mut now) = (0_u64, 0);
    bencher.bench_local(|| {
        n += 1;
        let (unit, action) = match name {
            "MyStatus" => (1, Action::MyStatus),
            "GameStatus" => (1, Action::GameStatus),
            "Inspect" => (1, Action::Inspect(Position { x: 3, y: 4 })),
            "Scan" => (1, Action::Scan(8)),
            "Move" => (5, Action::Move(Some(Hand::ALL[(n % 2) as usize]))),
            "Turn" => (1, Action::Turn(Hand::Left)),
            "Rifle" => (1, Action::PrimaryAbility(Position { x: -4, y: 3 })),
            "Cone" => (3, Action::PrimaryAbility(Position { x: 0, y: 0 })),
            _ => (2, Action::Move(None)),
        };
        if !matches!(name, "MyStatus" | "GameStatus" | "Inspect" | "Scan" | "TooEarly") {
            now += 400;
        }
        if now > 3_500_000 {
            (world, now) = (start(), 0);
        }
        if n % 1_000 == 0 {
            world.drain_commands();
        }
        world.act(now, UnitId(unit), action)
    });
}

/// A second without actions, with the report of the time.
#[divan::bench]
fn second(bencher: Bencher) {
    let mut world = start();
    let mut now = 0;
    bencher.bench_local(|| {
        now += 1_000;
        if now >= 3_600_000 {
            (world, now) = (start(), 1_000);
        }
        world.handle_time(now);
    });
}

#[divan::bench]
fn snapshot(bencher: Bencher) {
    let world = start();
    bencher.bench_local(|| world.clone());
}

#[divan::bench]
fn scene(bencher: Bencher) {
    let world = start();
    bencher.bench_local(|| world.scene());
}
