//! The shipped files that programs in a language may include, and what they bind.

use std::collections::BTreeMap;

use grandstand_languages::draft::BindingKind;
use grandstand_languages::{FileError, Language};
use grandstand_matches::games;

use crate::analysis::{Analysis, Subject, language_of};
use crate::files::{Disk, Origin};

/// The shipped files for one language.
#[derive(Debug)]
pub(crate) struct Library {
    /// By their paths, in the order of the game's list: constants first.
    pub(crate) files: Vec<(&'static str, Analysis)>,
}

/// No files at all: what is shipped includes what is shipped.
struct NoDisk;

impl Disk for NoDisk {
    fn read(&self, _: &str, _: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError::Missing)
    }

    fn unpack(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

impl Library {
    /// Reads the library of a language.
    pub(crate) fn new(language: Language) -> Self {
        let files = games::of_language(language).map_or(&[][..], |game| game.program_files());
        let libraries = files.iter().filter(|(path, _)| language_of(path).1);
        let read = |(path, text): &(&'static str, &str)| {
            let origin = Origin::Shipped(path);
            let open = BTreeMap::new();
            let subject = Subject { name: path, text, origin, directories: &[], open: &open, disk: &NoDisk };
            Some((*path, Analysis::new(subject).ok()?))
        };
        Self { files: libraries.filter_map(read).collect() }
    }

    /// What a file binds itself for those who include it: indices of its bindings.
    pub(crate) fn names(analysis: &Analysis) -> impl Iterator<Item = usize> {
        let bindings = analysis.draft.bindings().iter().enumerate();
        let own = bindings.filter(|(_, binding)| {
            binding.kind == BindingKind::Let
                && binding.start.file == 0
                && analysis.draft.is_outermost(binding)
        });
        own.map(|(index, _)| index)
    }

    /// The file that binds a name.
    pub(crate) fn file_of(&self, name: &str) -> Option<&'static str> {
        let binds = |analysis: &Analysis| {
            Self::names(analysis).any(|binding| analysis.name_of(analysis.binding(binding)) == name)
        };
        self.files.iter().find(|(_, analysis)| binds(analysis)).map(|(path, _)| *path)
    }

    /// What must be included for a file to mean what it says: the files that bind what it does not, and then itself.
    pub(crate) fn needs(&self, path: &'static str) -> Vec<&'static str> {
        let Some((_, analysis)) = self.files.iter().find(|(known, _)| *known == path) else {
            return vec![path];
        };
        let unbound = analysis.names.iter().filter(|name| name.expr.is_some() && name.binding.is_none());
        let mut needed: Vec<&str> = Vec::new();
        for name in unbound {
            let file = self.file_of(analysis.draft.module().name(name.name));
            needed.extend(file.filter(|file| *file != path && !needed.contains(file)));
        }
        needed.push(path);
        needed
    }
}
