//! Figures of the estimates for Riskless; `server/search/SEARCH.md` tells what came of them.
//!
//! `cargo bench -p grandstand-search --bench riskless -- PART [NUMBER]` with the parts `estimates` (matches) and `fit` (tries).
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::ops::Range;
use std::sync::Arc;

use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Position, maps};
use grandstand_rules::turn::{Outcome, Position as _, Side};
use grandstand_search::riskless::{Armies, Balance, Weights, opening};
use grandstand_search::{Estimator, alphabeta};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = arguments.get(1).and_then(|number| number.parse().ok());
    match arguments.first().map(String::as_str) {
        Some("fit") => fit(number.unwrap_or(20)),
        Some("estimates") => estimates(number.unwrap_or(100)),
        _ => estimates(2),
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
