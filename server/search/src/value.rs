//! Values of positions, and the window in which a search looks (sections 5.1 and 5.4).

use std::fmt;

use grandstand_rules::turn::{Position, Side};

/// What a position is worth: more is better for Maxie, who is [`Side::First`], less for Minnie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Estimate {
    /// Minnie has won, or will.
    MinnieWins,
    /// Nobody knows, or it is a draw: a guess.
    Guess(i32),
    /// Maxie has won, or will.
    MaxieWins,
}

impl Estimate {
    /// What a won position is worth to whoever has won it.
    #[must_use]
    pub fn win(side: Side) -> Self {
        match side {
            Side::First => Self::MaxieWins,
            Side::Second => Self::MinnieWins,
        }
    }

    /// Whether this is better for the side than the other.
    #[must_use]
    pub fn is_better(self, other: Self, side: Side) -> bool {
        match side {
            Side::First => self > other,
            Side::Second => self < other,
        }
    }
}

/// As in the traces of the handout; `~` is a minus.
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

/// Says what positions are worth: those that are over, and those that a search does not look beyond.
pub trait Estimator<P: Position>: Sync {
    /// What the position is worth.
    fn estimate(&self, position: &P) -> Estimate;
}

/// What a search knows of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<M> {
    /// Some node has this value by this move.
    Step(M, Estimate),
    /// A node that was not looked beyond, or no bound yet.
    Leaf(Estimate),
}

impl<M: Copy> Value<M> {
    /// The candidate value.
    #[must_use]
    pub fn estimate(self) -> Estimate {
        match self {
            Self::Step(_, estimate) | Self::Leaf(estimate) => estimate,
        }
    }

    /// The move that has the value.
    #[must_use]
    pub fn mv(self) -> Option<M> {
        match self {
            Self::Step(mv, _) => Some(mv),
            Self::Leaf(_) => None,
        }
    }

    /// The better one for the side (`maxalpha`, `minbeta`). Of equal ones a step, so that there is a move to make; of two steps the
    /// one that was there.
    #[must_use]
    pub fn improved(self, by: Self, side: Side) -> Self {
        let (old, new) = (self.estimate(), by.estimate());
        let is_move = matches!((self, by), (Self::Leaf(_), Self::Step(..)));
        if new.is_better(old, side) || new == old && is_move { by } else { self }
    }
}

/// What each side is known to reach elsewhere (αβ): Maxie at least alpha, Minnie at most beta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds<M> {
    /// The highest value that Maxie can be sure of.
    pub alpha: Value<M>,
    /// The lowest value that Minnie can be sure of.
    pub beta: Value<M>,
}

impl<M: Copy> Bounds<M> {
    /// Nothing is known (`initialAB`).
    pub const INITIAL: Self =
        Self { alpha: Value::Leaf(Estimate::MinnieWins), beta: Value::Leaf(Estimate::MaxieWins) };

    /// The bound of that side.
    #[must_use]
    pub fn of(self, side: Side) -> Value<M> {
        match side {
            Side::First => self.alpha,
            Side::Second => self.beta,
        }
    }

    /// The bounds once the side can have this value too.
    #[must_use]
    pub fn improved(mut self, by: Value<M>, side: Side) -> Self {
        let bound = match side {
            Side::First => &mut self.alpha,
            Side::Second => &mut self.beta,
        };
        *bound = bound.improved(by, side);
        self
    }

    /// Whether the rest of the node does not matter, because the opponent will not let it come to this node.
    #[must_use]
    pub fn is_crossed(self) -> bool {
        self.alpha.estimate() >= self.beta.estimate()
    }
}

/// What a search has looked at, in nodes of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// The work: all nodes, the root too.
    pub nodes: u64,
    /// The nodes that were estimated.
    pub terminals: u64,
    /// The critical path: the nodes that have to be looked at one after another, whatever the number of processors.
    pub path: u64,
}

impl Counts {
    /// One node that was estimated.
    pub(crate) const TERMINAL: Self = Self { nodes: 1, terminals: 1, path: 1 };
    /// One node with children.
    pub(crate) const INNER: Self = Self { nodes: 1, terminals: 0, path: 1 };

    /// These, and after them the others.
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            nodes: self.nodes + next.nodes,
            terminals: self.terminals + next.terminals,
            path: self.path + next.path,
        }
    }

    /// These, and beside them the others.
    pub(crate) fn beside(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            terminals: self.terminals + other.terminals,
            path: self.path.max(other.path),
        }
    }
}

/// What a search has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move; `None` at depth 0 and when the game is over.
    pub mv: Option<M>,
    /// What the position is worth to that depth.
    pub estimate: Estimate,
    /// What it took.
    pub counts: Counts,
}
