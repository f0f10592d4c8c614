//! The searches on Riskless: one value whatever the search, and an estimate that is better than the naive one.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Move, Position, maps};
use grandstand_rules::turn::{Outcome, Position as _, Side, random_move};
use grandstand_search::riskless::{Armies, Balance, opening};
use grandstand_search::strong::{DEPTH_MAX, Info, Knowledge, Limits, Options, Search, WIN_AT_LEAST};
use grandstand_search::{Estimate, Estimator, PrunePercentage, alphabeta, jamboree, minimax};
use proptest::prelude::*;

fn start(map: &str) -> Position {
    Position::start(Arc::new(maps::by_name(map).unwrap()))
}

fn strong(position: &Position, threads: usize, prune: f64) -> Search<Position, Balance> {
    knowing(Balance::new(position.map()), threads, prune)
}

fn knowing(balance: Balance, threads: usize, prune: f64) -> Search<Position, Balance> {
    let options = Options { threads, table_mebibytes: 1, prune: PrunePercentage::new(prune).unwrap() };
    Search::new(balance, options).unwrap()
}

fn to_depth(search: &Search<Position, Balance>, position: &Position, depth: u32) -> Option<Info<Move>> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    search.think(position, &limits, &AtomicBool::new(false), &mut |_| ())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_search_finds_minimaxs_value(
        seed in any::<u64>(), plies in 0..60_u32, which in 0..4_usize, share in 0.0..=1.0, threads in 1..4_usize,
    ) {
        let (map, depth) = [("trees", 6), ("islands", 4), ("europe", 2), ("earth", 2)][which];
        let position = opening(&start(map), plies, seed);
        let mut balance = Balance::new(position.map());
        // One of the first moves leads to a position that was there before, and so does all that the searches see of one line.
        let (mut line, mut leaf) = (Vec::new(), position.clone());
        let mut random = SplitMix64::new(seed);
        while line.len() < depth as usize && let Some(mv) = random_move(&leaf, &mut random) {
            line.push(mv);
            leaf.advance(mv);
        }
        balance.recall(&position, &line);
        let expected = minimax(&position, depth, &balance);
        let prune = PrunePercentage::new(share).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut moves = vec![alphabeta(&position, depth, &balance), pool.install(|| jamboree(&position, depth, prune, &balance))];
        moves.retain(|found| found.estimate == expected.estimate);
        prop_assert_eq!(moves.len(), 2);
        let best = to_depth(&knowing(balance.clone(), threads, share), &position, depth);
        prop_assert_eq!(best.is_none(), position.end().is_some());
        let moves = moves.into_iter().filter_map(|found| found.mv);
        let moves = moves.chain(best.iter().map(|best| best.line[0]));
        for mv in moves {
            let child = position.clone().play(mv).unwrap();
            let value = minimax(&child, depth - 1, &Balance::new(position.map())).estimate;
            prop_assert_eq!(value.less(balance.cost(&child), position.to_move()), expected.estimate);
        }
        if let Some(best) = best {
            prop_assert_eq!((best.estimate, best.depth), (expected.estimate, depth));
            let mut position = position;
            for mv in best.line {
                position = position.play(mv).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Deep enough that threads help each other below the root, and more threads than processors, so that they lose them anywhere.
    #[test]
    fn jamboree_on_many_threads_finds_alpha_betas_value(
        seed in any::<u64>(), plies in 0..60_u32, which in 0..3_usize,
        share in prop::sample::select(vec![0.0, 0.1, 0.25, 0.5, 0.75, 1.0]), threads in 2..7_usize,
    ) {
        let (map, depth) = [("trees", 9), ("islands", 6), ("earth", 4)][which];
        let position = opening(&start(map), plies, seed);
        let one = to_depth(&strong(&position, 1, 1.0), &position, depth);
        let search = strong(&position, threads, share);
        for _ in 0..2 {
            let many = to_depth(&search, &position, depth);
            prop_assert_eq!(one.as_ref().map(|info| info.score), many.as_ref().map(|info| info.score));
            if let Some(many) = many {
                let child = position.clone().play(many.line[0]).unwrap();
                let below = to_depth(&strong(&child, 1, 1.0), &child, depth - 1);
                // A match that is over has no best move.
                let score = below.map(|below| -below.score);
                prop_assert!(score.is_none_or(|score| score == many.score));
                prop_assert!(many.counts.path <= many.nodes.max(1));
            }
        }
    }

    /// Broken off anywhere: the threads come back, and the next search is right.
    #[test]
    fn a_parallel_search_broken_off_leaves_nothing_behind(
        seed in any::<u64>(), nodes in 1..20_000_u64, threads in 2..5_usize,
    ) {
        let position = opening(&start("earth"), 20, seed);
        let search = strong(&position, threads, 0.0);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let broken = search.think(&position, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap();
        prop_assert_eq!(position.check(broken.line[0]), Ok(()));
        let one = to_depth(&strong(&position, 1, 1.0), &position, 3).unwrap();
        prop_assert_eq!(to_depth(&search, &position, 3).unwrap().score, one.score);
    }
}

#[test]
fn sequential_searches_look_at_the_same_nodes() {
    let position = opening(&start("earth"), 16, 2);
    let counts = |threads, share| to_depth(&strong(&position, threads, share), &position, 4).unwrap().counts;
    let one = counts(1, 1.0);
    assert!(one.nodes > 1_000);
    assert!(
        [(1, 0.0), (1, 0.5), (1, 1.0), (2, 1.0)]
            .into_iter()
            .all(|(threads, share)| counts(threads, share) == one)
    );
}

/// An estimate that fails after a while.
struct Failing(Balance, AtomicU64);

impl Estimator<Position> for Failing {
    fn estimate(&self, position: &Position) -> Estimate {
        assert!(self.1.fetch_add(1, Ordering::Relaxed) != 20_000, "the estimate fails");
        self.0.estimate(position)
    }
}

impl Knowledge<Position> for Failing {
    fn order_score(&self, position: &Position, mv: Move) -> i32 {
        self.0.order_score(position, mv)
    }

    fn history_index(&self, mv: Move) -> usize {
        self.0.history_index(mv)
    }
}

#[test]
fn a_panicking_estimate_ends_the_search() {
    let position = opening(&start("earth"), 16, 2);
    for threads in 1..5 {
        let options = Options { threads, table_mebibytes: 1, prune: PrunePercentage::new(0.0).unwrap() };
        let search = Search::new(Failing(Balance::new(position.map()), AtomicU64::new(0)), options).unwrap();
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let think = || search.think(&position, &limits, &AtomicBool::new(false), &mut |_| ());
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(think)).is_err());
    }
}

#[test]
fn a_kept_search_finds_what_a_new_one_does() {
    let start = opening(&start("islands"), 4, 1);
    let (mut position, mut moves) = (start.clone(), Vec::new());
    let mut kept = strong(&position, 2, 0.25);
    while position.end().is_none() && moves.len() < 60 {
        kept.knowledge_mut().recall(&start, &moves);
        let best = to_depth(&kept, &position, 3).unwrap();
        let mut new = strong(&position, 1, 1.0);
        new.knowledge_mut().recall(&start, &moves);
        let new = to_depth(&new, &position, 3).unwrap();
        assert_eq!((best.score, best.estimate), (new.score, new.estimate), "{position:?}");
        moves.push(best.line[0]);
        position.advance(best.line[0]);
    }
}

#[test]
fn a_search_told_of_the_match_counts_what_a_move_costs() {
    let position = opening(&start("islands"), 4, 1);
    for threads in [1, 2] {
        let mut search = strong(&position, threads, 0.0);
        let before = to_depth(&search, &position, 4).unwrap();
        // The best move leads to what was on the board before.
        let first = before.line[0];
        search.knowledge_mut().recall(&position, &[first]);
        let after = to_depth(&search, &position, 4).unwrap();
        let mut balance = Balance::new(position.map());
        balance.recall(&position, &[first]);
        assert_eq!(after.estimate, minimax(&position, 4, &balance).estimate);
        assert!(
            after.line[0] != first || after.score < before.score,
            "{} then {}",
            before.score,
            after.score
        );
    }
}

#[test]
fn a_move_to_an_earlier_position_costs_more_each_time() {
    // Both go forth and back, and all is full before long: every four moves the same position comes again.
    let start = start("europe");
    let circle = ["Norway-Sweden", "Belarus-Baltics", "Sweden-Norway", "Baltics-Belarus"];
    let mut positions = vec![start.clone()];
    let moves: Vec<Move> = (0..60).map(|ply| start.parse_move(circle[ply % 4]).unwrap()).collect();
    for &mv in &moves {
        positions.push(positions.last().unwrap().clone().play(mv).unwrap());
    }
    let mut balance = Balance::new(start.map());
    // The cost of the next move of the circle after so many.
    let mut cost = |played: usize| {
        balance.recall(&start, &moves[..played]);
        balance.cost(&positions[played + 1])
    };
    let once = cost(39) - cost(35);
    assert!(once > 0 && cost(35) > 0);
    assert_eq!([cost(40), cost(41), cost(43)], [cost(36), cost(37), cost(39)].map(|earlier| earlier + once));
    // Other armies, or a position that was never reached: nobody was there before.
    assert_eq!([cost(0), cost(8)], [0, 0]);
    // However often it comes, there is an end to it.
    assert_eq!(cost(59), 10 * once);
}

/// A search to an odd depth ends with a move of its own: it plans to leave the circle with the last one, and never does.
#[test]
fn circles_are_left_at_even_and_odd_depths() {
    let beginning = opening(&start("earth"), 6, 501);
    for depth in 2..=3 {
        let (mut position, mut moves) = (beginning.clone(), Vec::new());
        let mut times = HashMap::<u64, u32>::new();
        let mut balance = Balance::new(position.map());
        while position.end().is_none() && moves.len() < 120 {
            let found = if position.to_move() == Side::Second {
                balance.recall(&beginning, &moves);
                alphabeta(&position, depth, &balance)
            } else {
                alphabeta(&position, depth, &Armies)
            };
            moves.push(found.mv.unwrap());
            position.advance(found.mv.unwrap());
            *times.entry(position.standing()).or_default() += 1;
        }
        let most = times.into_values().max();
        assert!(most.is_some_and(|most| most <= 11), "depth {depth}: {most:?} times");
    }
}

#[test]
fn the_earlier_win_is_the_better_one() {
    // Maxie can take the last territory of Minnie.
    let mut position = start("trees");
    let mut plies = 0;
    let search = strong(&position, 1, 1.0);
    while position.end().is_none() {
        let best = to_depth(&search, &position, 8).unwrap();
        if best.score >= WIN_AT_LEAST {
            // A forced win comes nearer with every ply.
            let line = best.line.len();
            assert!(plies == 0 || line < plies, "{position:?}");
            plies = line;
        }
        position.advance(best.line[0]);
    }
    assert!(plies <= 1 || position.end().unwrap().outcome == Outcome::Draw);
}

#[test]
fn every_limit_holds_and_the_move_is_legal() {
    let position = opening(&start("earth"), 20, 3);
    let search = strong(&position, 2, 0.25);
    let stop = AtomicBool::new(true);
    let think =
        |limits: Limits, stop: &AtomicBool| search.think(&position, &limits, stop, &mut |_| ()).unwrap();
    let stopped = think(Limits::default(), &stop);
    assert_eq!(stopped.depth, 0);
    assert_eq!(position.check(stopped.line[0]), Ok(()));
    stop.store(false, Ordering::Relaxed);
    let few = think(Limits { nodes: Some(5_000), ..Limits::default() }, &stop);
    assert!(few.depth < DEPTH_MAX && few.counts.nodes < 50_000);
    let soft = think(Limits { soft: Some(Duration::ZERO), ..Limits::default() }, &stop);
    assert_eq!(soft.depth, 1);
    let hard = think(Limits { hard: Some(Duration::ZERO), ..Limits::default() }, &stop);
    assert_eq!(position.check(hard.line[0]), Ok(()));
}

#[test]
fn a_match_that_is_over_has_no_best_move() {
    let over = opening(&start("trees"), 1_000, 5);
    assert!(over.end().is_some());
    assert!(to_depth(&strong(&over, 1, 1.0), &over, 3).is_none());
    for estimate in [Armies.estimate(&over), Balance::new(over.map()).estimate(&over)] {
        match over.end().unwrap().outcome {
            Outcome::Win(side) => assert_eq!(estimate, Estimate::win(side)),
            Outcome::Draw => assert_eq!(estimate, Estimate::Guess(0)),
        }
    }
}

#[test]
fn the_naive_estimate_is_the_difference_of_armies() {
    let start = start("earth");
    assert_eq!(Armies.estimate(&start), Estimate::Guess(-1), "Minnie has one army more");
}

/// Plays a match in which both sides look two moves ahead, and gives its end. The better estimate hears what was played, or does not.
fn play(start: &Position, seed: u64, better: Side, remembers: bool) -> Position {
    let beginning = opening(start, 6, seed);
    let (mut position, mut moves) = (beginning.clone(), Vec::new());
    let mut balance = Balance::new(start.map());
    while position.end().is_none() {
        let found = if position.to_move() == better {
            if remembers {
                balance.recall(&beginning, &moves);
            }
            alphabeta(&position, 2, &balance)
        } else {
            alphabeta(&position, 2, &Armies)
        };
        moves.push(found.mv.unwrap());
        position.advance(found.mv.unwrap());
    }
    position
}

/// The number of matches of 20 that are won, drawn and lost, from both sides of ten openings.
fn twenty(map: &str, remembers: bool) -> [u32; 3] {
    let start = start(map);
    let mut counts = [0; 3];
    for (seed, better) in (0..10).flat_map(|seed| Side::ALL.map(|side| (seed, side))) {
        let end = play(&start, seed, better, remembers).end().unwrap();
        counts[match end.outcome {
            Outcome::Win(side) if side == better => 0,
            Outcome::Draw => 1,
            Outcome::Win(_) => 2,
        }] += 1;
    }
    counts
}

#[test]
fn the_better_estimate_wins_nine_of_ten() {
    for map in ["earth", "europe"] {
        let [won, drawn, lost] = twenty(map, true);
        assert!(won >= 18 && lost == 0, "{map}: {won} won, {drawn} drawn, {lost} lost");
    }
}

#[test]
fn who_does_not_remember_what_was_played_goes_round_in_circles() {
    let [won, drawn, lost] = twenty("europe", false);
    assert!(drawn >= 5, "{won} won, {drawn} drawn, {lost} lost");
}
