//! Parallel search of the children of a node.

use std::time::Instant;

use grandstand_rules::turn::Position;

use super::node::{NodeContext, PARALLEL_DEPTH, ThreadData};
use super::split_points::{At, Child, NodeKind, SplitPoints};
use super::{Knowledge, Search, Shared};

/// The number of attempts of an idle thread to find work before it yields its processor for a moment.
const LOOKS: u32 = 256;

impl<P: Position, K: Knowledge<P>> Search<P, K> {
    /// The number of a node's children that are searched in sequence before the rest is shared. At a node where no child is expected to
    /// refute it, all are shared, since all of them are needed.
    pub(super) fn sequential_count(&self, place: NodeContext<'_, P>, count: usize) -> usize {
        let is_shared = place.depth >= PARALLEL_DEPTH
            && place
                .shared
                .split_points
                .as_ref()
                .is_some_and(|split_points| split_points.reaches(place.height));
        match place.kind {
            _ if !is_shared => count,
            NodeKind::All => 0,
            NodeKind::Pv | NodeKind::Cut => self.prune.split(count).max(1),
        }
    }

    /// Whether a shared node above that height was refuted, so that the nodes below it are irrelevant.
    pub(super) fn is_refuted_above(
        &self,
        local: &mut ThreadData<P>,
        shared: &Shared<'_, P>,
        height: usize,
    ) -> bool {
        let Some(split_points) = &shared.split_points else { return false };
        let cuts = split_points.cuts();
        if cuts != local.cuts {
            local.cuts = cuts;
            local.refuted_height = split_points.highest_cut(local.above).unwrap_or(usize::MAX);
        }
        local.refuted_height < height
    }

    /// Searches the children from `first` on together with helpers. Returns the best score with its move's index, and the critical path.
    pub(super) fn search_in_parallel(
        &self,
        local: &mut ThreadData<P>,
        place: NodeContext<'_, P>,
        first: usize,
        (alpha, beta): (i32, i32),
        (best, best_move): (i32, u16),
    ) -> (i32, u16, u64) {
        let NodeContext { height, depth, kind, .. } = place;
        let Some(split_points) = &place.shared.split_points else { return (best, best_move, 0) };
        let at = At { seat: local.seat, height };
        split_points.open(at, local.above, first, alpha, (best, best_move), |task| {
            let position = &local.positions[height];
            match &mut task.position {
                Some(place) => place.clone_from(position),
                None => task.position = Some(position.clone()),
            }
            task.moves.clone_from(&local.moves[height]);
            task.order.clone_from(&local.order[height]);
            (task.depth, task.beta, task.kind) = (depth, beta, kind);
        });
        let above = local.above.replace(at);
        let frame = split_points.frame(at);
        let mut wait = None;
        loop {
            self.share(local, place, split_points, at, beta);
            if !frame.is_reserved()
                || frame.is_cut()
                || self.is_refuted_above(local, place.shared, height + 1)
            {
                break;
            }
            let wait = wait.get_or_insert_with(|| Wait::new(split_points));
            while frame.is_reserved() {
                wait.for_work(|| self.help(local, place.shared, split_points, Some(at)));
            }
        }
        split_points.close(at);
        while frame.has_helpers() {
            let wait = wait.get_or_insert_with(|| Wait::new(split_points));
            wait.for_work(|| self.help(local, place.shared, split_points, Some(at)));
        }
        local.above = above;
        if local.refuted_height == height {
            local.refuted_height = usize::MAX;
        }
        frame.result()
    }

