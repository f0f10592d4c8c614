//! Figures of alpha-beta and Jamboree on the Earth of Riskless; `server/search/SEARCH.md` tells what came of them.
//!
//! `cargo bench -p grandstand-search --bench riskless_search -- PART [DEPTH [SHARE…]]` with the parts `alphabeta`, `speedup`, `independent`
//! and `plain`.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use grandstand_rules::riskless::{Move, Position, maps};
use grandstand_rules::turn::Position as _;
use grandstand_search::riskless::{Balance, opening};
use grandstand_search::strong::{self, Limits, Options};
use grandstand_search::{PrunePercentage, Threads, alphabeta, jamboree};

/// The five shares that the figures are for.
const SHARES: [f64; 5] = [0.0, 0.1, 0.25, 0.5, 0.75];

type Search = strong::Search<Position, Balance>;
type Info = strong::Info<Move>;

/// Result of a search, its time, and the critical paths of its depths.
struct Run {
    info: Info,
    time: Duration,
    path: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let depth = arguments.get(1).and_then(|depth| depth.parse().ok());
    let shares: Vec<f64> = arguments.iter().skip(2).filter_map(|share| share.parse().ok()).collect();
    let shares = if shares.is_empty() { SHARES.to_vec() } else { shares };
    match arguments.first().map(String::as_str) {
        Some("alphabeta") => sequential(depth.unwrap_or(6)),
        Some("speedup") => speedup(depth.unwrap_or(6), &shares),
        Some("independent") => independent(depth.unwrap_or(6)),
        Some("plain") => plain(depth.unwrap_or(4)),
        _ => {
            sequential(4);
            speedup(4, &shares);
            plain(3);
        }
    }
}

/// Positions of matches on Earth: the start, and some drawn by chance from later in a match.
fn positions() -> Vec<(&'static str, Position)> {
    let Some(map) = maps::by_name("earth") else { return Vec::new() };
    let start = Position::start(Arc::new(map));
    // Both play well from an opening drawn by chance, as far as depth 2 sees.
    let later = |plies: u32, seed| {
        let mut position = opening(&start, 6, seed);
        let Some(search) = search(&start, 1, 1.0) else { return position };
        while position.ply() < plies {
            let Some(best) = think(&search, &position, 2) else { break };
            position.advance(best.info.line[0]);
        }
        position
    };
    vec![
        ("start", start.clone()),
        ("ply 8", later(8, 1)),
        ("ply 16", later(16, 1)),
        ("ply 24", later(24, 1)),
        ("ply 30", later(30, 2)),
        ("ply 40", later(40, 3)),
    ]
}

fn search(position: &Position, threads: usize, prune: f64) -> Option<Search> {
    let options = Options { threads, table_mebibytes: 64, prune: PrunePercentage::new(prune).ok()? };
    Search::new(Balance::new(position.map()), options).ok()
}

fn think(search: &Search, position: &Position, depth: u32) -> Option<Run> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut path = 0;
    let began = Instant::now();
    let info =
        search.think(position, &limits, &AtomicBool::new(false), &mut |info| path += info.counts.path)?;
    Some(Run { info, time: began.elapsed(), path })
}

/// Number of timings of each search: shallow ones are over so soon that one of them tells nothing.
fn rounds(depth: u32) -> usize {
    match depth {
        0..=4 => 21,
        5 | 6 => 7,
        _ => 3,
    }
}

/// Searches from an empty table, the one of the median time.
fn median(search: &mut Search, position: &Position, depth: u32, rounds: usize) -> Option<Run> {
    let runs = (0..rounds).filter_map(|_| {
        search.forget();
        think(search, position, depth)
    });
    middle(runs.collect())
}

