//! Files of a program that is being written: texts that are open in the editor, files on disk, the shipped library.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grandstand_languages::{FileError, FileSource};
use grandstand_matches::programs::shipped_file;

/// Files on disk, for a [`Server`](crate::Server) that reads none itself.
pub trait Disk {
    /// The content of the file at a path below a directory, through no link that leads out of it.
    ///
    /// # Errors
    /// Why it can't be had.
    fn read(&self, directory: &str, path: &str) -> Result<Vec<u8>, FileError>;

    /// The absolute path at which an editor can open a shipped file, given its path below the library and its text; `None` where it can't be put
    /// anywhere.
    fn unpack(&self, path: &str, text: &str) -> Option<String>;
}

/// Where a file of a program comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The file at an absolute path, or the text that is open in its place.
    Path(String),
    /// A shipped file, by its path below the library.
    Shipped(&'static str),
    /// A text that has no file.
    Unnamed,
}

/// The files that a program may consist of: its main text; for what it includes the texts and files below directories, then the shipped library.
pub(crate) struct ProgramTexts<'a> {
    pub(crate) main: &'a str,
    pub(crate) text: &'a str,
    /// Absolute paths, in the order in which they are searched.
    pub(crate) directories: &'a [String],
    pub(crate) open: &'a BTreeMap<String, Arc<str>>,
    pub(crate) disk: &'a dyn Disk,
    pub(crate) found: RefCell<BTreeMap<String, Origin>>,
    /// The absolute paths that have been looked at: another content there makes another program.
    pub(crate) looked_at: RefCell<BTreeSet<String>>,
}

impl ProgramTexts<'_> {
    fn included(&self, path: &str) -> Result<(Origin, Vec<u8>), FileError> {
        for directory in self.directories {
            let absolute = format!("{}/{path}", directory.trim_end_matches('/'));
            self.looked_at.borrow_mut().insert(absolute.clone());
            if let Some(text) = self.open.get(&absolute) {
                return Ok((Origin::Path(absolute), text.as_bytes().to_vec()));
            }
            match self.disk.read(directory, path) {
                Ok(content) => return Ok((Origin::Path(absolute), content)),
                Err(FileError::Missing) => {}
                Err(error) => return Err(error),
            }
        }
        let (name, text) = shipped_file(path).ok_or(FileError::Missing)?;
        Ok((Origin::Shipped(name), text.as_bytes().to_vec()))
    }
}

impl FileSource for ProgramTexts<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        if path == self.main {
            return Ok(self.text.as_bytes().to_vec());
        }
        let (origin, content) = self.included(path)?;
        self.found.borrow_mut().insert(path.to_owned(), origin);
        Ok(content)
    }
}
