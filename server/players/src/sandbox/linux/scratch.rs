//! Size of a scratch directory that is not limited by a file system of its own.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::processes;

/// Minimum size of a file, in bytes: its name and its inode take room too.
const LEAST: u64 = 4_096;

/// Bytes of the files below `scratch`. With `root`, also of deleted files there that a descendant of that
/// process has open. Counting stops when `most` is exceeded; a directory that can't be listed counts as more
/// than `most`.
pub(super) fn bytes(scratch: &Path, root: Option<u32>, most: u64) -> u64 {
    let mut total = 0;
    let mut seen = HashSet::new();
    let mut add = |file: Metadata| {
        if seen.insert((file.dev(), file.ino())) {
            total += LEAST.max(file.blocks() * 512);
        }
        total > most
    };
    let mut next = vec![scratch.to_owned()];
    while let Some(directory) = next.pop() {
        match list(&directory) {
            Ok(entries) => {
                for (path, file) in entries {
                    if file.is_dir() {
                        next.push(path);
                    }
                    if add(file) {
                        return most + 1;
                    }
                }
            }
            // The directory was deleted meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(_) => return most + 1,
        }
    }
    // `/proc` shows canonical paths.
    let scratch = &scratch.canonicalize().unwrap_or_else(|_| scratch.to_owned());
    for link in root.into_iter().flat_map(processes::open_files) {
        let nameless =
            |path: PathBuf| path.starts_with(scratch) && path.to_string_lossy().ends_with(" (deleted)");
        if fs::read_link(&link).is_ok_and(nameless) && fs::metadata(&link).is_ok_and(&mut add) {
            return most + 1;
        }
    }
    total
}

fn list(directory: &Path) -> io::Result<Vec<(PathBuf, Metadata)>> {
    let entries = fs::read_dir(directory)?.map(|entry| {
        let entry = entry?;
        // Metadata of a symbolic link itself, not of its target.
        Ok((entry.path(), entry.metadata()?))
    });
    // A file that is deleted meanwhile is no error.
    entries
        .filter(|entry: &io::Result<_>| entry.as_ref().err().is_none_or(|e| e.kind() != ErrorKind::NotFound))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_lies_in_a_directory_is_added_up() {
        let place = tempfile::tempdir().unwrap();
        let me = Some(std::process::id());
        assert_eq!(bytes(place.path(), me, 1 << 20), 0);
        fs::create_dir_all(place.path().join("a/b")).unwrap();
        fs::write(place.path().join("a/b/c"), vec![1; 100_000]).unwrap();
        fs::hard_link(place.path().join("a/b/c"), place.path().join("d")).unwrap();
        let sum = bytes(place.path(), me, 1 << 20);
        assert!((108_000..130_000).contains(&sum), "{sum}");
        assert_eq!(bytes(place.path(), me, 50_000), 50_001);
        assert_eq!(bytes(&place.path().join("none"), me, 1), 0);
        fs::set_permissions(place.path().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
        let hidden = bytes(place.path(), me, 1 << 20);
        fs::set_permissions(place.path().join("a"), fs::Permissions::from_mode(0o700)).unwrap();
        let sees_all = rustix::process::geteuid().is_root();
        assert_eq!(hidden, if sees_all { sum } else { (1 << 20) + 1 });
    }
}
