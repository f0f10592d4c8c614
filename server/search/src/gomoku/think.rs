//! Complete search: from the moves of a game to the move to play.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::board::SearchBoard;
use super::board_region::{self, BoardRegion};
use super::busy::Busy;
use super::geometry::{Point, STRIDE};
use super::kind;
use super::score::{INFINITE, SURE, WIN, win_at};
use super::worker::{Shared, Worker};
use super::{Engine, Limits, Rule, Thought, Unplayable};

/// The depth of the deepest iteration.
const MAX_DEPTH: u32 = 100;
/// The most moves that a search for wins by fours tries at the root.
const ROOT_FOURS: u32 = 20_000;
/// The most moves that a search for wins by threats tries at the root before each iteration, in addition to its share.
const FIRST_THREATS: u32 = 200;
/// The part of a hard limit that is reserved for returning the result.
const RESERVE: Duration = Duration::from_millis(3);

/// The result of a thread.
pub(super) struct Found {
    best: Point,
    score: i32,
    depth: u32,
    line: Vec<Point>,
}

impl Found {
    /// Whether this thread's result counts more than another's: a win, or else the deeper search.
    fn is_better(&self, other: &Found) -> bool {
        other.score < SURE && (self.score >= SURE || self.depth > other.depth)
    }
}

pub(super) fn think(
    engine: &mut Engine,
    moves: &[(u16, u16)],
    limits: &Limits,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Thought),
) -> Result<Thought, Unplayable> {
    let started = Instant::now();
    let region = BoardRegion::around(moves, engine.size);
    let board = set_up(engine, moves, region)?;
    let point_of = |(x, y): (u16, u16)| y * STRIDE + x;
    let out = |point: Point| region.outside((point % STRIDE, point / STRIDE));
    if board.is_full() {
        return Err(Unplayable::Full);
    }
    if board.stones() == 0 {
        let middle = region.size / 2;
        let mv = out(point_of((middle, middle)));
        return Ok(Thought { score: 0, depth: 0, nodes: 0, line: vec![mv] });
    }
    engine.table.age();
    let hard = limits.hard.map(|hard| hard.saturating_sub(RESERVE.min(hard / 10)));
    let tuning = engine.options.tuning.of_rule(engine.rule == Rule::Pente);
    let shared = Shared {
        table: &engine.table,
        halt: AtomicBool::new(false),
        stop,
        started,
        hard,
        max_nodes: limits.nodes,
        nodes: AtomicU64::new(0),
        tuning,
        busy: Busy::new(if tuning.put_off { engine.memories.len() } else { 1 }),
    };
    let Some((first, helpers)) = engine.memories.split_first_mut() else { return Err(Unplayable::Full) };
    let mut main = Worker::new(board.clone(), &shared, first, true).with_net();
    let roots = main.root_moves();
    let Some(&fallback) = roots.first() else {
        return anything(&board, out).ok_or(Unplayable::Full);
    };
    let found = std::thread::scope(|scope| {
        let shared = &shared;
        let mut threads = Vec::new();
        for memory in helpers.iter_mut() {
            let (board, roots) = (board.clone(), roots.clone());
            threads.push(scope.spawn(move || {
                let mut worker = Worker::new(board, shared, memory, false).with_net();
                let found = deepen(&mut worker, roots, limits, &mut |_, _| {});
                worker.tell_nodes();
                found
            }));
        }
        let mut found = deepen(&mut main, roots, limits, &mut |found, nodes| {
            let line = found.line.iter().map(|&p| out(p)).collect();
            report(&Thought { score: found.score, depth: found.depth, nodes, line });
        });
        shared.halt.store(true, Ordering::Relaxed);
        for thread in threads {
            let helper = thread.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause));
            if tuning.deepest
                && let Some(helper) = helper
                && found.as_ref().is_none_or(|found| helper.is_better(found))
            {
                found = Some(helper);
            }
        }
        found
    });
    let nodes = main.tell_nodes();
    let found = found.unwrap_or(Found { best: fallback, score: 0, depth: 0, line: vec![fallback] });
    let line = found.line.iter().map(|&p| out(p)).collect();
    Ok(Thought { score: found.score, depth: found.depth, nodes, line })
}

