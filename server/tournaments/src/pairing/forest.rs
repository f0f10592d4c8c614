//! Alternating trees: their growth, and the augmenting path where two meet.

use super::{Graph, Label, NONE};

impl Graph {
    /// Enlarges the matching by one pair; `false` if no pair adds weight.
    pub(super) fn augment_once(&mut self) -> bool {
        self.label.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        for node in self.outermost() {
            if self.mate[node] == NONE {
                self.parent[node] = NONE;
                self.label[node] = Label::Even;
                self.enqueue(node);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.grow() {
                return true;
            }
            if !self.move_duals() {
                return false;
            }
            for node in self.outermost() {
                let from = self.nearest[node];
                if from == NONE || self.top[node] != node || self.top[from] == node {
                    continue;
                }
                if let Some(edge) = self.edge(from, node)
                    && self.slack(edge) == 0
                    && self.meet(edge)
                {
                    return true;
                }
            }
            for node in self.outermost() {
                if node >= self.vertices && self.label[node] == Label::Odd && self.dual[node] == 0 {
                    self.expand(node);
                }
            }
        }
    }

    /// Grows the trees over tight edges until the queue is empty; true if two trees met and the matching was augmented.
    fn grow(&mut self) -> bool {
        while let Some(from) = self.queue.pop_front() {
            if self.label[self.top[from]] == Label::Odd {
                continue;
            }
            for to in 0..self.vertices {
                if self.weight[from * self.vertices + to] == 0 || self.top[from] == self.top[to] {
                    continue;
                }
                if self.slack((from, to)) == 0 {
                    if self.meet((from, to)) {
                        return true;
                    }
                } else {
                    self.offer(from, self.top[to]);
                }
            }
        }
        false
    }

    /// Moves the dual values by the greatest step that keeps them feasible; false if a free vertex would fall below 0,
    /// which ends the search.
    fn move_duals(&mut self) -> bool {
        let mut step = i128::MAX;
        for node in self.outermost() {
            if node >= self.vertices && self.label[node] == Label::Odd {
                step = step.min(self.dual[node] / 2);
            }
            match (self.label[node], self.nearest_slack(node)) {
                (Label::Free, Some(slack)) => step = step.min(slack),
                (Label::Even, Some(slack)) => step = step.min(slack / 2),
                _ => {}
            }
        }
        for vertex in 0..self.vertices {
            if self.label[self.top[vertex]] == Label::Even && self.dual[vertex] <= step {
                return false;
            }
        }
        for vertex in 0..self.vertices {
            match self.label[self.top[vertex]] {
                Label::Even => self.dual[vertex] -= step,
                Label::Odd => self.dual[vertex] += step,
                Label::Free => {}
            }
        }
        for node in self.outermost().filter(|&node| node >= self.vertices) {
            match self.label[node] {
                Label::Even => self.dual[node] += 2 * step,
                Label::Odd => self.dual[node] -= 2 * step,
                Label::Free => {}
            }
        }
        self.queue.clear();
        true
    }

    /// Takes a tight edge from an even vertex; true if it joined two trees and the matching was augmented.
    fn meet(&mut self, (from, to): (usize, usize)) -> bool {
        let (even, other) = (self.top[from], self.top[to]);
        match self.label[other] {
            Label::Odd => false,
            Label::Free => {
                self.parent[other] = from;
                self.label[other] = Label::Odd;
                self.nearest[other] = NONE;
                // A node outside of all trees is matched.
                let mate = self.top[self.mate[other]];
                self.nearest[mate] = NONE;
                self.label[mate] = Label::Even;
                self.enqueue(mate);
                false
            }
            Label::Even => match self.common_ancestor(even, other) {
                Some(ancestor) => {
                    self.contract(even, ancestor, other);
                    false
                }
                None => {
                    self.flip_path(even, other);
                    self.flip_path(other, even);
                    true
                }
            },
        }
    }

    /// The even node above an even node; `None` for a root.
    fn above(&self, node: usize) -> Option<usize> {
        let mate = self.mate[node];
        (mate != NONE).then(|| self.top[self.parent[self.top[mate]]])
    }

    /// The lowest common ancestor of two even nodes; `None` if they are in different trees.
    fn common_ancestor(&mut self, one: usize, other: usize) -> Option<usize> {
        self.passes += 1;
        let mut ways = [Some(one), Some(other)];
        while ways.iter().any(Option::is_some) {
            for way in &mut ways {
                let Some(node) = *way else { continue };
                if self.passed[node] == self.passes {
                    return Some(node);
                }
                self.passed[node] = self.passes;
                *way = self.above(node);
            }
        }
        None
    }

    /// Matches `node` with `with`, and flips the matching on the path up to the root of `node`.
    fn flip_path(&mut self, mut node: usize, mut with: usize) {
        loop {
            let mate = self.mate[node];
            let odd = if mate == NONE { NONE } else { self.top[mate] };
            self.set_mate(node, with);
            if odd == NONE {
                return;
            }
            let above = self.top[self.parent[odd]];
            self.set_mate(odd, above);
            (node, with) = (above, odd);
        }
    }
}