fn middle(mut runs: Vec<Run>) -> Option<Run> {
    runs.sort_by_key(|run| run.time);
    let middle = runs.len() / 2;
    runs.into_iter().nth(middle)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn sequential(depth: u32) {
    println!("strong alpha-beta on Earth, one thread, depths 1 to {depth}");
    for (name, position) in positions() {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let Some(Run { info: best, time, .. }) =
            search(&position, 1, 1.0).and_then(|mut one| median(&mut one, &position, depth, rounds(depth)))
        else {
            continue;
        };
        println!(
            "{name:>8}: {:>3} moves, {:>10} nodes, {:>7.1} ms, {:.2} M nodes/s, score {}",
            moves.len(),
            best.counts.nodes,
            milliseconds(time),
            best.counts.nodes as f64 / time.as_secs_f64() / 1e6,
            best.score
        );
    }
}

fn speedup(depth: u32, shares: &[f64]) {
    println!(
        "strong Jamboree on Earth, depths 1 to {depth}, two threads against strong alpha-beta on one; W and C are nodes of all depths"
    );
    println!("two loops at once take {:.2} times as long as one", loops());
    let rounds = rounds(depth);
    let mut sums = vec![(0.0, 0.0, 0, 0); shares.len()];
    for (name, position) in positions() {
        let Some(mut one) = search(&position, 1, 1.0) else { continue };
        let mut all: Vec<_> = shares.iter().filter_map(|&share| search(&position, 2, share)).collect();
        // In turns, so that what else the machine does meets all of them alike.
        let mut runs: Vec<Vec<Run>> = std::iter::repeat_with(Vec::new).take(shares.len() + 1).collect();
        for _ in 0..rounds {
            for (search, runs) in std::iter::once(&mut one).chain(&mut all).zip(&mut runs) {
                runs.extend(median(search, &position, depth, 1));
            }
        }
        let medians: Vec<_> = runs.into_iter().filter_map(middle).collect();
        let [alone, others @ ..] = medians.as_slice() else { continue };
        println!(
            "{name:>8}: alpha-beta {:>9} nodes {:>7.1} ms",
            alone.info.counts.nodes,
            milliseconds(alone.time)
        );
        let rate = alone.info.counts.nodes as f64 / alone.time.as_secs_f64();
        for ((run, share), sum) in others.iter().zip(shares).zip(&mut sums) {
            let work = run.info.counts.nodes;
            println!(
                "          prune {share:<4}: {:>7.1} ms, speed-up {:.2}, nodes {:+5.1} %, idle {:>6.2} ms, W {work:>9}, C {:>6}, (W/2 + C) / rate {:>6.1} ms, value {}",
                milliseconds(run.time),
                alone.time.as_secs_f64() / run.time.as_secs_f64(),
                (work as f64 / alone.info.counts.nodes as f64 - 1.0) * 100.0,
                milliseconds(run.info.idle),
                run.path,
                (work as f64 / 2.0 + run.path as f64) / rate * 1e3,
                if run.info.score == alone.info.score { "equal" } else { "DIFFERENT" }
            );
            sum.0 += alone.time.as_secs_f64();
            sum.1 += run.time.as_secs_f64();
            sum.2 += alone.info.counts.nodes;
            sum.3 += work;
        }
    }
    println!("     all:");
    for ((alone, together, nodes, more), share) in sums.into_iter().zip(shares) {
        println!(
            "          prune {share:<4}: {:.1} ms against {:.1} ms, speed-up {:.2}, nodes {:+.1} %",
            together * 1e3,
            alone * 1e3,
            alone / together,
            (more as f64 / nodes as f64 - 1.0) * 100.0
        );
    }
    println!("two loops at once take {:.2} times as long as one", loops());
}

/// Ratio of the time of two loops at once to that of one alone: 1 on a machine with two free cores.
fn loops() -> f64 {
    let turn = || {
        let began = Instant::now();
        let mut sum = 0_u64;
        for number in 0..60_000_000_u64 {
            sum = black_box(sum.wrapping_mul(31).wrapping_add(number));
        }
        black_box(sum);
        began.elapsed().as_secs_f64()
    };
    turn();
    let alone = turn();
    at_once(turn) / alone
}

/// The mean time that two threads take who begin this at the same moment.
fn at_once(turn: impl Fn() -> f64 + Sync) -> f64 {
    let barrier = Barrier::new(2);
    let one = || {
        barrier.wait();
        turn()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(one);
        (one() + other.join().unwrap_or(f64::NAN)) / 2.0
    })
}

/// Speed-up that the machine allows: two searches that have nothing to do with each other, at once.
fn independent(depth: u32) {
    println!(
        "two independent searches on Earth to depth {depth}, each on one thread with a table of its own"
    );
    for (name, position) in positions() {
        let rounds = rounds(depth);
        let turn = || {
            let found =
                search(&position, 1, 1.0).and_then(|mut one| median(&mut one, &position, depth, rounds));
            found.map_or(f64::NAN, |run| run.time.as_secs_f64())
        };
        let (alone, together) = (turn(), at_once(turn));
        println!(
            "{name:>8}: {:>7.1} ms alone, {:>7.1} ms at once: {:.3}",
            alone * 1e3,
            together * 1e3,
            together / alone
        );
    }
    println!("two loops at once take {:.2} times as long as one", loops());
}

/// The searches as the handout specifies them.
fn plain(depth: u32) {
    println!("the handout's searches on Earth to depth {depth}, two threads");
    let Ok(threads) = Threads::start(2) else { return };
    for (name, position) in positions() {
        let balance = Balance::new(position.map());
        let began = Instant::now();
        let one = black_box(alphabeta(&position, depth, &balance));
        let alone = began.elapsed();
        println!("{name:>8}: alpha-beta {:>9} nodes {:>7.0} ms", one.counts.nodes, milliseconds(alone));
        for prune in SHARES.into_iter().filter_map(|share| PrunePercentage::new(share).ok()) {
            let began = Instant::now();
            let two = threads.run(|| jamboree(&position, depth, prune, &balance));
            let together = began.elapsed();
            println!(
                "          prune {:<4}: {:>7.0} ms, speed-up {:.2}, W {:>9}, C {:>7}, value {}",
                prune.get(),
                milliseconds(together),
                alone.as_secs_f64() / together.as_secs_f64(),
                two.counts.nodes,
                two.counts.path,
                if two.estimate == one.estimate { "equal" } else { "DIFFERENT" }
            );
        }
    }
}