/// Plays the moves on a board of the region's size.
pub(super) fn set_up(
    engine: &Engine,
    moves: &[(u16, u16)],
    region: BoardRegion,
) -> Result<SearchBoard, Unplayable> {
    board_region::check(moves, engine.size, engine.rule == Rule::Pente)?;
    let mut board = SearchBoard::new(engine.rule, region.size);
    for (number, &mv) in moves.iter().enumerate() {
        match region.inside(mv) {
            Some((x, y)) => {
                let point = y * STRIDE + x;
                if !board.is_empty(point) {
                    return Err(Unplayable::Taken(number));
                }
                board.make(point);
            }
            None => board.pass(),
        }
    }
    Ok(board)
}

/// Any empty point, for a side to which every point is forbidden.
fn anything(board: &SearchBoard, out: impl Fn(Point) -> (u16, u16)) -> Option<Thought> {
    let size = board.size();
    let point =
        (0..size).flat_map(|y| (0..size).map(move |x| y * STRIDE + x)).find(|&p| board.is_empty(p))?;
    Some(Thought { score: -win_at(2), depth: 0, nodes: 0, line: vec![out(point)] })
}

/// Iterative deepening until a limit is reached.
pub(super) fn deepen(
    worker: &mut Worker<'_>,
    roots: Vec<Point>,
    limits: &Limits,
    done: &mut dyn FnMut(&Found, u64),
) -> Option<Found> {
    let me = worker.board.turn();
    let wins =
        |&&point: &&Point| worker.board.kind(me, point) == kind::FIVE || worker.board.captures_win(me, point);
    if let Some(&best) = roots.iter().find(wins) {
        return Some(Found { best, score: win_at(1), depth: 1, line: vec![best] });
    }
    if let [only] = roots[..] {
        return Some(Found { best: only, score: worker.evaluate(), depth: 0, line: vec![only] });
    }
    if worker.main
        && let Some((best, plies)) = worker.first_of_fours(ROOT_FOURS)
    {
        let found = Found { best, score: win_at(plies), depth: plies as u32, line: worker.line(best) };
        done(&found, worker.tell_nodes());
        return Some(found);
    }
    let threats = |worker: &Worker<'_>| {
        let share = u64::from(worker.shared.tuning.threats);
        if worker.main && share > 0 { FIRST_THREATS + (worker.nodes * share / 100) as u32 } else { 0 }
    };
    // Later plies compare themselves with the root's evaluation.
    worker.evals[0] = worker.evaluate();
    let mut roots: Vec<(Point, i32)> = roots.into_iter().map(|point| (point, -INFINITE)).collect();
    let mut found: Option<Found> = None;
    let mut settled = 0u32;
    for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
        let before = found.as_ref().map(|found| found.best);
        if let Some((best, plies)) = worker.win_by_threats(threats(worker)) {
            let won = Found { best, score: win_at(plies), depth: plies as u32, line: worker.line(best) };
            done(&won, worker.tell_nodes());
            return Some(won);
        }
        worker.root_depth = depth as i32;
        let score = aspire(worker, &mut roots, depth as i32, found.as_ref().map(|found| found.score));
        // The best move so far counts even in an incomplete iteration: it was searched first, or is better than the first one.
        if worker.halted && found.is_some() && roots[0].1 == -INFINITE {
            break;
        }
        if worker.halted && roots[0].1 == -INFINITE {
            return None;
        }
        let best = roots[0].0;
        settled = if before == Some(best) { settled + 1 } else { 0 };
        let score = if worker.halted { roots[0].1 } else { score };
        let done_depth = if worker.halted { depth - 1 } else { depth };
        found = Some(Found { best, score, depth: done_depth, line: worker.line(best) });
        if worker.halted {
            break;
        }
        if let Some(found) = &found {
            done(found, worker.tell_nodes());
        }
        // A certain win or loss does not change; if all moves but one lose, there is no choice.
        let losing = roots.iter().filter(|&&(_, score)| score <= -SURE).count();
        if score >= SURE
            || losing + 1 >= roots.len() && depth >= 8
            || score <= -SURE && depth as i32 >= WIN + score
        {
            break;
        }
        // Checks whether the other side then wins by threats; if so, the next iteration finds that in the table.
        worker.board.make(best);
        if let Some((answer, plies)) = worker.win_by_threats(threats(worker)) {
            worker.note_win(answer, plies, 1);
        }
        worker.board.undo();
        // If stopping early saves no time for later, all of the time is used.
        if let Some(soft) = limits.soft.filter(|&soft| limits.hard.is_none_or(|hard| soft < hard)) {
            let share = if settled >= 4 {
                0.45
            } else if settled >= 1 {
                0.6
            } else {
                0.8
            };
            if worker.shared.started.elapsed() >= soft.mul_f64(share) {
                break;
            }
        }
    }
    found
}

