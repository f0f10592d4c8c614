//! Matching of greatest weight in a general graph, by Edmonds' blossom algorithm in O(n³).
//!
//! It is the primal-dual method (Edmonds 1965, with Galil's account of 1986): every vertex and every blossom has a dual value, an
//! edge is tight when the values at its ends are twice its weight, and alternating trees grow from all free vertices over tight edges.
//! An odd circle in a tree is contracted into a blossom, two trees that meet give an augmenting path, and where nothing is tight
//! the dual values move by the greatest step that keeps them feasible. `forest` has the trees, `blossoms` the contractions.

mod blossoms;
mod forest;

/// No vertex and no node.
const NONE: usize = usize::MAX;

/// The matching of greatest total weight among `vertices` vertices: for each the vertex that it is matched with.
///
/// `weight` is asked once for each two vertices, the lesser first; 0 and less: they are never matched. A matching with more pairs
/// and less weight is not preferred: add the same large weight to all edges for that.
pub fn greatest_weight(vertices: usize, weight: impl Fn(usize, usize) -> i128) -> Vec<Option<usize>> {
    let mut graph = Graph::new(vertices, weight);
    while graph.augment_once() {}
    (0..vertices).map(|vertex| Some(graph.mate[vertex]).filter(|&mate| mate != NONE)).collect()
}

/// Where a node stands in the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    /// In none.
    Free,
    /// An even number of edges from a root.
    Even,
    /// An odd number.
    Odd,
}

/// The graph with its matching. Nodes are vertices, from 0, and blossoms behind them.
#[derive(Debug)]
struct Graph {
    vertices: usize,
    nodes: usize,
    /// By two vertices.
    weight: Vec<i128>,
    /// By node.
    dual: Vec<i128>,
    /// By node: the vertex at the other end of its edge in the matching.
    mate: Vec<usize>,
    /// By two nodes: the edge of least slack between them, as the vertex in the one and the vertex in the other.
    edge: Vec<Option<(u32, u32)>>,
    /// By node: the outermost node that it is in; none: a blossom that is not in use.
    top: Vec<usize>,
    /// By blossom: its nodes around the circle, from the one that is matched outside.
    circle: Vec<Vec<usize>>,
    /// By node and vertex: in which of its nodes the vertex is.
    part: Vec<u32>,
    label: Vec<Label>,
    /// By odd node: the vertex of the even node from which it was reached.
    parent: Vec<usize>,
    /// By node: the even vertex whose edge to it has the least slack.
    nearest: Vec<usize>,
    /// When a node was last passed on the way to a root.
    passed: Vec<u64>,
    passes: u64,
    /// Even vertices whose edges are to be looked at.
    queue: std::collections::VecDeque<usize>,
}

impl Graph {
    fn new(vertices: usize, weight: impl Fn(usize, usize) -> i128) -> Self {
        // Blossoms lie within each other or apart, and each has an odd number of vertices, at least three.
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

    /// How far an edge is from being tight.
    fn slack(&self, (from, to): (usize, usize)) -> i128 {
        self.dual[from] + self.dual[to] - 2 * self.weight[from * self.vertices + to]
    }

    /// The slack of the edge of least slack from an even vertex to a node.
    fn nearest_slack(&self, node: usize) -> Option<i128> {
        let from = self.nearest[node];
        if from == NONE {
            return None;
        }
        self.edge(from, node).map(|edge| self.slack(edge))
    }

    /// Remembers `from`, an even vertex, where it is nearer to `node` than others.
    fn offer(&mut self, from: usize, node: usize) {
        let Some(edge) = self.edge(from, node) else { return };
        if self.nearest_slack(node).is_none_or(|least| self.slack(edge) < least) {
            self.nearest[node] = from;
        }
    }

    /// Finds the even vertex nearest to a node anew.
    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = NONE;
        for vertex in 0..self.vertices {
            if self.top[vertex] != node && self.label[self.top[vertex]] == Label::Even {
                self.offer(vertex, node);
            }
        }
    }

    /// Calls `visit` with a node and all nodes in it.
    fn visit(&mut self, node: usize, mut visit: impl FnMut(&mut Self, usize)) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            visit(self, node);
            open.extend(&self.circle[node]);
        }
    }

    /// Makes `top` the outermost node of all that is in `node`.
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
