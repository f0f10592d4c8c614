//! Which languages there are, and which one a file is written in.

use crate::draft::Draft;
use crate::error::LoadError;
use crate::program::Program;
use crate::source::FileSource;
use crate::{cl, rcl};

/// A language that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `CL.md`
    Cl,
    /// `RCL.md`
    Rcl,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::Cl, Language::Rcl];

    /// What the names of its programs' files end in, after a dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Cl => "cl",
            Language::Rcl => "rcl",
        }
    }

    /// The version of how its programs run: raised when the same program would do something else.
    pub const fn version(self) -> u32 {
        match self {
            Language::Cl | Language::Rcl => 1,
        }
    }

    /// The language of the program at a path, if its name says so.
    pub fn of(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        Self::ALL.into_iter().find(|language| language.extension() == extension)
    }

    /// Reads the program at `path` and everything that it includes from `files`.
    ///
    /// # Errors
    /// What can't be read, and what is wrong in the source, with its location.
    pub fn load(self, path: &str, files: &dyn FileSource) -> Result<Program, LoadError> {
        match self {
            Language::Cl => cl::load(path, files),
            Language::Rcl => rcl::load(path, files),
        }
    }

    /// Reads the program at `path` to its end, whatever is wrong in it.
    ///
    /// # Errors
    /// What is wrong with the main file as a whole: it can't be read, or is not text.
    pub fn draft(self, path: &str, files: &dyn FileSource) -> Result<Draft, LoadError> {
        match self {
            Language::Cl => cl::draft(path, files),
            Language::Rcl => rcl::draft(path, files),
        }
    }

    /// The words that can't be names in it.
    pub fn keywords(self) -> &'static [&'static str] {
        match self {
            Language::Cl => cl::KEYWORDS,
            Language::Rcl => rcl::KEYWORDS,
        }
    }
}

/// Reads the program at `path` and everything that it includes from `files`, in the language that its name tells; without one that is known
/// it is CL.
///
/// # Errors
/// What can't be read, and what is wrong in the source, with its location.
pub fn load(path: &str, files: &dyn FileSource) -> Result<Program, LoadError> {
    Language::of(path).unwrap_or(Language::Cl).load(path, files)
}
