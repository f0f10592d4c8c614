//! Explicit game trees: leaves with values, and nothing else. They serve to explain and to test searches.

use std::sync::Arc;

use grandstand_rules::turn::{self, End, Outcome, Side};
use thiserror::Error;

use crate::value::{Estimate, Estimator};

/// An error in the text of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct NotATree {
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Node {
    name: String,
    /// The value of a leaf.
    guess: Option<i32>,
    children: Vec<usize>,
}

/// A tree whose moves are the numbers of the children, from 0. Maxie moves at the root, then they take turns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Parses a tree: one line for each node with its name, below its parent and indented by two more blanks; a leaf has its
    /// value after the name. The order is that of the tree's traversal from left to right.
    ///
    /// ```
    /// use grandstand_search::{explicit::{Leaves, Tree, TreePosition}, alphabeta, Estimate};
    /// let tree = Tree::parse("root\n  left 3\n  right 5\n")?;
    /// let found = alphabeta(&TreePosition::root(tree), 1, &Leaves);
    /// assert_eq!((found.mv, found.estimate), (Some(1), Estimate::Guess(5)));
    /// # Ok::<(), grandstand_search::explicit::NotATree>(())
    /// ```
    ///
    /// # Errors
    /// The first invalid line.
    pub fn parse(text: &str) -> Result<Self, NotATree> {
        let mut tree = Self::default();
        let mut path: Vec<usize> = Vec::new();
        for (line, written) in (1..).zip(text.lines()) {
            let wrong = |reason| NotATree { line, reason };
            let blanks = written.len() - written.trim_start_matches(' ').len();
            let depth = blanks / 2;
            if !blanks.is_multiple_of(2) || depth > path.len() || (depth == 0) != tree.nodes.is_empty() {
                return Err(wrong("this is no child of a node above it"));
            }
            path.truncate(depth);
            let mut words = written.split_whitespace();
            let name = words.next().ok_or_else(|| wrong("a node has a name"))?.to_owned();
            let guess = match words.next().map(str::parse) {
                Some(Ok(guess)) => Some(guess),
                Some(Err(_)) => return Err(wrong("a value is a whole number")),
                None => None,
            };
            if words.next().is_some() {
                return Err(wrong("a node has a name, and a leaf a value"));
            }
            let number = tree.nodes.len();
            if let Some(&parent) = path.last() {
                if tree.nodes[parent].guess.is_some() {
                    return Err(wrong("its parent has a value, as leaves have"));
                }
                tree.nodes[parent].children.push(number);
            }
            tree.nodes.push(Node { name, guess, children: Vec::new() });
            path.push(number);
        }
        match tree.nodes.iter().position(|node| node.guess.is_none() && node.children.is_empty()) {
            Some(node) => Err(NotATree { line: node + 1, reason: "a leaf has a value" }),
            None if tree.nodes.is_empty() => Err(NotATree { line: 1, reason: "there is no node" }),
            None => Ok(tree),
        }
    }

    /// A tree of the given depth in which every inner node has `breadth` children. `value` gives the value of each leaf by its
    /// number from left to right.
    pub fn uniform(breadth: usize, depth: u32, mut value: impl FnMut(usize) -> i32) -> Self {
        let mut nodes = vec![Node::default()];
        let mut row = 0..1;
        for _ in 0..depth {
            let below = nodes.len();
            for parent in row.clone() {
                let first = nodes.len();
                nodes[parent].children = (first..first + breadth).collect();
                nodes.resize_with(first + breadth, Node::default);
            }
            row = below..nodes.len();
        }
        let first = row.start;
        row.for_each(|leaf| nodes[leaf].guess = Some(value(leaf - first)));
        Self { nodes }
    }
}

impl Tree {
    /// The number of moves to the deepest leaf.
    pub fn height(&self) -> u32 {
        let mut heights = vec![0; self.nodes.len()];
        let mut height = 0;
        for (parent, node) in self.nodes.iter().enumerate() {
            // Every child comes after its parent.
            for &child in &node.children {
                heights[child] = heights[parent] + 1;
                height = height.max(heights[child]);
            }
        }
        height
    }
}

/// A position in a tree. At a leaf the game is over; its outcome, a draw, is unrelated to its value.
#[derive(Debug, Clone)]
pub struct TreePosition {
    tree: Arc<Tree>,
    node: usize,
    ply: u32,
}

impl PartialEq for TreePosition {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && (Arc::ptr_eq(&self.tree, &other.tree) || self.tree == other.tree)
    }
}

/// A number that is not a child of the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this node has {children} children; there is none of number {mv}")]
pub struct NoChild {
    /// The move.
    pub mv: usize,
    /// The number of children.
    pub children: usize,
}

impl TreePosition {
    /// The root of a tree.
    pub fn root(tree: Tree) -> Self {
        Self { tree: Arc::new(tree), node: 0, ply: 0 }
    }

    /// The name of the node.
    pub fn name(&self) -> &str {
        self.node().map_or("", |node| &node.name)
    }

    fn node(&self) -> Option<&Node> {
        self.tree.nodes.get(self.node)
    }

    fn children(&self) -> &[usize] {
        self.node().map_or(&[], |node| &node.children)
    }
}

impl turn::Position for TreePosition {
    type Move = usize;
    type Illegal = NoChild;
    type Unreadable = std::num::ParseIntError;

    fn to_move(&self) -> Side {
        Side::ALL[(self.ply % 2) as usize]
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn end(&self) -> Option<End> {
        self.children().is_empty().then_some(End { outcome: Outcome::Draw, termination: "leaf" })
    }

    fn legal_moves(&self, moves: &mut Vec<usize>) {
        moves.extend(0..self.children().len());
    }

    fn check(&self, mv: usize) -> Result<(), NoChild> {
        let children = self.children().len();
        if mv < children { Ok(()) } else { Err(NoChild { mv, children }) }
    }

    fn advance(&mut self, mv: usize) {
        if let Some(&child) = self.children().get(mv) {
            self.node = child;
            self.ply += 1;
        }
    }

    fn parse_move(&self, text: &str) -> Result<usize, Self::Unreadable> {
        text.trim().parse()
    }

    fn move_text(&self, mv: usize) -> String {
        mv.to_string()
    }

    fn key(&self) -> u64 {
        (self.node as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The values of the leaves. An inner node has the value 0: a search that estimates one is not deep enough.
#[derive(Debug, Clone, Copy)]
pub struct Leaves;

impl Estimator<TreePosition> for Leaves {
    fn estimate(&self, position: &TreePosition) -> Estimate {
        Estimate::Guess(position.node().and_then(|node| node.guess).unwrap_or_default())
    }
}