/// One iteration with an aspiration window around the previous score. The best move comes first in `roots`.
fn aspire(worker: &mut Worker<'_>, roots: &mut [(Point, i32)], depth: i32, guess: Option<i32>) -> i32 {
    let mut width = 24;
    let (mut alpha, mut beta) = match guess {
        Some(guess) if depth >= 4 && guess.abs() < SURE => (guess - width, guess + width),
        _ => (-INFINITE, INFINITE),
    };
    loop {
        let score = search_root(worker, roots, depth, alpha, beta);
        if worker.halted {
            return score;
        }
        width *= 3;
        if score <= alpha && alpha > -INFINITE {
            beta = (alpha + beta) / 2;
            alpha = if width > 400 { -INFINITE } else { score - width };
        } else if score >= beta && beta < INFINITE {
            beta = if width > 400 { INFINITE } else { score + width };
        } else {
            return score;
        }
    }
}

fn search_root(
    worker: &mut Worker<'_>,
    roots: &mut [(Point, i32)],
    depth: i32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let mut best = -INFINITE;
    for root in roots.iter_mut() {
        root.1 = -INFINITE;
    }
    // The moves with their numbers; those that another thread searches come a second time, last.
    let mut queue: VecDeque<(usize, Point, bool)> =
        roots.iter().enumerate().map(|(index, &(point, _))| (index, point, false)).collect();
    while let Some((index, point, again)) = queue.pop_front() {
        let busy = &worker.shared.busy;
        let mark = if index > 0 { busy.mark(worker.board.key(), point, depth) } else { None };
        if !again && busy.holds(mark) {
            queue.push_back((index, point, true));
            continue;
        }
        busy.begin(mark);
        worker.board.make(point);
        let mut score = 0;
        if index > 0 {
            let late = depth >= 3 && index >= 3;
            let less = if late { worker.selectivity.reduction(depth, index).min(depth - 2) } else { 0 };
            score = -worker.search::<false>(-alpha - 1, -alpha, depth - 1 - less, 1, true);
            if less > 0 && score > alpha && !worker.halted {
                score = -worker.search::<false>(-alpha - 1, -alpha, depth - 1, 1, true);
            }
        }
        if index == 0 || score > alpha {
            score = -worker.search::<true>(-beta, -alpha, depth - 1, 1, false);
        }
        worker.board.undo();
        worker.shared.busy.end(mark);
        if worker.halted {
            break;
        }
        let Some(at) = roots.iter().position(|root| root.0 == point) else { continue };
        roots[at].1 = score;
        if score > best {
            best = score;
            if at > 0 && score > alpha {
                roots[..=at].rotate_right(1);
            }
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_thread_counts_unless_one_has_won() {
        let found = |score, depth| Found { best: 0, score, depth, line: Vec::new() };
        assert!(found(-50, 12).is_better(&found(80, 11)));
        assert!(!found(90, 11).is_better(&found(80, 11)), "the first thread's choice among equals");
        assert!(found(win_at(9), 7).is_better(&found(80, 11)));
        assert!(!found(60, 14).is_better(&found(win_at(9), 11)));
    }
}