    /// Takes one child after another and tests whether it is better than alpha; if so, its value is searched. Only one thread does so
    /// at a time: others would search with a bound that is about to rise. Until then this thread does nothing here.
    fn share(
        &self,
        local: &mut ThreadData<P>,
        place: NodeContext<'_, P>,
        split_points: &SplitPoints<P>,
        at: At,
        beta: i32,
    ) {
        let NodeContext { shared, height, kind, .. } = place;
        let count = local.order[height].len();
        let frame = split_points.frame(at);
        let below = place.below(NodeKind::Cut);
        while !frame.is_cut() && !frame.is_reserved() && !self.is_refuted_above(local, shared, height + 1) {
            let Some(child) = split_points.take(at, kind, count) else { break };
            let Some(&(_, mv)) = local.order[height].get(child.place) else { break };
            local.advance(height, local.moves[height][usize::from(mv)]);
            let alpha = frame.alpha();
            let cost = self.cost(local, below.height);
            let (score, path) = self.node(local, below, -alpha - cost - 1, -alpha - cost);
            let (mut score, mut path) = (-score - cost, child.path + path);
            if local.refuted_height <= height || shared.is_stopped() {
                break;
            }
            let is_better = score > alpha && score < beta;
            let reservation =
                if is_better && frame.alpha() == alpha { split_points.reserve(at) } else { None };
            if is_better && reservation.is_none() {
                frame.put_back(Child { path, ..child });
                continue;
            }
            if reservation.is_some() {
                let pv = NodeContext { kind: NodeKind::Pv, ..below };
                let (found, searched) = self.node(local, pv, -beta - cost, -alpha - cost);
                (score, path) = (-found - cost, path + searched);
                if local.refuted_height <= height || shared.is_stopped() {
                    break;
                }
            }
            split_points.found(at, score, mv, path, beta);
        }
    }

    /// Helps another thread, below the shared node `below` if given; returns whether there was any work.
    fn help(
        &self,
        local: &mut ThreadData<P>,
        shared: &Shared<'_, P>,
        split_points: &SplitPoints<P>,
        below: Option<At>,
    ) -> bool {
        let mut todo = None;
        let help = split_points.join(local.seat, below, |At { height, .. }, task| {
            local.reach(height);
            if let Some(position) = &task.position {
                local.positions[height].clone_from(position);
            }
            local.moves[height].clone_from(&task.moves);
            local.order[height].clone_from(&task.order);
            todo = Some((NodeContext { shared, height, depth: task.depth, kind: task.kind }, task.beta));
        });
        let (Some(help), Some((place, beta))) = (help, todo) else { return false };
        local.begin(place.depth + place.height as u32);
        let above = local.above.replace(help.at);
        // The helper has not checked the nodes above yet.
        local.cuts = u64::MAX;
        self.share(local, place, split_points, help.at, beta);
        local.above = above;
        if below.is_none_or(|below| local.refuted_height > below.height) {
            local.refuted_height = usize::MAX;
        }
        shared.count(std::mem::take(&mut local.nodes));
        true
    }

    /// The loop of all threads except the one that was asked, while that one searches.
    pub(super) fn assist(
        &self,
        position: &P,
        seat: usize,
        shared: &Shared<'_, P>,
        split_points: &SplitPoints<P>,
    ) {
        let mut local = self.take_thread_data(position, seat);
        let mut wait = Wait::new(split_points);
        while !split_points.is_dismissed() {
            wait.for_work(|| self.help(&mut local, shared, split_points, None));
        }
        drop(wait);
        self.put_thread_data(local);
    }
}

/// Waits for work, and measures the idle time.
struct Wait<'a, P: Position> {
    split_points: &'a SplitPoints<P>,
    since: Instant,
    looks: u32,
}

impl<'a, P: Position> Wait<'a, P> {
    fn new(split_points: &'a SplitPoints<P>) -> Self {
        Self { split_points, since: Instant::now(), looks: 0 }
    }

    /// Does some work, if there is any; waits for a moment otherwise.
    fn for_work(&mut self, work: impl FnOnce() -> bool) {
        let looked = Instant::now();
        if work() {
            self.split_points.was_idle(looked - self.since);
            (self.since, self.looks) = (Instant::now(), 0);
            return;
        }
        self.looks += 1;
        if self.looks < LOOKS {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

impl<P: Position> Drop for Wait<'_, P> {
    fn drop(&mut self) {
        self.split_points.was_idle(self.since.elapsed());
    }
}
