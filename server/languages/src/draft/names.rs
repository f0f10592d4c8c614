//! Names of a draft, with their bindings.

use super::{Binding, Draft};
use crate::core::{ExprId, NameId};
use crate::lexer::Token;
use crate::source::Span;

/// An occurrence of a name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: NameId,
    /// The location.
    pub span: Span,
    /// The binding, as an index into [`Draft::bindings`].
    pub binding: Option<usize>,
    /// Whether this is the occurrence that the binding introduces.
    pub binds: bool,
    /// The occurrence as an expression; `None` if it is none, for instance in a part that the parser skipped.
    pub expr: Option<ExprId>,
}

impl Draft {
    /// Every occurrence of a name in the order of the text; included files count each time.
    pub fn names(&self) -> Vec<Name> {
        let mut own = vec![None; self.tokens.len()];
        let mut begins: Vec<usize> = (0..self.bindings.len()).collect();
        begins.sort_by_key(|&binding| self.bindings[binding].scope.start);
        for (number, binding) in self.bindings.iter().enumerate() {
            own[binding.token as usize] = Some(number);
        }
        let mut begins = begins.into_iter().peekable();
        let mut uses = self.uses.iter().peekable();
        // For each name the bindings whose scopes have begun, innermost last.
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

    /// The bindings in scope at a place of the main file, as indices into [`Draft::bindings`]: innermost first, without hidden ones.
    pub fn in_scope(&self, offset: u32) -> Vec<usize> {
        let next = self.tokens.iter().position(|(_, span)| span.file == 0 && span.end > offset);
        let next = next.unwrap_or(self.tokens.len() - 1) as u32;
        // The place between two tokens also belongs to the first one, since that is where a person continues writing.
        let near = [next, next.saturating_sub(1)];
        let inside = |&binding: &usize| near.iter().any(|at| self.bindings[binding].scope.contains(at));
        let mut within: Vec<usize> = (0..self.bindings.len()).filter(inside).collect();
        within.sort_by_key(|&binding| std::cmp::Reverse((self.bindings[binding].scope.start, binding)));
        // What a name means in the first token hides what it means in the next one, and there the innermost hides the others.
        let name = |binding: usize| self.bindings[binding].name.0 as usize;
        let in_first = |binding: usize| self.bindings[binding].scope.contains(&near[1]);
        let mut meant = vec![None; self.module.names.len()];
        for &binding in &within {
            let meaning = &mut meant[name(binding)];
            if meaning.is_none_or(|other| in_first(binding) && !in_first(other)) {
                *meaning = Some(binding);
            }
        }
        within.retain(|&binding| meant[name(binding)] == Some(binding));
        within
    }

    /// Whether a place of the main file is neither in a comment nor in a text.
    pub fn is_code(&self, offset: u32) -> bool {
        let within = |span: &Span| span.file == 0 && span.start < offset && offset < span.end;
        let is_open = |comment: &Span| {
            // An unclosed comment extends to the place where a person writes.
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

    /// Whether a binding's scope reaches to the end of the program, and so into a program that includes it.
    pub fn is_outermost(&self, binding: &Binding) -> bool {
        binding.scope.end as usize + 1 >= self.tokens.len()
    }
}
