//! Core: the abstract syntax that the front ends produce and both engines run.
//!
//! Expressions are stored in one vector and refer to each other by index, so that a program of any depth is
//! built, traversed and dropped without recursion.

use crate::mistakes::Mistakes;
use crate::source::{Sources, Span};
use crate::world::Stuck;

/// An index into `Module::nodes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

/// An index into `Module::names`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

/// A binary operator on integers (`=` and `<>` also compare other values).
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
    /// The operator in source text.
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

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `~`
    Negate,
    /// `typeof`
    TypeOf,
    /// `rand`
    Random,
    /// `lref`: a new cell of the thread.
    NewOwn,
    /// `gref`: a new cell shared by the team.
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
    /// The operator in source text.
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
        /// The body, evaluated when the function is applied.
        body: ExprId,
    },
    /// `rec name in body`
    Rec {
        /// The name for the whole expression inside of `body`.
        name: NameId,
        /// The body, evaluated when the expression is unrolled.
        body: ExprId,
    },
    /// `let name = value in body`
    Let {
        /// The bound name.
        name: NameId,
        /// The value.
        value: ExprId,
        /// The scope of the name, which is also the value of the whole.
        body: ExprId,
    },
    /// `function argument`
    Apply {
        /// The function, evaluated first.
        function: ExprId,
        /// The argument, evaluated second.
        argument: ExprId,
    },
    /// `if condition then yes else no`
    If {
        /// The condition: zero is false, every other integer is true.
        condition: ExprId,
        /// The value of the whole if the condition is true.
        yes: ExprId,
        /// The value of the whole if the condition is false.
        no: ExprId,
    },
    /// `first; second`
    Then {
        /// The expression evaluated for its effects.
        first: ExprId,
        /// The value of the whole.
        second: ExprId,
    },
    /// `left op right`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand, evaluated first.
        left: ExprId,
        /// The right operand, evaluated second.
        right: ExprId,
    },
    /// `op operand`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// `(left, right)`; a list is nested pairs along the right halves.
    Pair {
        /// The left half, evaluated first.
        left: ExprId,
        /// The right half, evaluated second.
        right: ExprId,
    },
    /// `split value of function else no`
    Split {
        /// The value to split, evaluated first.
        value: ExprId,
        /// The name of the left half inside of `yes`.
        left: NameId,
        /// The name of the right half inside of `yes`.
        right: NameId,
        /// The value of the whole for a pair: `function left right`.
        yes: ExprId,
        /// The value of the whole for anything else.
        no: ExprId,
    },
    /// `(e0, …, en-1)`, or a text.
    Array(Vec<ExprId>),
    /// `array[index]`
    Index {
        /// The array, evaluated first.
        array: ExprId,
        /// The index, evaluated second.
        index: ExprId,
    },
    /// `array[index := value]`
    Update {
        /// The array, evaluated first.
        array: ExprId,
        /// The index, evaluated second.
        index: ExprId,
        /// The new element, evaluated third.
        value: ExprId,
    },
    /// `cell := value`
    Assign {
        /// The cell, evaluated first.
        cell: ExprId,
        /// The new content, evaluated second.
        value: ExprId,
    },
    /// `spawn body`
    Spawn {
        /// The program of the new thread.
        body: ExprId,
        /// The name of the parent's pid inside of `body`.
        parent: Option<NameId>,
    },
}

impl Expr {
    /// Calls `each` for every direct subexpression, in the order of the text, with the names bound in it.
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

    /// Whether the last subexpression follows, as after `in`, `;` and `else`, instead of being nested.
    pub(crate) fn goes_on(&self) -> bool {
        matches!(
            self,
            Self::Let { .. } | Self::Then { .. } | Self::If { .. } | Self::Split { .. } | Self::Pair { .. }
        )
    }
}

/// An expression with its source location.
#[derive(Clone, Debug)]
pub struct Node {
    /// The expression.
    pub expr: Expr,
    /// The location for messages: an operator's own sign, or the beginning of the expression.
    pub span: Span,
    /// The recursion depth that a pass needs if it handles `let`, `;` and `else` in a loop.
    pub(crate) nesting: u16,
}

/// A whole program: its expressions, names and sources.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) nodes: Vec<Node>,
    pub(crate) names: Vec<String>,
    pub(crate) root: ExprId,
    pub(crate) sources: Sources,
    /// The way in which a function of the language calls itself, for messages.
    pub(crate) recursion: &'static str,
    pub(crate) mistakes: Mistakes,
}

impl Module {
    /// The root expression, which is the whole program.
    pub fn root(&self) -> ExprId {
        self.root
    }

    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize].expr
    }

    /// The source location of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// All expressions; subexpressions come before those that contain them.
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

    /// The reason for a thread that is stuck at an unbound name.
    pub(crate) fn unbound(&self, at: ExprId) -> Stuck {
        let name = match self.expr(at) {
            Expr::Name(name) => self.name(*name).to_owned(),
            _ => String::new(),
        };
        let hint = if self.mistakes.itself.binary_search(&at).is_ok() { self.recursion } else { "" };
        Stuck::Unbound { name, hint }
    }
}
