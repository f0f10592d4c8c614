//! Temporary directory of a test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory that is removed on drop.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Folder {
    /// A new, empty directory.
    #[must_use]
    pub fn new() -> Self {
        Self(tempfile::Builder::new().prefix("grandstand-").tempdir().unwrap())
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, which may not exist.
    #[must_use]
    pub fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file; returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// The content of a file.
    #[must_use]
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.join(name)).unwrap()
    }

    /// The content of a file as text.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }
}

/// Lets all users read a file or a directory, and enter or run it: a program in the sandbox runs as another user than
/// the owner of the directory.
#[cfg(unix)]
pub fn open_to_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
