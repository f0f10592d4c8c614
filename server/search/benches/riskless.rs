//! Figures of the searches on Riskless; `server/search/SEARCH.md` tells what came of them.
//!
//! `cargo bench -p grandstand-search --bench riskless -- PART [NUMBER]` with the parts `alphabeta` (depth), `jamboree` (depth),
//! `estimates` (matches), `fit` (tries), `plain` (depth).
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Position, maps};
use grandstand_rules::turn::{Outcome, Position as _, Side};
use grandstand_search::riskless::{Armies, Balance, Weights, opening};
use grandstand_search::strong::{Info, Limits, Options, Search};
use grandstand_search::{Estimator, PrunePercentage, Threads, alphabeta, jamboree};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = arguments.get(1).and_then(|number| number.parse().ok());
    match arguments.first().map(String::as_str) {
        Some("alphabeta") => sequential(number.unwrap_or(6)),
        Some("jamboree") => parallel(number.unwrap_or(5)),
        Some("estimates") => estimates(number.unwrap_or(100)),
        Some("fit") => fit(number.unwrap_or(20)),
        Some("plain") => plain(number.unwrap_or(4)),
        _ => {
            sequential(4);
            parallel(4);
            plain(3);
        }
    }
}

/// Positions of a match on Earth: the start, and two drawn by chance from later in a match.
fn positions() -> Vec<(&'static str, Position)> {
    let Some(map) = maps::by_name("earth") else { return Vec::new() };
    let start = Position::start(Arc::new(map));
    // Both play well from an opening drawn by chance, as far as depth 2 sees.
    let later = |plies: u32, seed| {
        let Ok(search) = search(&start, 1, 1.0) else { return start.clone() };
        let mut position = opening(&start, 6, seed);
        for _ in 0..plies {
            let limits = Limits { depth: Some(2), ..Limits::default() };
            let Some(best) = search.think(&position, &limits, &AtomicBool::new(false), &mut |_| ()) else {
                break;
            };
            position.advance(best.line[0]);
        }
        position
    };
    vec![("start", start.clone()), ("ply 16", later(10, 1)), ("ply 30", later(24, 2))]
}

fn search(
    position: &Position,
    threads: usize,
    prune: f64,
) -> Result<Search<Position, Balance>, Box<dyn std::error::Error>> {
    let options = Options { threads, table_mebibytes: 64, prune: PrunePercentage::new(prune)? };
    Ok(Search::new(Balance::new(position.map()), options)?)
}

/// A search to a depth with an empty table.
fn run(
    position: &Position,
    threads: usize,
    prune: f64,
    depth: u32,
) -> Option<(Info<<Position as grandstand_rules::turn::Position>::Move>, Duration)> {
    let search = search(position, threads, prune).ok()?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let began = Instant::now();
    let best = search.think(position, &limits, &AtomicBool::new(false), &mut |_| ())?;
    Some((best, began.elapsed()))
}

/// The median of three by its time.
fn median(
    position: &Position,
    threads: usize,
    prune: f64,
    depth: u32,
) -> Option<(Info<<Position as grandstand_rules::turn::Position>::Move>, Duration)> {
    let mut runs: Vec<_> = (0..3).filter_map(|_| run(position, threads, prune, depth)).collect();
    runs.sort_by_key(|(_, elapsed)| *elapsed);
    (runs.len() == 3).then(|| runs.swap_remove(1))
}

fn sequential(depth: u32) {
    println!("strong alpha-beta on Earth, one thread, depths 1 to {depth}");
    for (name, position) in positions() {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let Some((best, elapsed)) = median(&position, 1, 1.0, depth) else { continue };
        println!(
            "{name:>8}: {:>3} moves, {:>10} nodes, {:>7.0} ms, {:.2} M nodes/s, score {}",
            moves.len(),
            best.counts.nodes,
            elapsed.as_secs_f64() * 1e3,
            best.counts.nodes as f64 / elapsed.as_secs_f64() / 1e6,
            best.score
        );
    }
}

