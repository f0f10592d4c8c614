//! Rules for all expressions below a sequence: operators, branches, applications, atoms.

use super::{Grammar, Parsed, Parser};
use crate::core::{BinaryOp, Expr, ExprId, NameId, UnaryOp};
use crate::draft::BindingKind;
use crate::error::LoadError;
use crate::lexer::Token;
use crate::source::Span;

/// A branch whose `else` was read and whose last part is missing.
enum Branch {
    If { condition: Parsed, yes: Parsed },
    Split { value: Parsed, halves: [NameId; 2], yes: ExprId },
}

impl<G: Grammar> Parser<G> {
    pub(super) fn assignment(&mut self) -> Result<Parsed, LoadError> {
        let cell = self.binary(0)?;
        if !self.at_sign(":=") {
            return Ok(cell);
        }
        let sign = self.next();
        let value = self.deeper(Self::assignment)?;
        let expr = Expr::Assign { cell: cell.id, value: value.id };
        self.add(expr, sign, cell.extent.to(value.extent))
    }

    pub(crate) fn binary(&mut self, least: u8) -> Result<Parsed, LoadError> {
        let mut left = self.operand()?;
        while let Some((op, binds)) = self.operator().filter(|&(_, binds)| binds >= least) {
            let sign = self.next();
            let right = self.deeper(|parser| parser.binary(binds + 1))?;
            let expr = Expr::Binary { op, left: left.id, right: right.id };
            left = self.add(expr, sign, left.extent.to(right.extent))?;
        }
        Ok(left)
    }

    /// The next binary operator, and its precedence.
    fn operator(&self) -> Option<(BinaryOp, u8)> {
        Some(match self.peek() {
            Token::Sign("=") => (BinaryOp::Equal, 0),
            Token::Sign("<") => (BinaryOp::Less, 0),
            Token::Sign("+") => (BinaryOp::Add, 1),
            Token::Sign("-") => (BinaryOp::Sub, 1),
            Token::Sign("*") => (BinaryOp::Mul, 2),
            Token::Sign("/") => (BinaryOp::Div, 2),
            Token::Keyword("mod") => (BinaryOp::Mod, 2),
            token => return G::operator(token),
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
                let operand = self.deeper(Self::operand)?;
                let expr = G::spawn(self, operand)?;
                return self.add(expr, start, start.to(operand.extent));
            }
            Token::Keyword("let") => return self.sequence(),
            Token::Keyword("fn") => {
                let start = self.next();
                let token = self.at;
                let param = self.name()?;
                let hint = "a function of two arguments is written `fn x => fn y => …`";
                let more = match self.sign("=>", hint) {
                    Ok(_) => Vec::new(),
                    Err(error) => self.parameters(error, "=>")?,
                };
                let binding = self.bind(BindingKind::Fn, start, token, param);
                let body = self.sequence()?;
                more.into_iter().chain([binding]).for_each(|parameter| self.unbind(parameter));
                return self.add(Expr::Fn { param, body: body.id }, start, start.to(body.extent));
            }
            Token::Keyword("if" | "split") => return self.branches(),
            _ => {
                return match G::operand(self)? {
                    Some(operand) => Ok(operand),
                    None => self.application(),
                };
            }
        };
        let start = self.next();
        let operand = self.deeper(Self::operand)?;
        if op == UnaryOp::Do {
            self.after_do = self.at;
        }
        self.add(Expr::Unary { op, operand: operand.id }, start, start.to(operand.extent))
    }

