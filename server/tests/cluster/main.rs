//! Cluster test: three NATS servers, two origins, two relays, three workers (one by HTTP, two over NATS) and a director as
//! processes, each fault in turn and then at random.
//!
//! Every spectator's commands are without a gap and without a repeat, or a scene says what was left out; every match that was
//! recorded has its lines; every game of the tournament counts once, so that the tables are those of one machine; nothing is
//! left running. A nats-server that stays apart from its cluster is found by what the servers say ([`health`]), started again
//! as its owner does it, and told: nothing of ours is excused by it.
//!
//! It runs for a minute, or for `GRANDSTAND_CLUSTER_SECS`; `GRANDSTAND_CLUSTER_SEED` repeats the choices of a run:
//! `cargo xtask cluster [SECONDS [SEED]]`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "all of it is test code, which tells what happened"
)]

mod cup;
mod feed;
mod health;
mod link;
mod parts;
mod spectator;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grandstand_rules::SplitMix64;
use grandstand_testing::Folder;
use rustix::process::Signal;

use crate::cup::Cup;
use crate::feed::Feed;
use crate::parts::{Part, Parts};
use crate::spectator::Spectator;

const SPECTATORS: usize = 6;
/// Time for which processes stand still: longer than leases, and than NATS waits for its clients.
const STILL: Duration = Duration::from_secs(30);
/// The same in a run of a minute.
const STILL_SHORT: Duration = Duration::from_secs(9);
/// Longer than it takes until all is as it was.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// `kill -9`, and a new start.
    Kill(Part),
    /// SIGSTOP, and SIGCONT.
    Still(Part),
    /// All NATS servers are killed, and their disks are wiped.
    Wiped,
    /// The NATS servers can't write.
    Full,
    /// The link between a relay and NATS swallows everything.
    Cut,
}

impl Fault {
    fn all() -> Vec<Self> {
        let mut all = vec![Self::Wiped, Self::Full, Self::Cut];
        for part in Part::ALL {
            all.extend([Self::Kill(part), Self::Still(part)]);
        }
        all
    }
}

#[test]
#[ignore = "needs nats-server"]
fn a_cluster_under_faults_shows_records_and_counts_everything() {
    let setting = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().unwrap());
    let secs = setting("GRANDSTAND_CLUSTER_SECS").unwrap_or(60);
    let seed = setting("GRANDSTAND_CLUSTER_SEED")
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs());
    println!("cluster for {secs} s with seed {seed}");
    let folder = Folder::new();
    let still = if secs > 120 { STILL } else { STILL_SHORT };
    let mut parts = Parts::start(folder.path());
    let cup = Cup::new(folder.path());
    parts.start_work();
    let over = Arc::new(AtomicBool::new(false));
    let feeds: Vec<Feed> = parts.lines().into_iter().map(|lines| Feed::start(lines, over.clone())).collect();
    let watching: Vec<_> = (0..SPECTATORS)
        .map(|number| {
            let (servers, over) = (parts.http(), over.clone());
            thread::spawn(move || Spectator::new(servers, number).watch_until(&over))
        })
        .collect();

    let struck = strike(&mut parts, Duration::from_secs(secs), still, seed);
    parts.assert_running();
    // nats-server's own faults are mended as its owner does it. From here on everything is asserted.
    let mended = health::make_whole(&mut parts);
    // All is there again, and the matches that go on are seen to their ends at both relays and their origins.
    let lasting: Vec<String> = feeds.iter().map(|feed| feed.last_title()).collect();
    for title in &lasting {
        for server in parts.http() {
            Spectator::wait_for(server, title, PATIENCE);
        }
    }
    over.store(true, Ordering::Relaxed);
    let drawn: BTreeMap<String, u64> = feeds.into_iter().flat_map(Feed::finish).collect();
    let mut seen = spectator::Seen::default();
    for watching in watching {
        seen.add(watching.join().unwrap());
    }
    for title in &lasting {
        for server in parts.http() {
            spectator::sees_all(server, title, drawn[title]);
        }
    }
    let recorded = parts
        .origins()
        .into_iter()
        .map(|origin| feed::assert_recorded(origin, &drawn, &lasting))
        .sum::<usize>();
    println!("{} matches drawn, {recorded} recorded; {seen}", drawn.len());
    assert!(seen.commands > 0 && recorded >= lasting.len());
    cup.ends_as_on_one_machine(&mut parts);
    drop(parts);
    assert_eq!(parts::running_in(folder.path()), [""; 0], "nothing is left running");
    println!("nats-server was mended {} times", mended.len());
    for (fault, times) in struck {
        println!("{times:>4} × {fault:?}");
    }
}

/// Each fault in turn, and then at random until the time is over; how often each came.
fn strike(parts: &mut Parts, time: Duration, still: Duration, seed: u64) -> BTreeMap<Fault, u32> {
    let (mut random, end) = (SplitMix64::new(seed), Instant::now() + time);
    let all = Fault::all();
    let mut in_turn = all.clone();
    // A run that is too short for each in turn has others each time.
    for at in (1..in_turn.len()).rev() {
        in_turn.swap(at, random.below(at as u64 + 1) as usize);
    }
    let mut struck = BTreeMap::new();
    while Instant::now() < end {
        let fault = in_turn.pop().unwrap_or_else(|| random.choose(&all).unwrap());
        *struck.entry(fault).or_default() += 1;
        let which = random.next_u64() as usize;
        let pause = |random: &mut SplitMix64| Duration::from_millis(random.below(1500));
        match fault {
            Fault::Kill(part) => {
                parts.kill(part, which);
                thread::sleep(pause(&mut random));
                parts.start_again(part, which);
            }
            Fault::Still(part) => {
                parts.signal(part, which, Signal::STOP);
                thread::sleep(still);
                parts.signal(part, which, Signal::CONT);
            }
            Fault::Wiped => {
                parts.wipe();
                thread::sleep(pause(&mut random));
                parts.start_nats();
            }
            Fault::Full => {
                parts.limit_files(Some(0));
                thread::sleep(still / 2);
                parts.limit_files(None);
                // A server that could not write switches its JetStream off until it is started again.
                for which in 0..3 {
                    parts.kill(Part::Nats, which);
                    parts.start_again(Part::Nats, which);
                }
            }
            Fault::Cut => {
                parts.cut(true);
                thread::sleep(still);
                parts.cut(false);
            }
        }
        thread::sleep(pause(&mut random));
    }
    struck
}
