//! Error recovery of the parser: it skips tokens up to one that an open construct needs.
//!
//! Layout helps: a token that begins its line, no further right than the innermost open `let`, ends the value of that `let`. So
//! an incomplete definition does not swallow the next ones.

use super::{Grammar, Parsed, Parser};
use crate::core::{Expr, ExprId, Node};
use crate::draft::BindingKind;
use crate::error::{LoadError, MAX_PROBLEMS, Problem};
use crate::lexer::Token;
use crate::source::Span;

impl<G: Grammar> Parser<G> {
    /// Parses the whole program, to the last token or to an error that ends the parsing.
    pub(super) fn program(&mut self) -> ExprId {
        match self.sequences() {
            Ok(root) => root.id,
            Err(error) => {
                self.keep(error);
                self.hole().id
            }
        }
    }

    /// Parses the program's sequence, and another one after each token that fits nowhere.
    fn sequences(&mut self) -> Result<Parsed, LoadError> {
        let mut whole = self.sequence()?;
        while *self.peek() != Token::End {
            self.note(self.expected("an operator, `;` or the end of the program"))?;
            if !self.at_keyword("let") {
                self.pass_over(self.at + 1);
            }
            let more = self.sequence()?;
            let expr = Expr::Then { first: whole.id, second: more.id };
            whole = self.add(expr, more.extent, whole.extent.to(more.extent))?;
        }
        Ok(whole)
    }

    fn keep(&mut self, error: LoadError) {
        if self.problems.len() < MAX_PROBLEMS {
            let (file, at) = (self.span().file, self.at as u32);
            let mut includes = self.tokens.includes.iter();
            let include =
                includes.find(|include| file != 0 && include.span.file == 0 && include.tokens.contains(&at));
            let include = include.map(|include| include.span);
            self.problems.push(Problem { error, include });
        }
    }

    /// Records an error, unless it concerns the token at which parsing resumed after the last one, and so is a consequence. An exceeded
    /// limit is returned and ends the parsing; so is an error beyond the maximal number.
    fn note(&mut self, error: LoadError) -> Result<(), LoadError> {
        if matches!(error, LoadError::TooLarge { .. }) || self.problems.len() >= MAX_PROBLEMS {
            return Err(error);
        }
        let follows = self.noted_at == Some(self.at) || self.tokens.cut && *self.peek() == Token::End;
        if !follows {
            self.keep(error);
        }
        self.noted_at = Some(self.at);
        Ok(())
    }

    /// Records an error, skips the unreadable tokens, and returns a hole. Only the outermost `open` constructs stay open.
    pub(super) fn recover(&mut self, error: LoadError, open: usize) -> Result<Parsed, LoadError> {
        self.note(error)?;
        self.open.truncate(open);
        let to = self.resumption();
        self.pass_over(to);
        Ok(self.hole())
    }

    /// The next token at which an open construct, or the next part of a sequence, can continue.
    fn resumption(&self) -> usize {
        let awaited = |word: &str| self.open.iter().any(|opened| opened.missing == word);
        // The tokens needed by constructs that begin within the skipped tokens.
        let mut nested: Vec<&str> = Vec::new();
        for (at, (token, _)) in self.tokens.tokens.iter().enumerate().skip(self.at) {
            if self.is_boundary(at) {
                return at;
            }
            match *token {
                Token::End => return at,
                Token::Sign(";") if nested.is_empty() => return at,
                Token::Sign(",") if nested.is_empty() && (awaited(")") || awaited("]")) => return at,
                Token::Keyword("let") if nested.is_empty() && self.indent(at).is_some() => return at,
                Token::Sign("(") => nested.push(")"),
                Token::Sign("[") => nested.push("]"),
                Token::Keyword("let" | "rec") => nested.push("in"),
                Token::Keyword("if") => nested.push("then"),
                Token::Keyword("split") => nested.push("of"),
                Token::Sign(word @ (")" | "]")) | Token::Keyword(word @ ("in" | "then" | "of" | "else")) => {
                    match nested.iter().rposition(|missing| *missing == word) {
                        Some(begun) => {
                            nested.truncate(begun);
                            if let "then" | "of" = word {
                                nested.push("else");
                            }
                        }
                        None if awaited(word) => return at,
                        None => {}
                    }
                }
                _ => {}
            }
        }
        self.tokens.tokens.len() - 1
    }

    /// Records an error for parameters where none are allowed, and treats them as those of functions; `sign` comes after them. Returns
    /// their bindings.
    pub(super) fn parameters(
        &mut self,
        error: LoadError,
        sign: &'static str,
    ) -> Result<Vec<usize>, LoadError> {
        if !matches!(self.peek(), Token::Name(_)) {
            return Err(error);
        }
        self.note(error)?;
        let mut bindings = Vec::new();
        while let Token::Name(name) = *self.peek() {
            let (token, span) = (self.at, self.next());
            bindings.push(self.bind(BindingKind::Fn, span, token, name));
        }
        self.noted_at = Some(self.at);
        self.sign(sign, "")?;
        Ok(bindings)
    }

    fn pass_over(&mut self, to: usize) {
        self.at = to.min(self.tokens.tokens.len() - 1);
        self.noted_at = Some(self.at);
    }

    /// A hole in place of an unreadable expression: a name that can't occur in source text.
    fn hole(&mut self) -> Parsed {
        let span = Span { end: self.span().start, ..self.span() };
        let name = self.hidden("what is missing");
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(Node { expr: Expr::Name(name), span, nesting: 0 });
        Parsed { id, extent: span }
    }

    /// Whether the next token begins its line and is this keyword.
    pub(super) fn begins_line(&self, keyword: &str) -> bool {
        self.at_keyword(keyword) && self.indent(self.at).is_some()
    }

    /// Whether the next token begins its line where the innermost `let` ends.
    pub(super) fn at_boundary(&self) -> bool {
        self.is_boundary(self.at)
    }

    /// Whether the next token is, by the layout, the `in` of the `let` at `start`, and not of one around it.
    pub(super) fn closes_binding(&self, start: Span) -> bool {
        let outside = self.indent(self.at).is_some_and(|indent| indent < self.column(start));
        self.at_keyword("in") && !outside
    }

    fn is_boundary(&self, at: usize) -> bool {
        let Some(innermost) = self.open.iter().rfind(|opened| opened.missing == "in") else { return false };
        innermost.span.file == self.tokens.tokens[at].1.file
            && self.indent(at).is_some_and(|indent| indent <= self.column(innermost.span))
    }

    /// The indentation of a token that begins its line; `None` for any other token.
    fn indent(&self, at: usize) -> Option<usize> {
        let span = self.tokens.tokens[at].1;
        let column = self.column(span);
        let before = Span { start: span.start - column as u32, end: span.start, ..span };
        self.tokens.sources.text(before).chars().all(char::is_whitespace).then_some(column)
    }

    /// The number of bytes before a location on its line.
    fn column(&self, span: Span) -> usize {
        let before = self.tokens.sources.text(Span { start: 0, end: span.start, ..span });
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }
}
