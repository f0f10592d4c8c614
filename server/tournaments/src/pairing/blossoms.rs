//! Blossoms: contraction and expansion of odd cycles, and changes of the matching within them.

use super::{Graph, Label, NONE};

impl Graph {
    /// Contracts the cycle that is closed by the paths of two even nodes to their common ancestor.
    pub(super) fn contract(&mut self, one: usize, ancestor: usize, other: usize) {
        let blossom =
            (self.vertices..self.nodes).find(|&node| self.top[node] == NONE).unwrap_or(self.nodes - 1);
        let mut circle = vec![ancestor];
        self.climb(one, ancestor, &mut circle);
        circle[1..].reverse();
        self.climb(other, ancestor, &mut circle);
        self.dual[blossom] = 0;
        self.label[blossom] = Label::Even;
        self.mate[blossom] = self.mate[ancestor];
        self.parent[blossom] = self.parent[ancestor];
        self.circle[blossom] = circle.clone();
        self.set_top(blossom, blossom);
        for node in 0..self.nodes {
            self.edge[blossom * self.nodes + node] = None;
            self.edge[node * self.nodes + blossom] = None;
        }
        self.part[blossom * self.vertices..(blossom + 1) * self.vertices].fill(u32::MAX);
        for inner in circle {
            for node in 0..self.nodes {
                let Some(edge) = self.edge(inner, node) else { continue };
                if self.edge(blossom, node).is_none_or(|best| self.slack(edge) < self.slack(best)) {
                    self.edge[blossom * self.nodes + node] = self.edge[inner * self.nodes + node];
                    self.edge[node * self.nodes + blossom] = self.edge[node * self.nodes + inner];
                }
            }
            for vertex in 0..self.vertices {
                if self.part[inner * self.vertices + vertex] != u32::MAX {
                    self.part[blossom * self.vertices + vertex] = inner as u32;
                }
            }
        }
        self.find_nearest(blossom);
    }

    /// Appends the nodes from an even node up to below its ancestor to a cycle; odd ones become even.
    fn climb(&mut self, from: usize, ancestor: usize, circle: &mut Vec<usize>) {
        let mut node = from;
        while node != ancestor {
            circle.push(node);
            let odd = self.top[self.mate[node]];
            circle.push(odd);
            self.enqueue(odd);
            node = self.top[self.parent[odd]];
        }
    }

    /// Expands an odd blossom whose dual value is 0: its nodes on the path of the tree through it stay in the tree.
    pub(super) fn expand(&mut self, blossom: usize) {
        for inner in self.circle[blossom].clone() {
            self.set_top(inner, inner);
        }
        let parent = self.parent[blossom];
        let entered = self.edge(blossom, parent).map_or(NONE, |(inside, _)| inside);
        let entry = self.part_of(blossom, entered);
        let steps = self.turn_to(blossom, entry);
        let circle = std::mem::take(&mut self.circle[blossom]);
        for pair in circle[..steps].chunks_exact(2) {
            let (odd, even) = (pair[0], pair[1]);
            self.parent[odd] = self.edge(even, odd).map_or(NONE, |(outside, _)| outside);
            self.label[odd] = Label::Odd;
            self.label[even] = Label::Even;
            self.nearest[odd] = NONE;
            self.find_nearest(even);
            self.enqueue(even);
        }
        self.label[entry] = Label::Odd;
        self.parent[entry] = parent;
        for &inner in &circle[steps + 1..] {
            self.label[inner] = Label::Free;
            self.find_nearest(inner);
        }
        self.top[blossom] = NONE;
    }

    /// The part of a blossom that contains a vertex.
    fn part_of(&self, blossom: usize, vertex: usize) -> usize {
        self.part[blossom * self.vertices + vertex] as usize
    }

    /// Number of steps around the cycle from its first node to `inner`, made even: for an odd number the cycle is
    /// reversed.
    fn turn_to(&mut self, blossom: usize, inner: usize) -> usize {
        let circle = &mut self.circle[blossom];
        let steps = circle.iter().position(|&node| node == inner).unwrap_or(0);
        if steps % 2 == 0 {
            return steps;
        }
        circle[1..].reverse();
        circle.len() - steps
    }

    /// Matches a node with another one outside of it by the edge between them, and updates the matching inside of it.
    pub(super) fn set_mate(&mut self, node: usize, with: usize) {
        let mut open = vec![(node, with)];
        while let Some((node, with)) = open.pop() {
            let Some((inside, outside)) = self.edge(node, with) else { continue };
            self.mate[node] = outside;
            if node < self.vertices {
                continue;
            }
            let part = self.part_of(node, inside);
            let steps = self.turn_to(node, part);
            let circle = &mut self.circle[node];
            for index in 0..steps {
                open.push((circle[index], circle[index ^ 1]));
            }
            open.push((part, with));
            circle.rotate_left(steps);
        }
    }
}
