//! Graphs as adjacency lists (section 3), for territories and roads.

use thiserror::Error;

/// A vertex that the graph does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("vertex {vertex} is not in the graph, which has the vertices below {vertices}")]
pub struct NotInGraph {
    /// The vertex.
    pub vertex: usize,
    /// The number of vertices of the graph.
    pub vertices: usize,
}

/// A directed graph over the vertices 0 to n − 1; it is undirected if each edge exists in both directions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    adjacency: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph of `vertices` vertices with these directed edges (`from_edge_seq`, section 3.3). Neighbours are in ascending
    /// order; a repeated edge stays repeated. O(n + e log e).
    ///
    /// ```
    /// use grandstand_rules::riskless::Graph;
    /// let graph = Graph::from_edges(&[(0, 1), (1, 0), (1, 2), (2, 1)], 3)?;
    /// assert_eq!(graph, Graph::from_adjacency(vec![vec![1], vec![0, 2], vec![1]])?);
    /// # Ok::<(), grandstand_rules::riskless::NotInGraph>(())
    /// ```
    ///
    /// # Errors
    /// [`NotInGraph`] if an end of an edge is not a vertex.
    pub fn from_edges(edges: &[(usize, usize)], vertices: usize) -> Result<Self, NotInGraph> {
        let mut adjacency = vec![Vec::new(); vertices];
        for &(from, to) in edges {
            for vertex in [from, to] {
                if vertex >= vertices {
                    return Err(NotInGraph { vertex, vertices });
                }
            }
            adjacency[from].push(to);
        }
        adjacency.iter_mut().for_each(|neighbours| neighbours.sort_unstable());
        Ok(Self { adjacency })
    }

    /// The graph with edges from each vertex `i` to the vertices in `adjacency[i]`, in that order.
    ///
    /// # Errors
    /// [`NotInGraph`] if an edge leads to no vertex of the graph.
    pub fn from_adjacency(adjacency: Vec<Vec<usize>>) -> Result<Self, NotInGraph> {
        let vertices = adjacency.len();
        match adjacency.iter().flatten().find(|&&vertex| vertex >= vertices) {
            Some(&vertex) => Err(NotInGraph { vertex, vertices }),
            None => Ok(Self { adjacency }),
        }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.adjacency.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.adjacency.is_empty()
    }

    /// The targets of the edges from `source` (`get_neighbors`).
    ///
    /// # Errors
    /// [`NotInGraph`] if `source` is not in the graph.
    pub fn neighbours(&self, source: usize) -> Result<&[usize], NotInGraph> {
        let neighbours = self.adjacency.get(source).map(Vec::as_slice);
        neighbours.ok_or(NotInGraph { vertex: source, vertices: self.len() })
    }

    /// Every edge, in order of its source and then of the adjacency lists.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.adjacency.iter().enumerate().flat_map(|(from, list)| list.iter().map(move |&to| (from, to)))
    }

    /// Whether there is an edge (v, u) for each edge (u, v).
    pub fn is_undirected(&self) -> bool {
        self.edges().all(|(from, to)| self.adjacency[to].contains(&from))
    }

    /// Whether no edge is repeated and none leads from a vertex to itself.
    pub fn is_simple(&self) -> bool {
        self.adjacency.iter().enumerate().all(|(from, list)| {
            let mut seen = vec![false; self.len()];
            list.iter().all(|&to| to != from && !std::mem::replace(&mut seen[to], true))
        })
    }

    /// The vertices without a path to vertex 0, in ascending order; edges count in both directions. The graph is
    /// connected (a directed one: weakly connected) if there are none.
    pub fn cut_off(&self) -> Vec<usize> {
        let mut both = vec![Vec::new(); self.len()];
        for (from, to) in self.edges() {
            both[from].push(to);
            both[to].push(from);
        }
        let mut reached = vec![false; self.len()];
        let mut open: Vec<usize> = (0..self.len().min(1)).collect();
        while let Some(vertex) = open.pop() {
            if !std::mem::replace(&mut reached[vertex], true) {
                open.extend(&both[vertex]);
            }
        }
        (0..self.len()).filter(|&vertex| !reached[vertex]).collect()
    }

    /// Whether every vertex can be reached from every other one; edges count in both directions.
    pub fn is_connected(&self) -> bool {
        self.cut_off().is_empty()
    }
}
