//! Files of programs: from the working directory and the shipped library, and nowhere else.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use grandstand_languages::{self as languages, FileError, FileSource, LoadError, MAX_BYTES, Program};
use grandstand_matches::programs::{load_shipped, shipped};
use grandstand_protocol::Game;

/// Files that a program may consist of. The main file may lie anywhere. Includes come from a directory, not through
/// links that lead out of it, and then from the shipped library.
#[derive(Debug, Clone)]
pub struct ProgramFiles {
    main: String,
    directory: PathBuf,
}

impl ProgramFiles {
    /// Files of the program at `main`, whose includes are relative to `directory`.
    pub fn new(main: &str, directory: &Path) -> Self {
        Self { main: main.to_owned(), directory: directory.to_owned() }
    }

    fn included(&self, path: &str) -> Result<Vec<u8>, FileError> {
        match read_below(&self.directory, path) {
            Err(FileError::Missing) => {
                shipped(path).map(|text| text.as_bytes().to_vec()).ok_or(FileError::Missing)
            }
            read => read,
        }
    }
}

/// Content of the file at a path below a directory. Links that lead out of the directory are refused.
///
/// # Errors
/// If the file is missing, outside of the directory, too large, or unreadable.
pub fn read_below(directory: &Path, path: &str) -> Result<Vec<u8>, FileError> {
    let other = |error: io::Error| FileError::Other(error.to_string());
    let directory = directory.canonicalize().map_err(other)?;
    match directory.join(path).canonicalize() {
        Ok(real) if !real.starts_with(&directory) => Err(FileError::Outside),
        Ok(real) => read(&real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FileError::Missing),
        Err(error) => Err(other(error)),
    }
}

impl FileSource for ProgramFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        if path == self.main { read(Path::new(path)) } else { self.included(path) }
    }
}

/// Content of a regular file that is not larger than [`MAX_BYTES`].
fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let error = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing,
        _ => FileError::Other(error.to_string()),
    };
    // Checked before opening: opening a named pipe would wait for its other end.
    if !path.metadata().map_err(error)?.is_file() {
        return Err(FileError::Other("it is not a regular file".to_owned()));
    }
    let file = File::open(path).map_err(error)?;
    let mut content = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut content).map_err(error)?;
    if content.len() > MAX_BYTES {
        return Err(FileError::TooLarge { limit: MAX_BYTES });
    }
    Ok(content)
}

/// Loads the program that plays a game as `player`: a shipped one (`idle`, `random`), or a file, whose name determines
/// its language.
///
/// # Errors
/// If there is no such file, or it contains no valid program.
pub fn load(game: Game, player: &str, directory: &Path) -> Result<Program, LoadError> {
    load_shipped(game, player)
        .unwrap_or_else(|| languages::load(player, &ProgramFiles::new(player, directory)))
}
