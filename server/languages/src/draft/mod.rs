//! What can be read of a text, whether or not it is a program: for editors.
//!
//! A [`Draft`] is what the parser makes of any text. [`Language::load`](crate::Language::load) is a draft in which nothing is wrong, compiled;
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
use crate::program::Program;
use crate::slips::Warning;
use crate::source::{Sources, Span};

/// What binds a name.
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
    /// What binds it.
    pub kind: BindingKind,
    /// The keyword that begins it.
    pub start: Span,
    /// The name's token.
    pub(crate) token: u32,
    /// The tokens among which the name means this, where no inner binding hides it.
    pub(crate) scope: Range<u32>,
    /// Of a `let`: the value and all of its text.
    pub value: Option<(ExprId, Span)>,
}

/// What can be read of a text.
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
    /// The program, when nothing is wrong.
    ///
    /// # Errors
    /// The first problem, or a limit of the compiler's.
    pub fn program(&self) -> Result<Program, LoadError> {
        match self.problems.first() {
            Some(problem) => Err(problem.error.clone()),
            None => Program::new(self.module.clone()),
        }
    }

    /// What is wrong: what makes no tokens first, then what follows no grammar. At most 100 of them.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What can't have been meant so, in the order of the text.
    pub fn warnings(&self) -> &[Warning] {
        &self.module.slips.warnings
    }

    /// Its expressions. In place of what can't be read stands a name that nothing binds.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The files that it was read from, the main one first.
    pub fn sources(&self) -> &Sources {
        &self.module.sources
    }

    /// The comments of all files; those of a file that is included twice come twice.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The `#include`s of all files, in the order in which they were read.
    pub fn includes(&self) -> &[Include] {
        &self.includes
    }

    /// Every binding, in the order in which the parser met their scopes.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Where the name of a binding stands.
    pub fn place_of(&self, binding: &Binding) -> Span {
        self.tokens[binding.token as usize].1
    }
}
