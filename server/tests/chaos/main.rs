//! Chaos test: one server under all faults at once, chosen by a seed, with one steady match and ten steady spectators.
//!
//! The steady match must not be affected: none of its spectators misses a command without a fresh scene, none is
//! closed, and its recording is complete at the end. Delays of commands are printed and not asserted.
//!
//! It runs for a minute, or for `GRANDSTAND_CHAOS_SECS`. `GRANDSTAND_CHAOS_SEED` repeats the choices of a run (the
//! kernel's scheduling differs): `cargo xtask chaos [SECONDS [SEED]]`.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "the seed and the figures are what it says")]

mod faults;
mod spectator;
mod steady;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grandstand_replays::{Limits, Replay};
use grandstand_rules::SplitMix64;
use grandstand_testing::process::signal;
use grandstand_testing::{Folder, Serve};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use tokio::task::JoinSet;

use crate::faults::{Fault, Ground};
use crate::spectator::Spectator;
use crate::steady::Steady;

const SPECTATORS: usize = 10;
/// Number of concurrent faults.
const AT_ONCE: usize = 6;
/// Maximum number of descriptors of the server; the faults request more.
const DESCRIPTORS: u64 = 400;
/// Longer than anything takes that ends at all.
const PATIENCE: Duration = Duration::from_secs(180);

#[test]
fn a_steady_match_does_not_suffer() {
    let secs = setting("GRANDSTAND_CHAOS_SECS").unwrap_or(60);
    let seed = setting("GRANDSTAND_CHAOS_SEED")
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs());
    println!("chaos for {secs} s with seed {seed}");
    more_descriptors();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(chaos(Duration::from_secs(secs), seed));
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}

/// Raises this process's limit of descriptors: the faults need many sockets on this side too.
fn more_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

/// A server with few descriptors, a file size limit instead of a small disk, and short timeouts.
fn start(data: &Path, file_bytes: u64) -> Serve {
    let limits = ["stall-secs=2", "ping-secs=1", "idle-secs=6", "head-secs=3", "first-line-secs=3"];
    let mut command = Command::new("sh");
    // A write past the limit then fails, as on a full disk, instead of ending the process.
    let shell =
        format!("trap '' XFSZ; ulimit -n {DESCRIPTORS}; ulimit -f {}; exec \"$0\" \"$@\"", file_bytes / 512);
    command.args(["-c", &shell, env!("CARGO_BIN_EXE_grandstand"), "serve"]);
    command.args(["--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", data.to_str().unwrap()]);
    command.args(limits.iter().flat_map(|limit| ["--limit", limit])).env("RUST_LOG", "warn");
    Serve::launch(&mut command)
}

