//! Draft of a program: the readable parts of any text, for editors.
//!
//! A [`Draft`] is the parser's result for any text. [`Language::load`](crate::Language::load) compiles a draft without problems;
//! the first problem of a draft is the error of loading it.

mod names;

use std::ops::Range;
use std::sync::Arc;

pub use self::names::Name;
use crate::core::{ExprId, Module, NameId};
use crate::error::LoadError;
pub use crate::error::Problem;
pub use crate::lexer::Include;
use crate::lexer::Token;
use crate::mistakes::Warning;
use crate::program::Program;
use crate::source::{Sources, Span};

/// The construct that binds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// `let name = …`
    Let,
    /// `fn name => …`
    Fn,
    /// `rec name in …`
    Rec,
}

/// The binding of a name.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name.
    pub name: NameId,
    /// The construct that binds the name.
    pub kind: BindingKind,
    /// The construct's first keyword.
    pub start: Span,
    /// The index of the name's token.
    pub(crate) token: u32,
    /// The tokens in which the name has this meaning, except where an inner binding hides it.
    pub(crate) scope: Range<u32>,
    /// The value of a `let`, and its whole text.
    pub value: Option<(ExprId, Span)>,
}

/// The readable parts of a text.
#[derive(Debug)]
pub struct Draft {
    pub(crate) module: Arc<Module>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) tokens: Vec<(Token, Span)>,
    pub(crate) comments: Vec<Span>,
    pub(crate) includes: Vec<Include>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) uses: Vec<(ExprId, u32)>,
}

impl Draft {
    /// The program, if there are no problems.
    ///
    /// # Errors
    /// The first problem, or an exceeded limit of the compiler.
    pub fn program(&self) -> Result<Program, LoadError> {
        match self.problems.first() {
            Some(problem) => Err(problem.error.clone()),
            None => Program::new(self.module.clone()),
        }
    }

    /// The problems: first those of tokens, then those of the grammar. At most 100.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Warnings about probable mistakes, in the order of the text.
    pub fn warnings(&self) -> &[Warning] {
        &self.module.mistakes.warnings
    }

    /// The expressions. An unreadable part is represented by a name that nothing binds.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The source files, the main one first.
    pub fn sources(&self) -> &Sources {
        &self.module.sources
    }

    /// The comments of all files; those of a file that is included twice appear twice.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The `#include`s of all files, in the order in which they were read.
    pub fn includes(&self) -> &[Include] {
        &self.includes
    }

    /// Every binding, in the order in which the parser reached their scopes.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The location of a binding's name.
    pub fn place_of(&self, binding: &Binding) -> Span {
        self.tokens[binding.token as usize].1
    }
}
