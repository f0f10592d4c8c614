//! Command line arguments: addresses, files and folders.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::files_in;
use crate::address::{DEFAULT_SERVER, Target, TargetError};

/// Parses an argument of the command line: an address, a file, or a folder.
///
/// # Errors
/// [`TargetError`] if it is neither.
pub fn target(argument: &OsStr) -> Result<Target, TargetError> {
    // The name of an existing file is always a file.
    let path = PathBuf::from(argument);
    if path.is_file() {
        return Ok(Target::File(path));
    }
    if path.is_dir() {
        return Ok(Target::Folder(path));
    }
    match argument.to_str() {
        Some(text) => text.parse(),
        None => Ok(Target::File(path)),
    }
}

/// Parses all arguments of a command line: one target, two to compare, or with `wall` all of them at once. In a wall
/// a folder stands for the recordings in it.
///
/// # Errors
/// [`TargetError`] if one of them is neither an address nor a file.
pub fn targets(arguments: &[OsString], wall: bool) -> Result<Option<Target>, TargetError> {
    if !wall {
        return match arguments {
            [] => Ok(None),
            [one] => target(one).map(Some),
            [a, b] => Ok(Some([target(a)?, target(b)?].into())),
            more => Err(TargetError::TooMany(more.len())),
        };
    }
    let mut targets = Vec::new();
    for argument in arguments {
        match target(argument)? {
            Target::Folder(path) => {
                let recordings = files_in(&path).map(|folder| folder.recordings);
                targets.extend(recordings.unwrap_or_default().into_iter().map(Target::File));
            }
            Target::Wall(more) => targets.extend(more),
            one => targets.push(one),
        }
    }
    if arguments.is_empty() {
        targets.push(DEFAULT_SERVER.parse()?);
    }
    Ok(Some(Target::Wall(targets)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_meant_whatever_its_name_looks_like() {
        let path = std::env::temp_dir().join(format!("localhost:{}", std::process::id() % 60_000));
        std::fs::write(&path, "").expect("a file");
        let found = target(path.as_os_str());
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(found, Ok(Target::File(path)));
        assert!(matches!(target("localhost:8126".as_ref()), Ok(Target::Server(_))));
    }
}