async fn chaos(time: Duration, seed: u64) {
    let data = Folder::new();
    // Room for the steady match; a recording that is too long reaches the limit.
    let file_bytes = (2 << 20) + time.as_secs() * (32 << 10);
    let mut server = start(data.path(), file_bytes);
    let log = std::thread::spawn({
        let mut stderr = server.child.stderr.take().unwrap();
        move || {
            let mut log = Vec::new();
            stderr.read_to_end(&mut log).map(|_| String::from_utf8_lossy(&log).into_owned())
        }
    });
    let steady = Arc::new(Steady::default());
    let over = Arc::new(AtomicBool::new(false));
    let feed = std::thread::spawn({
        let (lines, steady, over) = (server.lines, steady.clone(), over.clone());
        move || steady.draw(lines, &over)
    });
    let id = server.matches(|list| list.len() == 1)[0]["id"].as_str().unwrap().to_owned();
    let mut spectators = JoinSet::new();
    for _ in 0..SPECTATORS {
        let mut spectator = Spectator::join(server.http, &id, steady.clone(), "").await.unwrap();
        spectators.spawn(async move {
            let close = spectator.watch().await;
            (spectator, close)
        });
    }
    let calm = descriptors(&server.child);

    let ground = Arc::new(Ground {
        lines: server.lines,
        http: server.http,
        server: server.child.id(),
        id: id.clone(),
        steady: steady.clone(),
        file_bytes,
        descriptors: DESCRIPTORS,
    });
    let struck = strike(&ground, time, seed).await;
    // A steady spectator that has ended by now was affected.
    if let Some(ended) = spectators.try_join_next() {
        let (_, close) = ended.unwrap();
        panic!("a steady spectator's websocket ended in the middle: {close:?} (seed {seed})");
    }
    eventually("what the faults opened is closed again", || descriptors(&server.child) <= calm + 4).await;

    over.store(true, Ordering::Relaxed);
    let last = feed.join().unwrap();
    let (mut resyncs, mut late) = (0, Vec::new());
    while let Some(watched) = tokio::time::timeout(PATIENCE, spectators.join_next()).await.expect("an end") {
        let (spectator, close) = watched.unwrap();
        assert_eq!(close.map(|close| close.code.into()), Ok(1000_u16), "seed {seed}");
        spectator.has_all(last);
        resyncs += spectator.resyncs();
        late.extend_from_slice(spectator.late());
    }
    eventually("no match is live", || server.matches(|_| true).iter().all(|m| m["state"] != "live")).await;
    let memory = status(&server.child, "VmHWM:");
    let pid = server.child.id();
    signal(Signal::TERM, server.child.id());
    let exit = server.child.wait().unwrap();
    let log = log.join().unwrap().unwrap();
    assert_eq!(exit.code(), Some(0), "{pid} (seed {seed}): {log}");
    assert!(!log.contains("panicked"), "{log}");

    let recordings = recordings(data.path());
    steady.is_recorded(&recordings[&id], last);
    println!("{last} commands of the steady match, {} recordings, {resyncs} resyncs", recordings.len());
    late.sort_unstable();
    let [half, most, all] = [0.5, 0.99, 1.0].map(|share| late[((late.len() - 1) as f64 * share) as usize]);
    println!("late by {half:.1?} in half of the messages, by {most:.1?} in 1 of 100, by {all:.1?} at most");
    let said = |what: &str| log.matches(what).count();
    let (refused, given_up) = (said("a connection can't be accepted"), said("the match goes on without"));
    println!(
        "{refused} times no connection could be accepted, {given_up} recordings given up, at most {memory} in memory"
    );
    for (fault, times) in struck {
        println!("{times:>5} × {fault}");
    }
}

/// Runs faults until the time is over, and waits for the last to end; returns how often each ran.
async fn strike(ground: &Arc<Ground>, time: Duration, seed: u64) -> BTreeMap<&'static str, u32> {
    let mut random = SplitMix64::new(seed);
    let mut under_way = JoinSet::new();
    let mut struck = BTreeMap::new();
    let end = Instant::now() + time;
    while Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(random.below(300))).await;
        while under_way.len() >= AT_ONCE {
            under_way.join_next().await.unwrap().unwrap();
        }
        let fault = random.choose(&Fault::ALL).unwrap();
        *struck.entry(fault.name()).or_default() += 1;
        under_way.spawn(fault.strike(ground.clone(), SplitMix64::new(random.next_u64())));
    }
    while let Some(ended) = under_way.join_next().await {
        ended.unwrap();
    }
    struck
}

/// Waits until a condition holds.
async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: not so");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn descriptors(server: &Child) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count()
}

/// A line of the process's `/proc/PID/status`.
fn status(server: &Child, name: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    text.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned()
}

/// All recordings in the data directory by id; each must open. If the server was stopped while it compressed one, there
/// is a partial file beside it, which is ignored.
fn recordings(data: &Path) -> BTreeMap<String, Replay> {
    let files = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
    let replays = files.filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        let id = name.strip_suffix(".replay").or_else(|| name.strip_suffix(".replay.zst"))?;
        let file = std::fs::read(&path).unwrap();
        let replay = Replay::open(&file, Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(replay.damage(), None, "{name}");
        Some((id.to_owned(), replay))
    });
    replays.collect()
}