fn parallel(depth: u32) {
    println!(
        "strong Jamboree on Earth, depths 1 to {depth}, two threads against strong alpha-beta on one; W, C in nodes of depth {depth}"
    );
    for (name, position) in positions() {
        let Some((one, alone)) = median(&position, 1, 1.0, depth) else { continue };
        println!("{name:>8}: alpha-beta {:>9} nodes {:>7.0} ms", one.counts.nodes, alone.as_secs_f64() * 1e3);
        for prune in [0.0, 0.1, 0.25, 0.5, 0.75] {
            let Some((two, together)) = median(&position, 2, prune, depth) else { continue };
            let rate = one.counts.nodes as f64 / alone.as_secs_f64();
            let (work, path) = (two.nodes as f64, two.counts.path as f64);
            println!(
                "          prune {prune:<4}: {:>7.0} ms, speed-up {:.2}, nodes {:+5.1} %, W {:>9}, C {:>7}, W/C {:>6.0}, (W/2 + C) / rate {:>6.0} ms, value {}",
                together.as_secs_f64() * 1e3,
                alone.as_secs_f64() / together.as_secs_f64(),
                (two.counts.nodes as f64 / one.counts.nodes as f64 - 1.0) * 100.0,
                two.nodes,
                two.counts.path,
                work / path,
                (work / 2.0 + path) / rate * 1e3,
                if two.score == one.score { "equal" } else { "DIFFERENT" }
            );
        }
    }
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
        println!("{name:>8}: alpha-beta {:>9} nodes {:>7.0} ms", one.counts.nodes, alone.as_secs_f64() * 1e3);
        for prune in
            [0.0, 0.1, 0.25, 0.5, 0.75].into_iter().filter_map(|share| PrunePercentage::new(share).ok())
        {
            let began = Instant::now();
            let two = threads.run(|| jamboree(&position, depth, prune, &balance));
            let together = began.elapsed();
            println!(
                "          prune {:<4}: {:>7.0} ms, speed-up {:.2}, W {:>9}, C {:>7}, value {}",
                prune.get(),
                together.as_secs_f64() * 1e3,
                alone.as_secs_f64() / together.as_secs_f64(),
                two.counts.nodes,
                two.counts.path,
                if two.estimate == one.estimate { "equal" } else { "DIFFERENT" }
            );
        }
    }
}

/// Matches between the better estimate and the naive one at equal depths, both ways from each opening.
fn estimates(matches: u32) {
    for (map, depth) in [("islands", 2), ("europe", 2), ("europe", 3), ("earth", 2), ("earth", 3)] {
        let Some(map) = maps::by_name(map) else { continue };
        let start = Position::start(Arc::new(map));
        let balance = Balance::new(start.map());
        let ([won, drawn, lost], plies) = play(&start, depth, &balance, &Armies, 0..matches);
        println!(
            "{} at depth {depth}: {won} won, {drawn} drawn, {lost} lost, {plies} plies each",
            start.map().title()
        );
    }
}

/// Matches of one estimate against another, both ways from each opening: won, drawn and lost, and the mean length.
fn play<A: Estimator<Position>, B: Estimator<Position>>(
    start: &Position,
    depth: u32,
    one: &A,
    other: &B,
    numbers: Range<u32>,
) -> ([u32; 3], u32) {
    let mut counts = [0; 3];
    let mut plies = 0;
    let matches = numbers.len().max(1) as u32;
    for number in numbers {
        let mut position = opening(start, 6, u64::from(number / 2));
        let side = Side::ALL[(number % 2) as usize];
        while position.end().is_none() {
            let is_one = position.to_move() == side;
            let found = if is_one { choose(&position, depth, one) } else { choose(&position, depth, other) };
            let Some(mv) = found else { break };
            position.advance(mv);
        }
        plies += position.ply();
        match position.end().map(|end| end.outcome) {
            Some(Outcome::Win(winner)) if winner == side => counts[0] += 1,
            Some(Outcome::Win(_)) => counts[2] += 1,
            _ => counts[1] += 1,
        }
    }
    (counts, plies / matches)
}

/// Climbs to better weights: changes some, and keeps what does better against the naive estimate and against the weights so far.
fn fit(tries: u32) {
    let starts: Vec<Position> = ["europe", "earth"]
        .into_iter()
        .filter_map(|name| Some(Position::start(Arc::new(maps::by_name(name)?))))
        .collect();
    let points = |[won, drawn, _]: [u32; 3]| 2 * won + drawn;
    let against_naive = |weights: Weights, numbers: Range<u32>| -> u32 {
        let one = |start: &Position| {
            points(play(start, 2, &Balance::with(start.map(), weights), &Armies, numbers.clone()).0)
        };
        starts.iter().map(one).sum()
    };
    let mut random = SplitMix64::new(tries.into());
    let mut best = Weights::default();
    let mut best_points = against_naive(best, 0..16);
    println!("{best_points} of 64 points: {best:?}");
    for _ in 0..tries {
        let mut next = best;
        let Weights { territory, growing, threatened, hanging, open, front, turn, .. } = &mut next;
        let [[taken, lost], [hung, dropped]] = [threatened, hanging].map(|pair| pair.each_mut());
        let fields = [territory, growing, taken, lost, hung, dropped, open, front, turn];
        for field in fields {
            if random.below(3) == 0 {
                *field = *field * (50 + random.below(151) as i32) / 100 + random.below(21) as i32 - 10;
            }
        }
        let found = against_naive(next, 0..16);
        if found >= best_points {
            (best, best_points) = (next, found);
            println!("{best_points} of 64 points: {best:?}");
        }
    }
}

fn choose<E: Estimator<Position>>(
    position: &Position,
    depth: u32,
    estimator: &E,
) -> Option<<Position as grandstand_rules::turn::Position>::Move> {
    alphabeta(position, depth, estimator).mv
}
