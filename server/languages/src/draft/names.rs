//! Names of a draft, each with what binds it.

use super::{Binding, Draft};
use crate::core::{ExprId, NameId};
use crate::lexer::Token;
use crate::source::Span;

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Which.
    pub name: NameId,
    /// Where.
    pub span: Span,
    /// What binds it, as an index of [`Draft::bindings`].
    pub binding: Option<usize>,
    /// Whether it is the binding's own name.
    pub binds: bool,
    /// It as an expression; `None` where it is none, as in what the parser has passed over.
    pub expr: Option<ExprId>,
}

impl Draft {
    /// Every name in the order of the text, what is included counted each time.
    pub fn names(&self) -> Vec<Name> {
        let mut own = vec![None; self.tokens.len()];
        let mut begins: Vec<usize> = (0..self.bindings.len()).collect();
        begins.sort_by_key(|&binding| self.bindings[binding].scope.start);
        for (number, binding) in self.bindings.iter().enumerate() {
            own[binding.token as usize] = Some(number);
        }
        let mut begins = begins.into_iter().peekable();
        let mut uses = self.uses.iter().peekable();
        // For each name its bindings that have begun, innermost last.
        let mut bound: Vec<Vec<usize>> = vec![Vec::new(); self.module.names.len()];
        let mut names = Vec::new();
        for (at, (token, span)) in self.tokens.iter().enumerate() {
            let at = at as u32;
            while let Some(binding) = begins.next_if(|&next| self.bindings[next].scope.start <= at) {
                bound[self.bindings[binding].name.0 as usize].push(binding);
            }
            let Token::Name(name) = *token else { continue };
            let bound = &mut bound[name.0 as usize];
            while bound.last().is_some_and(|&last| self.bindings[last].scope.end <= at) {
                bound.pop();
            }
            let expr = uses.next_if(|(_, token)| *token == at).map(|(expr, _)| *expr);
            let own = own[at as usize];
            let binding = own.or_else(|| bound.last().copied());
            names.push(Name { name, span: *span, binding, binds: own.is_some(), expr });
        }
        names
    }

    /// What names mean at a place of the main file: indices of [`Draft::bindings`], innermost first, none that is hidden by another one.
    pub fn in_scope(&self, offset: u32) -> Vec<usize> {
        let next = self.tokens.iter().position(|(_, span)| span.file == 0 && span.end > offset);
        let next = next.unwrap_or(self.tokens.len() - 1) as u32;
        // What follows a token without belonging to the next one still belongs to it: there somebody goes on writing.
        let near = [next, next.saturating_sub(1)];
        let mut known = vec![false; self.module.names.len()];
        let inside = |&binding: &usize| near.iter().any(|at| self.bindings[binding].scope.contains(at));
        let mut within: Vec<usize> = (0..self.bindings.len()).filter(inside).collect();
        within.sort_by_key(|&binding| std::cmp::Reverse(self.bindings[binding].scope.start));
        let is_new =
            |&binding: &usize| !std::mem::replace(&mut known[self.bindings[binding].name.0 as usize], true);
        within.into_iter().filter(is_new).collect()
    }

    /// Whether a place of the main file is neither in a comment nor in a text.
    pub fn is_code(&self, offset: u32) -> bool {
        let within = |span: &Span| span.file == 0 && span.start < offset && offset < span.end;
        let is_open = |comment: &Span| {
            // One that is not closed goes on where somebody writes.
            comment.file == 0 && comment.end == offset && !self.sources().text(*comment).ends_with("*)")
        };
        let texts = self.tokens.iter().filter(|(token, _)| matches!(token, Token::Text(_)));
        !self.comments.iter().any(within)
            && !self.comments.iter().any(is_open)
            && !texts.map(|(_, span)| span).any(within)
    }

    /// Whether the text ends in `in`, so that a program can include it.
    pub fn is_library(&self) -> bool {
        let last = self.tokens.iter().rev().find(|(token, _)| *token != Token::End);
        last.is_none_or(|(token, _)| *token == Token::Keyword("in"))
    }

    /// Whether a binding holds to the end of the program, and so for whoever includes it.
    pub fn is_outermost(&self, binding: &Binding) -> bool {
        binding.scope.end as usize + 1 >= self.tokens.len()
    }
}
