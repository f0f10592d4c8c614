//! The core: the abstract syntax that the front ends produce and both engines run.
//!
//! Expressions lie in one vector and name each other by index, so that nothing about a program, however deep, recurses when it is
//! built, walked over or dropped.

use crate::slips::Slips;
use crate::source::{Sources, Span};
use crate::world::Stuck;

/// An index into `Module::nodes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

/// An index into `Module::names`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

/// What takes two integers (or, for `=` and `<>`, any two values that can be compared).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/` or `div`: rounds down.
    Div,
    /// `mod`: has the sign of its right side.
    Mod,
    /// `=`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
}

impl BinaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "mod",
            BinaryOp::Equal => "=",
            BinaryOp::Unequal => "<>",
            BinaryOp::Less => "<",
            BinaryOp::Greater => ">",
            BinaryOp::LessEqual => "<=",
            BinaryOp::GreaterEqual => ">=",
        }
    }
}

/// What takes one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `~`
    Negate,
    /// `typeof`
    TypeOf,
    /// `rand`
    Random,
    /// `lref`: a new cell of the thread's own.
    NewOwn,
    /// `gref`: a new cell that the team shares.
    NewShared,
    /// `!`
    Get,
    /// `acquire`
    Acquire,
    /// `release`
    Release,
    /// `do`
    Do,
}

impl UnaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "~",
            UnaryOp::TypeOf => "typeof",
            UnaryOp::Random => "rand",
            UnaryOp::NewOwn => "lref",
            UnaryOp::NewShared => "gref",
            UnaryOp::Get => "!",
            UnaryOp::Acquire => "acquire",
            UnaryOp::Release => "release",
            UnaryOp::Do => "do",
        }
    }
}

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// An integer.
    Int(i64),
    /// A name.
    Name(NameId),
    /// `fn param => body`
    Fn {
        /// The parameter.
        param: NameId,
        /// What it is applied to arguments for.
        body: ExprId,
    },
    /// `rec name in body`
    Rec {
        /// Stands for the whole expression inside of `body`.
        name: NameId,
        /// What is unrolled.
        body: ExprId,
    },
    /// `let name = value in body`
    Let {
        /// What is bound.
        name: NameId,
        /// To what.
        value: ExprId,
        /// Where.
        body: ExprId,
    },
    /// `function argument`
    Apply {
        /// Evaluated first.
        function: ExprId,
        /// Evaluated second.
        argument: ExprId,
    },
    /// `if condition then yes else no`
    If {
        /// Zero is false, every other integer is true.
        condition: ExprId,
        /// When it is true.
        yes: ExprId,
        /// When it is false.
        no: ExprId,
    },
    /// `first; second`
    Then {
        /// Evaluated for its effects.
        first: ExprId,
        /// The value of the whole.
        second: ExprId,
    },
    /// `left op right`
    Binary {
        /// Which.
        op: BinaryOp,
        /// Evaluated first.
        left: ExprId,
        /// Evaluated second.
        right: ExprId,
    },
    /// `op operand`
    Unary {
        /// Which.
        op: UnaryOp,
        /// Its operand.
        operand: ExprId,
    },
    /// `(left, right)`; a list is pairs in the right halves of pairs.
    Pair {
        /// Evaluated first.
        left: ExprId,
        /// Evaluated second.
        right: ExprId,
    },
    /// `split value of function else no`
    Split {
        /// Evaluated first.
        value: ExprId,
        /// Stands for the left half inside of `yes`.
        left: NameId,
        /// Stands for the right half inside of `yes`.
        right: NameId,
        /// When the value is a pair: `function left right`.
        yes: ExprId,
        /// When it is not.
        no: ExprId,
    },
    /// `(e0, …, en-1)`, or a text.
    Array(Vec<ExprId>),
    /// `array[index]`
    Index {
        /// Evaluated first.
        array: ExprId,
        /// Evaluated second.
        index: ExprId,
    },
    /// `array[index := value]`
    Update {
        /// Evaluated first.
        array: ExprId,
        /// Evaluated second.
        index: ExprId,
        /// Evaluated third.
        value: ExprId,
    },
    /// `cell := value`
    Assign {
        /// Evaluated first.
        cell: ExprId,
        /// Evaluated second.
        value: ExprId,
    },
    /// `spawn body`
    Spawn {
        /// What the new thread runs.
        body: ExprId,
        /// Stands for the parent's pid inside of `body`.
        parent: Option<NameId>,
    },
}

impl Expr {
    /// Calls `each` with every expression in this one, in the order of the text, and with the names that are bound in it.
    pub(crate) fn parts(&self, mut each: impl FnMut(ExprId, [Option<NameId>; 2])) {
        const NONE: [Option<NameId>; 2] = [None, None];
        match self {
            Self::Int(_) | Self::Name(_) => {}
            Self::Fn { param: name, body } | Self::Rec { name, body } => each(*body, [Some(*name), None]),
            Self::Spawn { body, parent } => each(*body, [*parent, None]),
            Self::Let { name, value, body } => {
                each(*value, NONE);
                each(*body, [Some(*name), None]);
            }
            Self::Split { value, left, right, yes, no } => {
                each(*value, NONE);
                each(*yes, [Some(*left), Some(*right)]);
                each(*no, NONE);
            }
            Self::If { condition: a, yes: b, no: c } | Self::Update { array: a, index: b, value: c } => {
                [a, b, c].into_iter().for_each(|part| each(*part, NONE));
            }
            Self::Then { first: a, second: b }
            | Self::Apply { function: a, argument: b }
            | Self::Binary { left: a, right: b, .. }
            | Self::Pair { left: a, right: b }
            | Self::Index { array: a, index: b }
            | Self::Assign { cell: a, value: b } => [a, b].into_iter().for_each(|part| each(*part, NONE)),
            Self::Unary { operand, .. } => each(*operand, NONE),
            Self::Array(elements) => elements.iter().for_each(|part| each(*part, NONE)),
        }
    }

    /// Whether its last part follows it, as after `in`, `;` and `else`, and is not nested in it.
    pub(crate) fn goes_on(&self) -> bool {
        matches!(
            self,
            Self::Let { .. } | Self::Then { .. } | Self::If { .. } | Self::Split { .. } | Self::Pair { .. }
        )
    }
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub expr: Expr,
    /// Where a message about it points: an operator's own sign, or the beginning of the expression.
    pub span: Span,
    /// How many calls of itself a recursive pass needs that goes along `let`, `;` and `else` in a loop.
    pub(crate) nesting: u16,
}

/// A whole program: its expressions, names and sources.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) nodes: Vec<Node>,
    pub(crate) names: Vec<String>,
    pub(crate) root: ExprId,
    pub(crate) sources: Sources,
    /// How a function of its language calls itself, as a message says it.
    pub(crate) recursion: &'static str,
    pub(crate) slips: Slips,
}

impl Module {
    /// The whole program.
    pub fn root(&self) -> ExprId {
        self.root
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize].expr
    }

    /// Where an expression stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// Every expression, those that are parts of others before them.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.nodes.len() as u32).map(ExprId)
    }

    /// A name's text.
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The files that the program was read from.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Why a thread is stuck at a name that nothing binds.
    pub(crate) fn unbound(&self, at: ExprId) -> Stuck {
        let name = match self.expr(at) {
            Expr::Name(name) => self.name(*name).to_owned(),
            _ => String::new(),
        };
        let hint = if self.slips.itself.binary_search(&at).is_ok() { self.recursion } else { "" };
        Stuck::Unbound { name, hint }
    }
}
