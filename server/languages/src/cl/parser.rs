//! CL's grammar, as in `CL.md`, section 2.
//!
//! Recursive descent with precedence climbing. It calls itself at most [`MAX_NESTING`] deep: the chains of `let … in`, `;` and
//! `else if` that make programs long are followed in loops.

use crate::core::{BinaryOp, Expr, ExprId, Module, NameId, Node, UnaryOp};
use crate::error::LoadError;
use crate::lexer::{Token, Tokens};
use crate::source::Span;

/// How deep expressions may be nested, not counting what follows `in`, `;` and `else`.
pub(super) const MAX_NESTING: usize = 128;

pub(super) fn parse(tokens: Tokens) -> Result<Module, LoadError> {
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, nodes: Vec::new() };
    let root = parser.sequence()?;
    if *parser.peek() != Token::End {
        return Err(parser.expected("an operator, `;` or the end of the program"));
    }
    let nodes = parser.nodes;
    Ok(Module { nodes, names: tokens.names, root: root.id, sources: tokens.sources })
}

struct Parser<'t> {
    tokens: &'t Tokens,
    at: usize,
    depth: usize,
    nodes: Vec<Node>,
}

/// An expression and all of its text.
#[derive(Clone, Copy)]
struct Parsed {
    id: ExprId,
    extent: Span,
}