    /// Parses a chain of `if … then … else split … of … else …`.
    fn branches(&mut self) -> Result<Parsed, LoadError> {
        let mut begun = Vec::new();
        loop {
            let start = self.span();
            let branch = if self.at_keyword("if") {
                self.next();
                self.begin(start, "then");
                let condition = self.sequence()?;
                self.complete(Some("else"))?;
                Branch::If { condition, yes: self.sequence()? }
            } else if self.at_keyword("split") {
                self.next();
                self.begin(start, "of");
                let value = self.sequence()?;
                self.complete(Some("else"))?;
                let function = self.sequence()?;
                let halves = [self.hidden("the left half"), self.hidden("the right half")];
                Branch::Split { value, halves, yes: self.apply_to_names(function, &halves)?.id }
            } else {
                break;
            };
            self.complete(None)?;
            begun.push((start, branch));
        }
        let mut whole = self.deeper(Self::assignment)?;
        while let Some((start, branch)) = begun.pop() {
            let no = whole.id;
            let (expr, span) = match branch {
                Branch::If { condition, yes } => {
                    (Expr::If { condition: condition.id, yes: yes.id, no }, condition.extent)
                }
                Branch::Split { value, halves: [left, right], yes } => {
                    (Expr::Split { value: value.id, left, right, yes, no }, value.extent)
                }
            };
            whole = self.add(expr, span, start.to(whole.extent))?;
        }
        Ok(whole)
    }

    /// A name that can't occur in source text.
    pub(crate) fn hidden(&mut self, text: &'static str) -> NameId {
        if let Some((_, name)) = self.hidden.iter().find(|(known, _)| *known == text) {
            return *name;
        }
        let name = NameId(self.tokens.names.len() as u32);
        self.tokens.names.push(text.to_owned());
        self.hidden.push((text, name));
        name
    }

    /// Applies a function to names.
    pub(crate) fn apply_to_names(&mut self, function: Parsed, names: &[NameId]) -> Result<Parsed, LoadError> {
        let extent = function.extent;
        names.iter().try_fold(function, |function, &name| {
            let argument = self.add(Expr::Name(name), extent, extent)?;
            let expr = Expr::Apply { function: function.id, argument: argument.id };
            self.add(expr, extent, extent)
        })
    }

    fn application(&mut self) -> Result<Parsed, LoadError> {
        let mut function = G::part(self)?;
        while match self.peek() {
            Token::Int(_) | Token::Text(_) | Token::Name(_) => true,
            Token::Sign(sign) => G::begins_atom(sign),
            Token::Keyword(_) | Token::End => false,
        } {
            let argument = G::part(self)?;
            let extent = function.extent.to(argument.extent);
            let expr = Expr::Apply { function: function.id, argument: argument.id };
            function = self.add(expr, extent, extent)?;
        }
        Ok(function)
    }

    /// Parses an atom common to both languages: an integer, a name, or the content of a cell.
    pub(crate) fn simple_atom(&mut self) -> Result<Parsed, LoadError> {
        let span = self.span();
        let expr = match self.peek() {
            Token::Int(value) => Expr::Int(*value),
            Token::Name(name) => Expr::Name(*name),
            Token::Sign("!") => {
                self.next();
                let operand = self.deeper(G::atom)?;
                let expr = Expr::Unary { op: UnaryOp::Get, operand: operand.id };
                return self.add(expr, span, span.to(operand.extent));
            }
            _ => return Err(self.expected("an expression")),
        };
        if let Expr::Name(_) = expr {
            self.uses.push((ExprId(self.nodes.len() as u32), self.at as u32));
        }
        self.next();
        self.add(expr, span, span)
    }

    /// Parses a text literal into the expressions of its character codes.
    pub(crate) fn codes(&mut self) -> Result<Vec<Parsed>, LoadError> {
        let Token::Text(codes) = self.peek().clone() else { return Err(self.expected("a text")) };
        let span = self.next();
        codes.into_iter().map(|code| self.add(Expr::Int(code), span, span)).collect()
    }

    /// Parses comma-separated expressions between brackets or parentheses; also returns their whole text.
    pub(crate) fn between(
        &mut self,
        close: &'static str,
        missing: &str,
    ) -> Result<(Vec<Parsed>, Span), LoadError> {
        let start = self.next();
        self.begin(start, close);
        let mut elements = Vec::new();
        while !self.at_sign(close) {
            if !elements.is_empty() {
                if !self.at_sign(",") {
                    return Err(self.expected(missing));
                }
                self.next();
            }
            elements.push(self.sequence()?);
        }
        Ok((elements, start.to(self.complete(None)?)))
    }
}
