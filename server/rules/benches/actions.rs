//! Cost of one action of a bot, and of one turn of 28 pieces that all move.
//!
//! `cargo bench -p grandstand-rules --bench actions`
#![allow(clippy::unwrap_used, reason = "a benchmark has nobody to report to")]

use divan::Bencher;
use grandstand_protocol::abalone::Facing;
use grandstand_rules::Pid;
use grandstand_rules::abalone::{Action, Rules, World};

fn main() {
    divan::main();
}

/// Both teams with all their pieces.
fn crowded() -> World {
    let mut world = World::new(Rules::default(), 1, Pid(1), Pid(2)).unwrap();
    let mut pid = 3;
    for parent in 1..=28 {
        while world.spawn(1, Pid(parent), Pid(pid)).is_ok() {
            pid += 1;
        }
    }
    assert_eq!(world.bots().len(), 28);
    world.drain_commands();
    world
}

#[divan::bench(args = ["MyStat", "TeamStat", "GameStat", "Inspect", "Look", "Scan", "CommitMove"])]
fn act(bencher: Bencher, name: &str) {
    let mut world = crowded();
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        let facing = Facing::ALL[1 + n % 6];
        let action = match name {
            "MyStat" => Action::MyStat,
            "TeamStat" => Action::TeamStat,
            "GameStat" => Action::GameStat,
            "Inspect" => Action::Inspect { row: 1, diagonal: 2 },
            "Look" => Action::Look(facing),
            "Scan" => Action::Scan,
            _ => Action::CommitMove(facing),
        };
        if n % 1_000 == 0 {
            world.drain_commands();
        }
        world.act(1 + n as u64 / 1_000, Pid(1 + (n % 28) as u32), action)
    });
}

#[divan::bench]
fn turn(bencher: Bencher) {
    let world = crowded();
    let ready = || {
        let mut world = world.clone();
        for pid in 1..=28 {
            world.act(1, Pid(pid), Action::CommitMove(Facing::ALL[1 + pid as usize % 6])).unwrap();
        }
        world
    };
    bencher.with_inputs(ready).bench_local_refs(|world| world.end_cycle(2_000));
}

#[divan::bench]
fn snapshot(bencher: Bencher) {
    let world = crowded();
    bencher.bench_local(|| world.clone());
}
