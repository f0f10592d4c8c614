//! Matching of greatest weight in a general graph, by Edmonds' blossom algorithm in O(n³).
//!
//! This is the primal-dual method (Edmonds 1965, with Galil's account of 1986). Every vertex and every blossom has a
//! dual value; an edge is tight when the values at its ends sum to twice its weight; alternating trees grow from all
//! free vertices over tight edges. An odd cycle in a tree is contracted into a blossom, two trees that meet give an
//! augmenting path, and where no edge is tight the dual values move by the greatest step that keeps them feasible.
//! `forest` has the trees, `blossoms` the contractions.

mod blossoms;
mod forest;

/// Index that stands for no vertex and no node.
const NONE: usize = usize::MAX;

/// Matching of greatest total weight among `vertices` vertices; gives the mate of each vertex.
///
/// `weight` is called once for each two vertices, the lesser first; with a weight of 0 or less they are never matched.
/// A matching with more pairs and less weight is not preferred: to prefer it, add the same large weight to all edges.
pub fn greatest_weight(vertices: usize, weight: impl Fn(usize, usize) -> i128) -> Vec<Option<usize>> {
    let mut graph = Graph::new(vertices, weight);
    while graph.augment_once() {}
    (0..vertices).map(|vertex| Some(graph.mate[vertex]).filter(|&mate| mate != NONE)).collect()
}

/// Position of a node in the alternating trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    /// In no tree.
    Free,
    /// An even number of edges from the root.
    Even,
    /// An odd number of edges from the root.
    Odd,
}

/// Graph with its matching. Nodes are the vertices, from 0, followed by the blossoms.
#[derive(Debug)]
struct Graph {
    vertices: usize,
    nodes: usize,
    /// Edge weights, by two vertices.
    weight: Vec<i128>,
    /// Dual values, by node.
    dual: Vec<i128>,
    /// Vertex at the other end of a node's matched edge, by node.
    mate: Vec<usize>,
    /// Edge of least slack between two nodes, as the vertex in the first and the vertex in the second.
    edge: Vec<Option<(u32, u32)>>,
    /// Outermost node that contains a node, by node; `NONE` for a blossom that is not in use.
    top: Vec<usize>,
    /// Nodes of a blossom around its cycle, by blossom, beginning with the one that is matched outside.
    circle: Vec<Vec<usize>>,
    /// Direct part of a node that contains a vertex, by node and vertex.
    part: Vec<u32>,
    label: Vec<Label>,
    /// Vertex of the even node from which an odd node was reached, by node.
    parent: Vec<usize>,
    /// Even vertex whose edge to a node has the least slack, by node.
    nearest: Vec<usize>,
    /// Number of the last pass that visited a node on its way to a root.
    passed: Vec<u64>,
    passes: u64,
    /// Even vertices whose edges are still to be examined.
    queue: std::collections::VecDeque<usize>,
}

impl Graph {
    fn new(vertices: usize, weight: impl Fn(usize, usize) -> i128) -> Self {
        // Blossoms are nested or disjoint, and each has an odd number of vertices, at least three.
        let nodes = vertices + vertices / 2 + 1;
        let mut graph = Self {
            vertices,
            nodes,
            weight: vec![0; vertices * vertices],
            dual: vec![0; nodes],
            mate: vec![NONE; nodes],
            edge: vec![None; nodes * nodes],
            top: (0..nodes).map(|node| if node < vertices { node } else { NONE }).collect(),
            circle: vec![Vec::new(); nodes],
            part: vec![u32::MAX; nodes * vertices],
            label: vec![Label::Free; nodes],
            parent: vec![NONE; nodes],
            nearest: vec![NONE; nodes],
            passed: vec![0; nodes],
            passes: 0,
            queue: std::collections::VecDeque::new(),
        };
        for a in 0..vertices {
            graph.part[a * vertices + a] = a as u32;
            for b in a + 1..vertices {
                let weight = weight(a, b);
                if weight > 0 {
                    graph.weight[a * vertices + b] = weight;
                    graph.weight[b * vertices + a] = weight;
                    graph.edge[a * nodes + b] = Some((a as u32, b as u32));
                    graph.edge[b * nodes + a] = Some((b as u32, a as u32));
                }
            }
        }
        let greatest = graph.weight.iter().copied().max().unwrap_or(0);
        graph.dual[..vertices].fill(greatest);
        graph
    }

    fn edge(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        self.edge[from * self.nodes + to].map(|(from, to)| (from as usize, to as usize))
    }

    /// Distance of an edge from being tight.
    fn slack(&self, (from, to): (usize, usize)) -> i128 {
        self.dual[from] + self.dual[to] - 2 * self.weight[from * self.vertices + to]
    }

    /// Slack of the edge of least slack from an even vertex to a node.
    fn nearest_slack(&self, node: usize) -> Option<i128> {
        let from = self.nearest[node];
        if from == NONE {
            return None;
        }
        self.edge(from, node).map(|edge| self.slack(edge))
    }

    /// Records the even vertex `from` as nearest to `node`, if no other is nearer.
    fn offer(&mut self, from: usize, node: usize) {
        let Some(edge) = self.edge(from, node) else { return };
        if self.nearest_slack(node).is_none_or(|least| self.slack(edge) < least) {
            self.nearest[node] = from;
        }
    }

    /// Recomputes the even vertex nearest to a node.
    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = NONE;
        for vertex in 0..self.vertices {
            if self.top[vertex] != node && self.label[self.top[vertex]] == Label::Even {
                self.offer(vertex, node);
            }
        }
    }

    /// Calls `visit` with a node and all nodes inside of it.
    fn visit(&mut self, node: usize, mut visit: impl FnMut(&mut Self, usize)) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            visit(self, node);
            open.extend(&self.circle[node]);
        }
    }

    /// Sets the outermost node of everything inside of `node`.
    fn set_top(&mut self, node: usize, top: usize) {
        self.visit(node, |graph, inner| graph.top[inner] = top);
    }

    /// Queues the vertices of a node that became even.
    fn enqueue(&mut self, node: usize) {
        let vertices = self.vertices;
        self.visit(node, |graph, inner| {
            if inner < vertices {
                graph.queue.push_back(inner);
            }
        });
    }

    /// Outermost nodes in use.
    fn outermost(&self) -> impl Iterator<Item = usize> + use<> {
        let tops: Vec<usize> = (0..self.nodes).filter(|&node| self.top[node] == node).collect();
        tops.into_iter()
    }
}
