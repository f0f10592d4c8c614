//! The grammar that the languages share, as in section 2 of `CL.md` and `RCL.md`; what differs is their [`Grammar`]s' to say.
//!
//! Recursive descent with precedence climbing. It calls itself at most [`MAX_NESTING`] deep: the chains of `let … in`, `;`, `else if` and
//! the elements of lists that make programs long are followed in loops.

use std::marker::PhantomData;

use crate::core::{BinaryOp, Expr, ExprId, Module, NameId, Node, UnaryOp};
use crate::error::LoadError;
use crate::lexer::{self, Token, Tokens};
use crate::notes::{self, Opened};
use crate::slips::{self, Slips};
use crate::source::{FileSource, Span};

/// How deep expressions may be nested, not counting what follows `in`, `;` and `else`.
const MAX_NESTING: usize = 128;

/// What a language's grammar has of its own. Which words are keywords decides between the constructs that begin with one.
pub(crate) trait Grammar: Sized {
    /// The words that can't be names.
    const KEYWORDS: &'static [&'static str];

    /// Whether an atom can begin with this sign.
    fn begins_atom(sign: &str) -> bool;

    /// The smallest expressions.
    fn atom(parser: &mut Parser<Self>) -> Result<Parsed, LoadError>;

    /// An atom with what may be written behind it: what can be applied, and be an argument.
    fn part(parser: &mut Parser<Self>) -> Result<Parsed, LoadError> {
        Self::atom(parser)
    }

    /// An operand that not both languages have, if one begins here.
    fn operand(_parser: &mut Parser<Self>) -> Result<Option<Parsed>, LoadError> {
        Ok(None)
    }

    /// The binary operator that a token is when not both languages have it, and how tightly it binds.
    fn operator(_token: &Token) -> Option<(BinaryOp, u8)> {
        None
    }

    /// What `spawn operand` stands for.
    fn spawn(parser: &mut Parser<Self>, operand: Parsed) -> Result<Expr, LoadError>;

    /// What a message says besides about a token that this language has no use for, given the one before it.
    fn hint(before: Option<&Token>, token: &Token) -> Option<&'static str>;

    /// How a function calls itself, for a message about one that doesn't.
    const RECURSION: &'static str;
}

/// Reads a program.
pub(crate) fn parse<G: Grammar>(path: &str, files: &dyn FileSource) -> Result<Module, LoadError> {
    let tokens = lexer::tokenize(path, files, G::KEYWORDS)?;
    let mut parser = Parser::<G> {
        tokens,
        at: 0,
        depth: 0,
        nodes: Vec::new(),
        hidden: Vec::new(),
        open: Vec::new(),
        after_do: 0,
        grammar: PhantomData,
    };
    let root = parser.sequence()?;
    if *parser.peek() != Token::End {
        return Err(parser.expected("an operator, `;` or the end of the program"));
    }
    let Parser { tokens: Tokens { names, sources, .. }, nodes, .. } = parser;
    let mut module =
        Module { nodes, names, root: root.id, sources, recursion: G::RECURSION, slips: Slips::default() };
    module.slips = slips::find(&module, G::RECURSION);
    Ok(module)
}

pub(crate) struct Parser<G> {
    tokens: Tokens,
    at: usize,
    depth: usize,
    nodes: Vec<Node>,
    hidden: Vec<(&'static str, NameId)>,
    /// What has begun and is not complete, innermost last.
    open: Vec<Opened>,
    /// The token behind the last `do` with its operand.
    after_do: usize,
    grammar: PhantomData<G>,
}

/// An expression and all of its text.
#[derive(Clone, Copy)]
pub(crate) struct Parsed {
    pub(crate) id: ExprId,
    pub(crate) extent: Span,
}

/// What a sequence has begun with and still needs its right side.
enum Begun {
    Let(NameId, Parsed, Span),
    First(Parsed, Span),
}

/// What ends in `else` and still needs what comes after that.
enum Branch {
    If { condition: Parsed, yes: Parsed },
    Split { value: Parsed, halves: [NameId; 2], yes: ExprId },
}

impl<G: Grammar> Parser<G> {
    pub(crate) fn peek(&self) -> &Token {
        &self.tokens.tokens[self.at].0
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens.tokens[self.at].1
    }

    pub(crate) fn next(&mut self) -> Span {
        let span = self.span();
        // The last token is `End`, which is never taken.
        self.at = (self.at + 1).min(self.tokens.tokens.len() - 1);
        span
    }

    pub(crate) fn at_keyword(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Keyword(keyword) if *keyword == word)
    }

    pub(crate) fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    /// Notes what has begun at `span`.
    pub(crate) fn begin(&mut self, span: Span, missing: &'static str) {
        self.open.push(Opened { span, missing });
    }

    /// The keyword that what was begun last is waiting for; for one that is not complete with it, what it waits for then.
    pub(crate) fn complete(&mut self, then: Option<&'static str>) -> Result<Span, LoadError> {
        let missing = self.open.last().map_or("", |opened| opened.missing);
        if !matches!(self.peek(), Token::Keyword(word) | Token::Sign(word) if *word == missing) {
            return Err(self.expected(&format!("`{missing}`")));
        }
        let opened = self.open.pop();
        self.open.extend(opened.zip(then).map(|(opened, missing)| Opened { missing, ..opened }));
        Ok(self.next())
    }

