//! Grammar common to the languages, as in section 2 of `CL.md` and `RCL.md`; each language's [`Grammar`] adds its own rules.
//!
//! Recursive descent with precedence climbing. The recursion is at most [`MAX_NESTING`] deep: the chains of `let … in`, `;`, `else if` and
//! the elements of lists, which make programs long, are handled by loops.
//!
//! An error propagates up to the enclosing [`sequence`](Parser::sequence), which records it and continues (`recovery`).
//! Therefore the first error of a program is the same whether or not the others are requested.

mod expressions;
mod recovery;

use std::marker::PhantomData;
use std::sync::Arc;

use crate::core::{BinaryOp, Expr, ExprId, Module, NameId, Node};
use crate::draft::{Binding, BindingKind, Draft, Problem};
use crate::error::LoadError;
use crate::lexer::{self, Token, Tokens};
use crate::mistakes::{self, Mistakes};
use crate::notes::{self, UnclosedConstruct};
use crate::source::{FileSource, Span};

/// The deepest nesting of expressions, not counting what follows `in`, `;` and `else`.
const MAX_NESTING: usize = 128;

/// The grammar specific to a language. Its keywords determine which of the keyword constructs exist.
pub(crate) trait Grammar: Sized {
    /// The words that can't be names.
    const KEYWORDS: &'static [&'static str];

    /// Whether an atom can begin with this sign.
    fn begins_atom(sign: &str) -> bool;

    /// Parses an atom, the smallest expression.
    fn atom(parser: &mut Parser<Self>) -> Result<Parsed, LoadError>;

    /// Parses an atom with its suffixes: an expression that can be applied, and be an argument.
    fn part(parser: &mut Parser<Self>) -> Result<Parsed, LoadError> {
        Self::atom(parser)
    }

    /// Parses an operand that is specific to the language, if one begins here.
    fn operand(_parser: &mut Parser<Self>) -> Result<Option<Parsed>, LoadError> {
        Ok(None)
    }

    /// The binary operator of a token, with its precedence, if it is specific to the language.
    fn operator(_token: &Token) -> Option<(BinaryOp, u8)> {
        None
    }

    /// The expression for `spawn operand`.
    fn spawn(parser: &mut Parser<Self>, operand: Parsed) -> Result<Expr, LoadError>;

    /// A hint for messages about a token that is invalid in this language, given the token before it.
    fn hint(before: Option<&Token>, token: &Token) -> Option<&'static str>;

    /// The way in which a function calls itself, for a message about a failed attempt.
    const RECURSION: &'static str;
}

/// Parses a program to its end despite errors. An error means that the main file can't be read at all.
pub(crate) fn parse<G: Grammar>(path: &str, files: &dyn FileSource) -> Result<Draft, LoadError> {
    let mut tokens = lexer::tokenize(path, files, G::KEYWORDS)?;
    let problems = std::mem::take(&mut tokens.problems);
    let mut parser = Parser::<G> {
        tokens,
        at: 0,
        depth: 0,
        nodes: Vec::new(),
        hidden: Vec::new(),
        open: Vec::new(),
        after_do: 0,
        problems,
        noted_at: None,
        bindings: Vec::new(),
        uses: Vec::new(),
        grammar: PhantomData,
    };
    let root = parser.program();
    let Parser { tokens, nodes, problems, bindings, uses, .. } = parser;
    let Tokens { tokens, names, sources, comments, includes, .. } = tokens;
    let mut module =
        Module { nodes, names, root, sources, recursion: G::RECURSION, mistakes: Mistakes::default() };
    module.mistakes = mistakes::find(&module, G::RECURSION);
    Ok(Draft { module: Arc::new(module), problems, tokens, comments, includes, bindings, uses })
}

pub(crate) struct Parser<G> {
    tokens: Tokens,
    at: usize,
    depth: usize,
    nodes: Vec<Node>,
    hidden: Vec<(&'static str, NameId)>,
    /// The unclosed constructs, innermost last.
    open: Vec<UnclosedConstruct>,
    /// The index of the token after the last `do` with its operand.
    after_do: usize,
    problems: Vec<Problem>,
    /// The index of the token at which parsing resumed after the last error.
    noted_at: Option<usize>,
    bindings: Vec<Binding>,
    /// The names among the expressions, with their tokens.
    uses: Vec<(ExprId, u32)>,
    grammar: PhantomData<G>,
}

/// An expression with its whole text.
#[derive(Clone, Copy)]
pub(crate) struct Parsed {
    pub(crate) id: ExprId,
    pub(crate) extent: Span,
}

/// The beginning of a sequence that lacks its right side.
enum Begun {
    /// The binding's index, its value and its `let`.
    Let(usize, Parsed, Span),
    First(Parsed, Span),
}

impl<G: Grammar> Parser<G> {
    pub(crate) fn peek(&self) -> &Token {
        &self.tokens.tokens[self.at].0
    }

