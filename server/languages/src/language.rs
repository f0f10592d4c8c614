//! Languages, and the language of a file.

use crate::draft::Draft;
use crate::error::LoadError;
use crate::program::Program;
use crate::source::FileSource;
use crate::{cl, rcl};

/// A language that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// CL, defined in `CL.md`.
    Cl,
    /// RCL, defined in `RCL.md`.
    Rcl,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::Cl, Language::Rcl];

    /// The extension of its programs' file names, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Cl => "cl",
            Language::Rcl => "rcl",
        }
    }

    /// The version of its semantics, raised when the same program would behave differently.
    pub const fn version(self) -> u32 {
        match self {
            Language::Cl | Language::Rcl => 1,
        }
    }

    /// The language of the program at a path, by the extension; `None` if that is unknown.
    pub fn of(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        Self::ALL.into_iter().find(|language| language.extension() == extension)
    }

    /// Loads the program at `path` with everything that it includes from `files`.
    ///
    /// # Errors
    /// [`LoadError`] for an unreadable file, and for an error in the source, with its location.
    pub fn load(self, path: &str, files: &dyn FileSource) -> Result<Program, LoadError> {
        match self {
            Language::Cl => cl::load(path, files),
            Language::Rcl => rcl::load(path, files),
        }
    }

    /// Reads the program at `path` to its end, despite errors.
    ///
    /// # Errors
    /// [`LoadError`] if the main file can't be read or is not text.
    pub fn draft(self, path: &str, files: &dyn FileSource) -> Result<Draft, LoadError> {
        match self {
            Language::Cl => cl::draft(path, files),
            Language::Rcl => rcl::draft(path, files),
        }
    }

    /// The reserved words, which can't be names.
    pub fn keywords(self) -> &'static [&'static str] {
        match self {
            Language::Cl => cl::KEYWORDS,
            Language::Rcl => rcl::KEYWORDS,
        }
    }
}

/// Loads the program at `path` with everything that it includes from `files`, in the language of its extension; with an unknown one
/// as CL.
///
/// # Errors
/// [`LoadError`] for an unreadable file, and for an error in the source, with its location.
pub fn load(path: &str, files: &dyn FileSource) -> Result<Program, LoadError> {
    Language::of(path).unwrap_or(Language::Cl).load(path, files)
}