    fn sign(&mut self, sign: &'static str, hint: &str) -> Result<Span, LoadError> {
        if self.at_sign(sign) { Ok(self.next()) } else { Err(self.expected_with(&format!("`{sign}`"), hint)) }
    }

    pub(crate) fn name(&mut self) -> Result<NameId, LoadError> {
        match *self.peek() {
            Token::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.expected("a name")),
        }
    }

    pub(crate) fn expected(&self, expected: &str) -> LoadError {
        let before = self.at.checked_sub(1).map(|before| &self.tokens.tokens[before]);
        let span = self.span();
        let adjacent = before.is_some_and(|(_, before)| before.file == span.file && before.end == span.start);
        let before = before.map(|(token, _)| token);
        let hint = match self.peek() {
            Token::Sign(",") if self.after_do == self.at && self.at > 0 => {
                Some("an action and its arguments stand in parentheses: `do (A, B)`")
            }
            token => notes::slip(before, adjacent, token).or_else(|| G::hint(before, token)),
        };
        self.expected_with(expected, hint.unwrap_or_default())
    }

    /// The same with a hint of its own.
    fn expected_with(&self, expected: &str, hint: &str) -> LoadError {
        let found = match self.peek() {
            Token::Int(value) => format!("the number {}", value.to_string().replace('-', "~")),
            Token::Text(_) => "a text".to_owned(),
            Token::Name(name) => format!("the name `{}`", self.tokens.names[name.0 as usize]),
            Token::Keyword(word) => format!("the keyword `{word}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the program".to_owned(),
        };
        let place = Box::new(self.tokens.sources.place(self.span()));
        let innermost = self
            .open
            .last()
            .filter(|opened| notes::closes(self.peek()) || expected == format!("`{}`", opened.missing));
        let mut note = match innermost {
            Some(opened) => opened.note(&self.tokens.sources, self.span().file),
            None if matches!(
                self.peek(),
                Token::Sign(")" | "]") | Token::Keyword("in" | "then" | "else" | "of")
            ) =>
            {
                ", and nothing is open that it could belong to".to_owned()
            }
            None => String::new(),
        };
        if !hint.is_empty() {
            note += &format!(" ({hint})");
        }
        LoadError::Syntax { place, expected: expected.to_owned(), found, note }
    }

    fn too_deep(&self, span: Span) -> LoadError {
        let place = Box::new(self.tokens.sources.place(span));
        LoadError::TooLarge { place, what: "a nesting of expressions", limit: MAX_NESTING }
    }

    /// Adds an expression. `span` is what a message about it points at, `extent` all of its text.
    pub(crate) fn add(&mut self, expr: Expr, span: Span, extent: Span) -> Result<Parsed, LoadError> {
        let (mut depth, mut last) = (0, None);
        expr.parts(|part, _| {
            let within = last.replace(self.nodes[part.0 as usize].nesting);
            depth = depth.max(within.map_or(0, |nesting| nesting + 1));
        });
        depth = depth.max(last.map_or(0, |nesting| nesting + u16::from(!expr.goes_on())));
        if depth as usize > MAX_NESTING {
            return Err(self.too_deep(span));
        }
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(Node { expr, span, nesting: depth });
        Ok(Parsed { id, extent })
    }

    /// Runs a rule one level deeper.
    pub(crate) fn deeper<T>(
        &mut self,
        rule: impl FnOnce(&mut Self) -> Result<T, LoadError>,
    ) -> Result<T, LoadError> {
        if self.depth == MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// A whole expression: `let`s and `;`s and what they lead to.
    pub(crate) fn sequence(&mut self) -> Result<Parsed, LoadError> {
        self.deeper(|parser| {
            let mut begun = Vec::new();
            let mut whole = loop {
                if parser.at_keyword("let") {
                    let start = parser.next();
                    let name = parser.name()?;
                    parser.sign("=", "a function is written `let f = fn x => …`")?;
                    parser.begin(start, "in");
                    let value = parser.sequence()?;
                    parser.complete(None)?;
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

    /// The binary operator that comes next, and how tightly it binds.
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
                let param = self.name()?;
                self.sign("=>", "a function of two arguments is written `fn x => fn y => …`")?;
                let body = self.sequence()?;
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

    /// A chain of `if … then … else split … of … else …`.
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

    /// A name that no program can write.
    pub(crate) fn hidden(&mut self, text: &'static str) -> NameId {
        if let Some((_, name)) = self.hidden.iter().find(|(known, _)| *known == text) {
            return *name;
        }
        let name = NameId(self.tokens.names.len() as u32);
        self.tokens.names.push(text.to_owned());
        self.hidden.push((text, name));
        name
    }

    /// A function applied to what names stand for.
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

    /// An integer, a name, or what a cell holds: what atoms are in both languages.
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
        self.next();
        self.add(expr, span, span)
    }

    /// The codes of a text, as expressions.
    pub(crate) fn codes(&mut self) -> Result<Vec<Parsed>, LoadError> {
        let Token::Text(codes) = self.peek().clone() else { return Err(self.expected("a text")) };
        let span = self.next();
        codes.into_iter().map(|code| self.add(Expr::Int(code), span, span)).collect()
    }

    /// What stands between brackets or parentheses of one kind: expressions with commas between them, and all of the text.
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
