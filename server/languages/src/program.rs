//! Program that was loaded and can run on a machine.

use std::sync::Arc;

use crate::compile::{self, code::Code};
use crate::core::Module;
use crate::error::LoadError;
use crate::mistakes::Warning;
use crate::source::Sources;

/// A program in any of the languages. A clone shares its content.
#[derive(Clone, Debug)]
pub struct Program {
    module: Arc<Module>,
    code: Arc<Code>,
}

impl Program {
    /// Compiles a program.
    pub(crate) fn new(module: Arc<Module>) -> Result<Self, LoadError> {
        let code = Arc::new(compile::compile(module.clone())?);
        Ok(Program { module, code })
    }

    /// The core of the program.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    pub(crate) fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// Warnings about probable mistakes, in the order of the text.
    pub fn warnings(&self) -> &[Warning] {
        &self.module.mistakes.warnings
    }

    /// The source files, the main one first.
    pub fn sources(&self) -> &Sources {
        self.module.sources()
    }
}
