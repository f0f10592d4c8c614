//! Figures of the estimates for Riskless; `server/search/SEARCH.md` tells what came of them.
//!
//! `cargo bench -p grandstand-search --bench riskless_evaluation -- PART [NUMBER]` with the parts `estimates` (matches) and `fit` (tries).
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::ops::Range;
use std::sync::Arc;

use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Position, maps};
use grandstand_rules::turn::{Outcome, Position as _, Side};
use grandstand_search::alphabeta;
use grandstand_search::riskless::{Armies, Balance, Weights, opening};

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
    let maps = ["earth", "europe", "islands"];
    for (map, depth) in maps.into_iter().flat_map(|map| [(map, 2), (map, 3)]) {
        let Some(map) = maps::by_name(map) else { continue };
        let start = Position::start(Arc::new(map));
        let weights = Weights::default();
        let against = |name, other| {
            let ([won, drawn, lost], plies) = play(&start, depth, weights, other, 0..matches);
            println!(
                "{} at depth {depth} against {name}: {won} won, {drawn} drawn, {lost} lost, {plies} plies each",
                start.map().title()
            );
        };
        against("the naive estimate", None);
        against("itself", Some(weights));
    }
}

/// Matches of the better estimate, both ways from each opening, against the naive one or another better one: won, drawn and lost, and
/// the mean length.
fn play(
    start: &Position,
    depth: u32,
    one: Weights,
    other: Option<Weights>,
    numbers: Range<u32>,
) -> ([u32; 3], u32) {
    let mut one = Balance::with(start.map(), one);
    let mut other = other.map(|weights| Balance::with(start.map(), weights));
    let mut counts = [0; 3];
    let mut plies = 0;
    let matches = numbers.len().max(1) as u32;
    for number in numbers {
        let beginning = opening(start, 6, u64::from(number / 2));
        let mut position = beginning.clone();
        let mut moves = Vec::new();
        let side = Side::ALL[(number % 2) as usize];
        while position.end().is_none() {
            let thinker = if position.to_move() == side { Some(&mut one) } else { other.as_mut() };
            let found = match thinker {
                Some(balance) => {
                    balance.recall(&beginning, &moves);
                    alphabeta(&position, depth, balance)
                }
                None => alphabeta(&position, depth, &Armies),
            };
            let Some(mv) = found.mv else { break };
            moves.push(mv);
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
        starts.iter().map(|start| points(play(start, 2, weights, None, numbers.clone()).0)).sum()
    };
    let mut random = SplitMix64::new(tries.into());
    let mut best = Weights::default();
    let mut best_points = against_naive(best, 0..16);
    println!("{best_points} of 64 points: {best:?}");
    for _ in 0..tries {
        let mut next = best;
        let Weights { territory, growing, threatened, hanging, open, pressing, front, turn, again, .. } =
            &mut next;
        let [[taken, lost], [hung, dropped]] = [threatened, hanging].map(|pair| pair.each_mut());
        let fields = [territory, growing, taken, lost, hung, dropped, open, pressing, front, turn, again];
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