/// What a sequence has begun with and still needs its right side.
enum Begun {
    Let(NameId, Parsed, Span),
    First(Parsed, Span),
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens.tokens[self.at].1
    }

    fn next(&mut self) -> Span {
        let span = self.span();
        // The last token is `End`, which is never taken.
        self.at = (self.at + 1).min(self.tokens.tokens.len() - 1);
        span
    }

    fn at_keyword(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Keyword(keyword) if *keyword == word)
    }

    fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn keyword(&mut self, word: &'static str) -> Result<Span, LoadError> {
        if self.at_keyword(word) { Ok(self.next()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn sign(&mut self, sign: &'static str) -> Result<Span, LoadError> {
        if self.at_sign(sign) { Ok(self.next()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn name(&mut self) -> Result<NameId, LoadError> {
        match *self.peek() {
            Token::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.expected("a name")),
        }
    }

    fn expected(&self, expected: &str) -> LoadError {
        let found = match self.peek() {
            Token::Int(value) => format!("the number {}", value.to_string().replace('-', "~")),
            Token::Text(_) => "a text".to_owned(),
            Token::Name(name) => format!("the name `{}`", self.tokens.names[name.0 as usize]),
            Token::Keyword(word) => format!("the keyword `{word}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the program".to_owned(),
        };
        let place = Box::new(self.tokens.sources.place(self.span()));
        LoadError::Syntax { place, expected: expected.to_owned(), found }
    }

    fn too_deep(&self, span: Span) -> LoadError {
        let place = Box::new(self.tokens.sources.place(span));
        LoadError::TooLarge { place, what: "a nesting of expressions", limit: MAX_NESTING }
    }

    /// Adds an expression. `span` is what a message about it points at, `extent` all of its text.
    fn add(&mut self, expr: Expr, span: Span, extent: Span) -> Result<Parsed, LoadError> {
        let nesting = |id: ExprId| self.nodes[id.0 as usize].nesting;
        let below = |ids: &[ExprId]| ids.iter().map(|&id| nesting(id) + 1).max().unwrap_or(0);
        let depth = match &expr {
            Expr::Int(_) | Expr::Name(_) => 0,
            Expr::Fn { body, .. } | Expr::Rec { body, .. } | Expr::Spawn { body } => below(&[*body]),
            Expr::Let { value, body, .. } => below(&[*value]).max(nesting(*body)),
            Expr::Then { first, second } => below(&[*first]).max(nesting(*second)),
            Expr::If { condition, yes, no } => below(&[*condition, *yes]).max(nesting(*no)),
            Expr::Apply { function, argument } => below(&[*function, *argument]),
            Expr::Binary { left, right, .. } => below(&[*left, *right]),
            Expr::Unary { operand, .. } => below(&[*operand]),
            Expr::Array(elements) => below(elements),
            Expr::Index { array, index } => below(&[*array, *index]),
            Expr::Update { array, index, value } => below(&[*array, *index, *value]),
            Expr::Assign { cell, value } => below(&[*cell, *value]),
        };
        if depth as usize > MAX_NESTING {
            return Err(self.too_deep(span));
        }
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(Node { expr, span, nesting: depth });
        Ok(Parsed { id, extent })
    }

    /// Runs a rule one level deeper.
    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Result<T, LoadError>) -> Result<T, LoadError> {
        if self.depth == MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// A whole expression: `let`s and `;`s and what they lead to.
    fn sequence(&mut self) -> Result<Parsed, LoadError> {
        self.deeper(|parser| {
            let mut begun = Vec::new();
            let mut whole = loop {
                if parser.at_keyword("let") {
                    let start = parser.next();
                    let name = parser.name()?;
                    parser.sign("=")?;
                    let value = parser.sequence()?;
                    parser.keyword("in")?;
                    begun.push(Begun::Let(name, value, start));
                    continue;
                }
                let expression = parser.assignment()?;
                if !parser.at_sign(";") {
                    break expression;
                }
                let sign = parser.next();
                begun.push(Begun::First(expression, sign));
            };
            while let Some(begun) = begun.pop() {
                whole = match begun {
                    Begun::Let(name, value, start) => {
                        let expr = Expr::Let { name, value: value.id, body: whole.id };
                        parser.add(expr, start, start.to(whole.extent))?
                    }
                    Begun::First(first, sign) => {
                        let expr = Expr::Then { first: first.id, second: whole.id };
                        parser.add(expr, sign, first.extent.to(whole.extent))?
                    }
                };
            }
            Ok(whole)
        })
    }

    fn assignment(&mut self) -> Result<Parsed, LoadError> {
        let cell = self.binary(0)?;
        if !self.at_sign(":=") {
            return Ok(cell);
        }
        let sign = self.next();
        let value = self.deeper(Self::assignment)?;
        let expr = Expr::Assign { cell: cell.id, value: value.id };
        self.add(expr, sign, cell.extent.to(value.extent))
    }

    fn binary(&mut self, least: u8) -> Result<Parsed, LoadError> {
        let mut left = self.operand()?;
        while let Some((op, binds)) = self.operator().filter(|&(_, binds)| binds >= least) {
            let sign = self.next();
            let right = self.deeper(|parser| parser.binary(binds + 1))?;
            let expr = Expr::Binary { op, left: left.id, right: right.id };
            left = self.add(expr, sign, left.extent.to(right.extent))?;
        }
        Ok(left)
    }

    /// The binary operator that comes next, and how tightly it binds.
    fn operator(&self) -> Option<(BinaryOp, u8)> {
        Some(match self.peek() {
            Token::Sign("=") => (BinaryOp::Equal, 0),
            Token::Sign("<>") => (BinaryOp::Unequal, 0),
            Token::Sign("<") => (BinaryOp::Less, 0),
            Token::Sign(">") => (BinaryOp::Greater, 0),
            Token::Sign("<=") => (BinaryOp::LessEqual, 0),
            Token::Sign(">=") => (BinaryOp::GreaterEqual, 0),
            Token::Sign("+") => (BinaryOp::Add, 1),
            Token::Sign("-") => (BinaryOp::Sub, 1),
            Token::Sign("*") => (BinaryOp::Mul, 2),
            Token::Sign("/") | Token::Keyword("div") => (BinaryOp::Div, 2),
            Token::Keyword("mod") => (BinaryOp::Mod, 2),
            _ => return None,
        })
    }

    fn operand(&mut self) -> Result<Parsed, LoadError> {
        let op = match self.peek() {
            Token::Sign("~") => UnaryOp::Negate,
            Token::Keyword("typeof") => UnaryOp::TypeOf,
            Token::Keyword("rand") => UnaryOp::Random,
            Token::Keyword("lref") => UnaryOp::NewOwn,
            Token::Keyword("gref") => UnaryOp::NewShared,
            Token::Keyword("acquire") => UnaryOp::Acquire,
            Token::Keyword("release") => UnaryOp::Release,
            Token::Keyword("do") => UnaryOp::Do,
            Token::Keyword("spawn") => {
                let start = self.next();
                let body = self.deeper(Self::operand)?;
                return self.add(Expr::Spawn { body: body.id }, start, start.to(body.extent));
            }
            Token::Keyword("let") => return self.sequence(),
            Token::Keyword("fn") => {
                let start = self.next();
                let param = self.name()?;
                self.sign("=>")?;
                let body = self.sequence()?;
                return self.add(Expr::Fn { param, body: body.id }, start, start.to(body.extent));
            }
            Token::Keyword("rec") => {
                let start = self.next();
                let name = self.name()?;
                self.keyword("in")?;
                let body = self.sequence()?;
                return self.add(Expr::Rec { name, body: body.id }, start, start.to(body.extent));
            }
            Token::Keyword("if") => return self.conditional(),
            _ => return self.application(),
        };
        let start = self.next();
        let operand = self.deeper(Self::operand)?;
        self.add(Expr::Unary { op, operand: operand.id }, start, start.to(operand.extent))
    }

    /// A chain of `if … then … else if … then … else …`.
    fn conditional(&mut self) -> Result<Parsed, LoadError> {
        let mut begun = Vec::new();
        while self.at_keyword("if") {
            let start = self.next();
            let condition = self.sequence()?;
            self.keyword("then")?;
            let yes = self.sequence()?;
            self.keyword("else")?;
            begun.push((start, condition, yes));
        }
        let mut whole = self.deeper(Self::assignment)?;
        while let Some((start, condition, yes)) = begun.pop() {
            let expr = Expr::If { condition: condition.id, yes: yes.id, no: whole.id };
            whole = self.add(expr, condition.extent, start.to(whole.extent))?;
        }
        Ok(whole)
    }

    fn application(&mut self) -> Result<Parsed, LoadError> {
        let mut function = self.indexed()?;
        while matches!(self.peek(), Token::Int(_) | Token::Text(_) | Token::Name(_) | Token::Sign("(" | "!"))
        {
            let argument = self.indexed()?;
            let extent = function.extent.to(argument.extent);
            let expr = Expr::Apply { function: function.id, argument: argument.id };
            function = self.add(expr, extent, extent)?;
        }
        Ok(function)
    }

    fn indexed(&mut self) -> Result<Parsed, LoadError> {
        let mut array = self.atom()?;
        while self.at_sign("[") {
            let start = self.next();
            // Not `assignment`: in brackets `:=` is an array's.
            let index = self.deeper(|parser| parser.binary(0))?;
            let value = if self.at_sign(":=") {
                self.next();
                Some(self.sequence()?)
            } else {
                None
            };
            if !self.at_sign("]") {
                return Err(self.expected(if value.is_some() { "`]`" } else { "`]` or `:=`" }));
            }
            let end = self.next();
            let expr = match value {
                Some(value) => Expr::Update { array: array.id, index: index.id, value: value.id },
                None => Expr::Index { array: array.id, index: index.id },
            };
            array = self.add(expr, start.to(end), array.extent.to(end))?;
        }
        Ok(array)
    }

    fn atom(&mut self) -> Result<Parsed, LoadError> {
        let span = self.span();
        match self.peek() {
            Token::Int(value) => {
                let value = *value;
                self.next();
                self.add(Expr::Int(value), span, span)
            }
            Token::Name(name) => {
                let name = *name;
                self.next();
                self.add(Expr::Name(name), span, span)
            }
            Token::Text(codes) => {
                let codes = codes.clone();
                self.next();
                let mut elements = Vec::with_capacity(codes.len());
                for code in codes {
                    elements.push(self.add(Expr::Int(code), span, span)?.id);
                }
                self.add(Expr::Array(elements), span, span)
            }
            Token::Sign("!") => {
                self.next();
                let operand = self.deeper(Self::atom)?;
                let expr = Expr::Unary { op: UnaryOp::Get, operand: operand.id };
                self.add(expr, span, span.to(operand.extent))
            }
            Token::Sign("(") => self.parentheses(),
            Token::Sign("-") => Err(self.expected("an expression (a minus sign is written `~`)")),
            _ => Err(self.expected("an expression")),
        }
    }

    /// `(e)` is `e`; `()` and `(e0, e1, …)` are arrays.
    fn parentheses(&mut self) -> Result<Parsed, LoadError> {
        let start = self.next();
        if self.at_sign(")") {
            let extent = start.to(self.next());
            return self.add(Expr::Array(Vec::new()), extent, extent);
        }
        let first = self.sequence()?;
        let mut elements = vec![first.id];
        while self.at_sign(",") {
            self.next();
            elements.push(self.sequence()?.id);
        }
        if !self.at_sign(")") {
            return Err(self.expected("an operator, `,`, `;` or `)`"));
        }
        let extent = start.to(self.next());
        match elements.len() {
            1 => Ok(Parsed { id: first.id, extent }),
            _ => self.add(Expr::Array(elements), extent, extent),
        }
    }
}
