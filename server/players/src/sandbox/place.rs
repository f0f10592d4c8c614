//! Scratch directory of a program, and the directories that it may read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Empty writable directory for a program, whichever user it runs as. Dropping it removes the directory.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates the directory in the system's temporary directory; `name` is a part of its name.
    ///
    /// # Errors
    /// If it can't be created.
    pub fn new(name: &str) -> io::Result<Self> {
        let name = format!("grandstand-{name}-{}-{:016x}", std::process::id(), getrandom::u64()?);
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path)?;
        let this = Self(path);
        #[cfg(unix)]
        {
            use super::NOBODY;
            use std::os::unix::fs::{PermissionsExt, chown};
            fs::set_permissions(&this.0, fs::Permissions::from_mode(0o700))?;
            if rustix::process::geteuid().is_root() {
                chown(&this.0, Some(NOBODY), Some(NOBODY))?;
            }
        }
        Ok(this)
    }

    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that can't be removed is left to the cleaning of the temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Directories that the words of a command make readable: a word that names a directory gives it, one that
/// names a file gives the directory around it. The root directory is never among them.
pub fn directories_of<'a>(current: &'a Path, command: &'a [String]) -> impl Iterator<Item = PathBuf> + 'a {
    command.iter().filter_map(move |word| {
        let path = current.join(word).canonicalize().ok()?;
        let directory = if path.is_dir() { path } else { path.parent()?.to_owned() };
        // Reading `/` would open the whole file system.
        directory.parent().is_some().then_some(directory)
    })
}
