//! Files of an edited program: open texts, files on disk, the shipped library.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grandstand_languages::{FileError, FileSource};
use grandstand_matches::programs::shipped_file;

/// Files on disk, for a [`Server`](crate::Server) that reads no files itself.
pub trait Disk {
    /// Reads the file at a path below a directory. Links that lead out of the directory are not followed.
    ///
    /// # Errors
    /// The file can't be read.
    fn read(&self, directory: &str, path: &str) -> Result<Vec<u8>, FileError>;

    /// Writes a shipped file so that an editor can open it, given its path below the library and its text. Returns its
    /// absolute path; `None` if it can't be written.
    fn unpack(&self, path: &str, text: &str) -> Option<String>;
}

/// Origin of a file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// File at an absolute path, or the open text of this file.
    Path(String),
    /// Shipped file, by its path below the library.
    Shipped(&'static str),
    /// Text without a file.
    Unnamed,
}

/// Files of a program: the main text, then open texts and files below the directories, then the shipped library.
pub(crate) struct ProgramTexts<'a> {
    pub(crate) main: &'a str,
    pub(crate) text: &'a str,
    /// Absolute paths in search order.
    pub(crate) directories: &'a [String],
    pub(crate) open: &'a BTreeMap<String, Arc<str>>,
    pub(crate) disk: &'a dyn Disk,
    pub(crate) found: RefCell<BTreeMap<String, Origin>>,
    /// Absolute paths that were searched. The program depends on their contents.
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
