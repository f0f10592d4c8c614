//! Scratch directory of a program, and the directories that it may read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// An empty directory in which a program may write, whoever it runs as; removed in the end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// In the system's temporary directory, with `name` in its own.
    ///
    /// # Errors
    /// If it can't be made.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What can't be removed is a matter of the temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The directories that the words of a command allow to read: each itself, or that of the file that it names.
pub fn directories_of<'a>(current: &'a Path, command: &'a [String]) -> impl Iterator<Item = PathBuf> + 'a {
    command.iter().filter_map(move |word| {
        let path = current.join(word).canonicalize().ok()?;
        let directory = if path.is_dir() { path } else { path.parent()?.to_owned() };
        // The whole file system is nobody's directory of a team.
        directory.parent().is_some().then_some(directory)
    })
}
