//! Shipped libraries of a language and their bindings.

use std::collections::BTreeMap;

use grandstand_languages::draft::BindingKind;
use grandstand_languages::{FileError, Language};
use grandstand_matches::games;

use crate::analysis::{Analysis, Subject, language_of};
use crate::files::{Disk, Origin};

/// Shipped libraries of one language.
#[derive(Debug)]
pub(crate) struct Library {
    /// Analyses by path, in the order of the game's list: constants first.
    pub(crate) files: Vec<(&'static str, Analysis)>,
}

/// Disk without files: shipped libraries include only shipped libraries.
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
    /// Analyses the libraries of a language.
    pub(crate) fn new(language: Language) -> Self {
        let files = games::of_language(language).map_or(&[][..], |game| game.program_files);
        let libraries = files.iter().filter(|(path, _)| language_of(path).1);
        let read = |(path, text): &(&'static str, &str)| {
            let origin = Origin::Shipped(path);
            let open = BTreeMap::new();
            let subject = Subject { name: path, text, origin, directories: &[], open: &open, disk: &NoDisk };
            Some((*path, Analysis::new(subject).ok()?))
        };
        Self { files: libraries.filter_map(read).collect() }
    }

    /// Indices of the bindings of a file that including programs see.
    pub(crate) fn names(analysis: &Analysis) -> impl Iterator<Item = usize> {
        let bindings = analysis.draft.bindings().iter().enumerate();
        let own = bindings.filter(|(_, binding)| {
            binding.kind == BindingKind::Let
                && binding.start.file == 0
                && analysis.draft.is_outermost(binding)
        });
        own.map(|(index, _)| index)
    }

    /// Returns the file that binds a name.
    pub(crate) fn file_of(&self, name: &str) -> Option<&'static str> {
        let binds = |analysis: &Analysis| {
            Self::names(analysis).any(|binding| analysis.name_of(analysis.binding(binding)) == name)
        };
        self.files.iter().find(|(_, analysis)| binds(analysis)).map(|(path, _)| *path)
    }

    /// Files that a program must include to use a file: those that bind its free names, then the file itself.
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
