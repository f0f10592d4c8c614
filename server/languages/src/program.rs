//! A program that has been loaded and can be given to a machine.

use std::sync::Arc;

use crate::compile::{self, code::Code};
use crate::core::Module;
use crate::error::LoadError;
use crate::slips::Warning;
use crate::source::Sources;

/// A program, whichever language it was written in. A clone shares its content.
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

    /// Its core.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    pub(crate) fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// What in it can't have been meant so, in the order of the text.
    pub fn warnings(&self) -> &[Warning] {
        &self.module.slips.warnings
    }

    /// The files that it was read from, the main one first.
    pub fn sources(&self) -> &Sources {
        self.module.sources()
    }
}
