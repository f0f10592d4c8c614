//! Section 3: graphs as adjacency lists.

use grandstand_rules::riskless::{Graph, NotInGraph};
use proptest::prelude::*;

fn graph(adjacency: &[&[usize]]) -> Graph {
    Graph::from_adjacency(adjacency.iter().map(|list| list.to_vec()).collect()).unwrap()
}

#[test]
fn neighbours_are_those_of_the_handouts_example() {
    let graph = graph(&[&[1], &[0, 3], &[3], &[1, 2]]);
    assert_eq!(graph.neighbours(1), Ok(&[0, 3][..]));
    assert_eq!(graph.neighbours(2), Ok(&[3][..]));
}

#[test]
fn a_vertex_that_is_not_there_is_not_in_the_graph() {
    let outside = NotInGraph { vertex: 4, vertices: 4 };
    assert_eq!(graph(&[&[1], &[0, 3], &[3], &[1, 2]]).neighbours(4), Err(outside));
    assert_eq!(outside.to_string(), "vertex 4 is not in the graph, which has the vertices below 4");
    assert_eq!(Graph::from_edges(&[(0, 1), (1, 4)], 4), Err(outside));
    assert_eq!(Graph::from_adjacency(vec![vec![], vec![4], vec![], vec![]]), Err(outside));
    assert!(Graph::default().neighbours(0).is_err());
}

#[test]
fn edge_lists_become_adjacency_lists_as_in_the_handouts_example() {
    let edges = [(0, 1), (1, 0), (1, 2), (2, 1)];
    assert_eq!(Graph::from_edges(&edges, 3).unwrap(), graph(&[&[1], &[0, 2], &[1]]));
    // Figure 1, and vertices without any edge.
    let flights = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 2)];
    assert_eq!(Graph::from_edges(&flights, 4).unwrap(), graph(&[&[1], &[2], &[1, 3], &[1, 2]]));
    assert_eq!(Graph::from_edges(&[], 2).unwrap(), graph(&[&[], &[]]));
    assert!(Graph::from_edges(&[], 0).unwrap().is_empty());
}

#[test]
fn undirected_is_every_edge_in_both_directions() {
    assert!(graph(&[&[1], &[0, 2], &[1]]).is_undirected());
    assert!(!graph(&[&[1], &[2], &[1, 3], &[1, 2]]).is_undirected(), "figure 1: nobody flies from 1 to 0");
    assert!(graph(&[]).is_undirected() && graph(&[&[]]).is_undirected());
}

#[test]
fn simple_is_no_loop_and_no_edge_twice() {
    assert!(graph(&[&[1], &[0, 2], &[1]]).is_simple());
    assert!(!graph(&[&[0, 1], &[0]]).is_simple());
    assert!(!graph(&[&[1, 1], &[0]]).is_simple());
}

#[test]
fn connected_is_a_way_from_each_to_each_whatever_the_direction() {
    assert!(graph(&[&[1], &[2], &[1, 3], &[1, 2]]).is_connected());
    assert!(graph(&[&[], &[0], &[1]]).is_connected(), "weakly connected");
    let islands = graph(&[&[2], &[3], &[0], &[1]]);
    assert!(!islands.is_connected());
    assert_eq!(islands.cut_off(), [1, 3]);
    assert!(graph(&[]).is_connected() && graph(&[&[]]).is_connected());
}

fn edges() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (1..12_usize).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n), 0..30)))
}

proptest! {
    #[test]
    fn a_graph_has_the_edges_it_was_made_of((n, edges) in edges()) {
        let graph = Graph::from_edges(&edges, n).unwrap();
        let mut expected = edges.clone();
        expected.sort_unstable();
        prop_assert_eq!(graph.edges().collect::<Vec<_>>(), expected);
        prop_assert_eq!(graph.len(), n);
        let both: Vec<_> = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        prop_assert!(Graph::from_edges(&both, n).unwrap().is_undirected());
        prop_assert_eq!(graph.is_undirected(), edges.iter().all(|&(a, b)| edges.contains(&(b, a))));
    }

    /// A second implementation of connectivity: the union of sets.
    #[test]
    fn connected_is_one_group_after_joining_along_the_edges((n, edges) in edges()) {
        let mut group: Vec<usize> = (0..n).collect();
        for &(a, b) in &edges {
            let (old, new) = (group[a], group[b]);
            group.iter_mut().filter(|g| **g == old).for_each(|g| *g = new);
        }
        let graph = Graph::from_edges(&edges, n).unwrap();
        prop_assert_eq!(graph.is_connected(), group.iter().all(|&g| g == group[0]));
        let cut_off: Vec<usize> = (0..n).filter(|&v| group[v] != group[0]).collect();
        prop_assert_eq!(graph.cut_off(), cut_off);
    }
}
