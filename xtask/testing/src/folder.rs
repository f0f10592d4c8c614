//! A directory of a test's own.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory that is removed when it is dropped.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Folder {
    /// A new one, with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self(tempfile::Builder::new().prefix("grandstand-").tempdir().unwrap())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, which may not be there.
    #[must_use]
    pub fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file; its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// What is in a file.
    #[must_use]
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.join(name)).unwrap()
    }

    /// The text in a file.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }
}

/// Lets every user of the system read a file or a directory, and enter or run it: who runs a program in the box is not who
/// made the directory.
#[cfg(unix)]
pub fn open_to_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