    /// The index of the next token.
    pub(crate) fn token(&self) -> usize {
        self.at
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens.tokens[self.at].1
    }

    pub(crate) fn next(&mut self) -> Span {
        let span = self.span();
        // The last token is `End`, which is never consumed.
        self.at = (self.at + 1).min(self.tokens.tokens.len() - 1);
        span
    }

    pub(crate) fn at_keyword(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Keyword(keyword) if *keyword == word)
    }

    pub(crate) fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    /// Records a construct that begins at `span`.
    pub(crate) fn begin(&mut self, span: Span, missing: &'static str) {
        self.open.push(UnclosedConstruct { span, missing });
    }

    /// Consumes the keyword that the innermost open construct needs. The construct is then complete, or needs `then` next.
    pub(crate) fn complete(&mut self, then: Option<&'static str>) -> Result<Span, LoadError> {
        let missing = self.open.last().map_or("", |opened| opened.missing);
        if !matches!(self.peek(), Token::Keyword(word) | Token::Sign(word) if *word == missing) {
            return Err(self.expected(&format!("`{missing}`")));
        }
        let opened = self.open.pop();
        self.open.extend(opened.zip(then).map(|(opened, missing)| UnclosedConstruct { missing, ..opened }));
        Ok(self.next())
    }

    /// Begins the scope of a name at the next token; `token` is the name's own. The returned index serves to end the scope.
    pub(crate) fn bind(&mut self, kind: BindingKind, start: Span, token: usize, name: NameId) -> usize {
        let from = self.at as u32;
        // Until its end is known, the scope reaches to the end of the program.
        let scope = from..self.tokens.tokens.len() as u32;
        self.bindings.push(Binding { name, kind, start, token: token as u32, scope, value: None });
        self.bindings.len() - 1
    }

    /// Ends a scope before the next token.
    pub(crate) fn unbind(&mut self, binding: usize) {
        self.bindings[binding].scope.end = self.at as u32;
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

    /// Like [`Parser::expected`], with a given hint.
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

    /// Adds an expression. `span` is its location for messages, `extent` its whole text.
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

    /// Runs a rule one nesting level deeper.
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

    /// Parses a whole expression: `let`s, `;`s and their last part. An error in it is recorded and replaced by a hole; a returned error
    /// ends the parsing.
    pub(crate) fn sequence(&mut self) -> Result<Parsed, LoadError> {
        self.deeper(|parser| {
            let mut begun = Vec::new();
            let mut whole = loop {
                if parser.at_keyword("let") {
                    begun.extend(parser.binding()?);
                    continue;
                }
                let open = parser.open.len();
                let expression = match parser.assignment() {
                    Ok(expression) => expression,
                    Err(error) => {
                        let hole = parser.recover(error, open)?;
                        if parser.begins_line("let") && !parser.at_boundary() {
                            begun.push(Begun::First(hole, hole.extent));
                            continue;
                        }
                        hole
                    }
                };
                if !parser.at_sign(";") {
                    break expression;
                }
                let sign = parser.next();
                begun.push(Begun::First(expression, sign));
            };
            while let Some(begun) = begun.pop() {
                whole = match begun {
                    Begun::Let(binding, value, start) => {
                        parser.unbind(binding);
                        let name = parser.bindings[binding].name;
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

    /// Parses `let name = value in`; `None` if not even the name could be read.
    fn binding(&mut self) -> Result<Option<Begun>, LoadError> {
        let open = self.open.len();
        let start = self.next();
        let token = self.at;
        let (mut name, mut value) = (None, None);
        let mut read = || -> Result<(), LoadError> {
            name = Some(self.name()?);
            let parameters = match self.sign("=", "a function is written `let f = fn x => …`") {
                Ok(_) => Vec::new(),
                Err(error) => self.parameters(error, "=")?,
            };
            self.begin(start, "in");
            value = Some(self.sequence()?);
            parameters.into_iter().for_each(|parameter| self.unbind(parameter));
            self.complete(None)?;
            Ok(())
        };
        if let Err(error) = read() {
            self.open.truncate(open);
            self.begin(start, "in");
            let hole = self.recover(error, open + 1)?;
            value = Some(value.unwrap_or(hole));
            if self.closes_binding(start) {
                self.next();
            }
            self.open.truncate(open);
        }
        let (Some(name), Some(value)) = (name, value) else { return Ok(None) };
        let binding = self.bind(BindingKind::Let, start, token, name);
        self.bindings[binding].value = Some((value.id, value.extent));
        Ok(Some(Begun::Let(binding, value, start)))
    }
}
