//! Riskless (15-150, fall 2013, homework 11, sections 3 and 4): armies that move along the roads of a map, by turns and without
//! dice.
//!
//! `server/rules/RISKLESS.md` describes the rules as implemented here, and the decisions where the handout is silent.
//!
//! The graph functions of the handout's section 3 are those of [`Graph`]: `get_neighbors` is [`Graph::neighbours`], `from_edge_seq`
//! [`Graph::from_edges`], and `is_undirected` [`Graph::is_undirected`]:
//!
//! ```
//! use grandstand_rules::riskless::{Graph, NotInGraph};
//!
//! let graph = Graph::from_adjacency(vec![vec![1], vec![0, 3], vec![3], vec![1, 2]])?;
//! assert_eq!(graph.neighbours(1)?, [0, 3]);
//! assert_eq!(graph.neighbours(4), Err(NotInGraph { vertex: 4, vertices: 4 }));
//! assert!(graph.is_undirected() && graph.is_simple() && graph.is_connected());
//!
//! let line = Graph::from_edges(&[(0, 1), (1, 0), (1, 2), (2, 1)], 3)?;
//! assert_eq!(line, Graph::from_adjacency(vec![vec![1], vec![0, 2], vec![1]])?);
//! assert!(!Graph::from_edges(&[(0, 1), (1, 2), (2, 1)], 3)?.is_undirected());
//! # Ok::<(), NotInGraph>(())
//! ```

mod draw;
mod file;
pub mod fuzz;
mod graph;
mod map;
pub mod maps;
mod notation;
mod position;

pub use graph::{Graph, NotInGraph};
pub use map::{ARMIES_MAX, Map, NAME_MAX_CHARS, PLIES_MAX, TERRITORIES_MAX, Territory};
pub use notation::Unreadable;
pub use position::{Battle, Illegal, Move, Position, termination};
