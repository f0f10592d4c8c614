//! Values of positions, and the search window (sections 5.1 and 5.4).

use std::fmt;

use grandstand_rules::turn::{Position, Side};

/// The value of a position: greater is better for Maxie, who is [`Side::First`], less for Minnie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Estimate {
    /// Minnie has won, or can force a win.
    MinnieWins,
    /// The outcome is unknown, or a draw: a guess.
    Guess(i32),
    /// Maxie has won, or can force a win.
    MaxieWins,
}

impl Estimate {
    /// The value of a win of the side.
    pub fn win(side: Side) -> Self {
        match side {
            Side::First => Self::MaxieWins,
            Side::Second => Self::MinnieWins,
        }
    }

    /// Whether this value is better for the side than the other.
    pub fn is_better(self, other: Self, side: Side) -> bool {
        match side {
            Side::First => self > other,
            Side::Second => self < other,
        }
    }

    /// This value with a cost for the side, if it is a guess.
    #[must_use]
    pub fn less(self, cost: i32, side: Side) -> Self {
        match (self, side) {
            (Self::Guess(guess), Side::First) => Self::Guess(guess.saturating_sub(cost)),
            (Self::Guess(guess), Side::Second) => Self::Guess(guess.saturating_add(cost)),
            (won, _) => won,
        }
    }
}

/// Writes the form of the handout's traces; `~` is a minus.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinnieWins => f.write_str("Minnie wins!"),
            Self::MaxieWins => f.write_str("Maxie wins!"),
            Self::Guess(guess) if *guess < 0 => write!(f, "Guess: ~{}", guess.unsigned_abs()),
            Self::Guess(guess) => write!(f, "Guess: {guess}"),
        }
    }
}

/// Estimates positions: those at the end of the game, and those at which a search ends.
pub trait Estimator<P: Position>: Sync {
    /// The value of the position.
    fn estimate(&self, position: &P) -> Estimate;

    /// The cost of a first move for the side that makes it, by the position after it. Searches subtract it from the guess of that move
    /// at their root; moves further down cost nothing.
    fn cost(&self, _after: &P) -> i32 {
        0
    }
}

/// The value of a node, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<M> {
    /// The value of a node, reached by this move.
    Step(M, Estimate),
    /// The estimate of a node without search, or an initial bound.
    Leaf(Estimate),
}

impl<M: Copy> Value<M> {
    /// The candidate value.
    pub fn estimate(self) -> Estimate {
        match self {
            Self::Step(_, estimate) | Self::Leaf(estimate) => estimate,
        }
    }

    /// The move that reaches the value.
    pub fn mv(self) -> Option<M> {
        match self {
            Self::Step(mv, _) => Some(mv),
            Self::Leaf(_) => None,
        }
    }

    /// The better value for the side (`maxalpha`, `minbeta`). Of equal ones a step is preferred, so that there is a move; of two steps
    /// the existing one.
    #[must_use]
    pub fn improved(self, by: Self, side: Side) -> Self {
        let (old, new) = (self.estimate(), by.estimate());
        let is_move = matches!((self, by), (Self::Leaf(_), Self::Step(..)));
        if new.is_better(old, side) || new == old && is_move { by } else { self }
    }
}

/// The search window (αβ), values that the sides can reach elsewhere: Maxie at least alpha, Minnie at most beta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window<M> {
    /// The highest value that Maxie is sure of.
    pub alpha: Value<M>,
    /// The lowest value that Minnie is sure of.
    pub beta: Value<M>,
}

impl<M: Copy> Window<M> {
    /// The initial window (`initialAB`).
    pub const INITIAL: Self =
        Self { alpha: Value::Leaf(Estimate::MinnieWins), beta: Value::Leaf(Estimate::MaxieWins) };

    /// The bound of a side.
    pub fn of(self, side: Side) -> Value<M> {
        match side {
            Side::First => self.alpha,
            Side::Second => self.beta,
        }
    }

    /// The window after the side can also reach this value.
    #[must_use]
    pub fn improved(mut self, by: Value<M>, side: Side) -> Self {
        let bound = match side {
            Side::First => &mut self.alpha,
            Side::Second => &mut self.beta,
        };
        *bound = bound.improved(by, side);
        self
    }

    /// The window for a child whose move costs the side this much, in values without the cost.
    #[must_use]
    pub fn before(self, cost: i32, side: Side) -> Self {
        let shifted = |bound: Value<M>| match bound {
            Value::Step(mv, estimate) => Value::Step(mv, estimate.less(-cost, side)),
            Value::Leaf(estimate) => Value::Leaf(estimate.less(-cost, side)),
        };
        Self { alpha: shifted(self.alpha), beta: shifted(self.beta) }
    }

    /// Whether the rest of the node is irrelevant, because the opponent will avoid it.
    pub fn is_crossed(self) -> bool {
        self.alpha.estimate() >= self.beta.estimate()
    }
}

/// The size of a search, in nodes of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// The work: all nodes, including the root.
    pub nodes: u64,
    /// The number of estimated nodes.
    pub terminals: u64,
    /// The critical path: the nodes that must be searched in sequence, whatever the number of processors.
    pub path: u64,
}

impl Counts {
    /// The counts of one estimated node.
    pub(crate) const TERMINAL: Self = Self { nodes: 1, terminals: 1, path: 1 };
    /// The counts of one node with children.
    pub(crate) const INNER: Self = Self { nodes: 1, terminals: 0, path: 1 };

    /// The counts of two searches in sequence.
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            nodes: self.nodes + next.nodes,
            terminals: self.terminals + next.terminals,
            path: self.path + next.path,
        }
    }

    /// The counts of two searches in parallel.
    pub(crate) fn in_parallel(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            terminals: self.terminals + other.terminals,
            path: self.path.max(other.path),
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move; `None` at depth 0 and at the end of the game.
    pub mv: Option<M>,
    /// The value of the position to that depth.
    pub estimate: Estimate,
    /// The size of the search.
    pub counts: Counts,
}
