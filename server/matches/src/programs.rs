//! Program files: where programs and what they include are read from, and how a replay keeps them.
//!
//! - [`ProgramFiles`]: the working directory and the shipped library, and nothing outside of them;
//! - [`load`]: a game's player by its file's name, or a shipped one by its name;
//! - [`bundle`] and [`unbundle`]: a program with all that it includes as one text, and back.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use grandstand_languages::{
    self as languages, FileError, FileSource, Language, LoadError, MAX_BYTES, MemoryFiles, Program,
};
use grandstand_protocol::Game;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The shipped library: what programs may include without having it, and programs that play by name.
const SHIPPED: &[(&str, &str)] = &[
    ("abalone/idle.cl", include_str!("../bots/abalone/idle.cl")),
    ("abalone/random.cl", include_str!("../bots/abalone/random.cl")),
    ("abalone/simple_bot.cl", include_str!("../bots/abalone/simple_bot.cl")),
    ("abalone/team.cl", include_str!("../bots/abalone/team.cl")),
    ("abalone/constants.ch", include_str!("../bots/abalone/constants.ch")),
    ("abalone/arrays.ch", include_str!("../bots/abalone/arrays.ch")),
    ("abalone/booleans.ch", include_str!("../bots/abalone/booleans.ch")),
    ("abalone/barrier.ch", include_str!("../bots/abalone/barrier.ch")),
    ("shark/random.rcl", include_str!("../bots/shark/random.rcl")),
    ("shark/stupidbot.rcl", include_str!("../bots/shark/stupidbot.rcl")),
    ("shark/shark.rcl", include_str!("../bots/shark/shark.rcl")),
    ("shark/botlib.rch", include_str!("../bots/shark/botlib.rch")),
    ("shark/constants.rch", include_str!("../bots/shark/constants.rch")),
    ("shark/ways.rch", include_str!("../bots/shark/ways.rch")),
];

/// The text of a shipped file, by its path below `server/bots`, by its name alone, or by its name in the handouts' directories `cl` and `rcl`.
pub fn shipped(path: &str) -> Option<&'static str> {
    let path = path.strip_prefix("cl/").or_else(|| path.strip_prefix("rcl/")).unwrap_or(path);
    let is_named = |name: &str| name == path || name.split_once('/').is_some_and(|(_, name)| name == path);
    SHIPPED.iter().find(|(name, _)| is_named(name)).map(|(_, text)| *text)
}

/// The language of a game's programs; `None` for a game that programs of ours don't play.
pub fn language(game: Game) -> Option<Language> {
    match game {
        Game::Abalone => Some(Language::Cl),
        Game::Shark => Some(Language::Rcl),
        Game::Fortress | Game::Gomoku | Game::Pente | Game::Riskless | Game::Grid => None,
    }
}

/// The names of the shipped programs that play a game.
pub fn players(game: Game) -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().filter_map(move |(path, _)| {
        let name = path.strip_prefix(game.name())?.strip_prefix('/')?;
        name.strip_suffix(language(game)?.extension())?.strip_suffix('.')
    })
}

/// The files that a program may consist of: its main file, wherever that is; for what it includes the files
/// below a directory (not through links that lead out of it), then the shipped library.
#[derive(Debug, Clone)]
pub struct ProgramFiles {
    main: String,
    directory: PathBuf,
}

impl ProgramFiles {
    /// The files for the program at `main`, which includes relative to `directory`.
    pub fn new(main: &str, directory: &Path) -> Self {
        Self { main: main.to_owned(), directory: directory.to_owned() }
    }

    fn included(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let other = |error: io::Error| FileError::Other(error.to_string());
        let directory = self.directory.canonicalize().map_err(other)?;
        match directory.join(path).canonicalize() {
            Ok(real) if !real.starts_with(&directory) => Err(FileError::Outside),
            Ok(real) => read(&real),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                shipped(path).map(|text| text.as_bytes().to_vec()).ok_or(FileError::Missing)
            }
            Err(error) => Err(other(error)),
        }
    }
}

impl FileSource for ProgramFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        if path == self.main { read(Path::new(path)) } else { self.included(path) }
    }
}

/// A regular file's content, when it is not larger than any program.
fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let error = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing,
        _ => FileError::Other(error.to_string()),
    };
    // Looked at before it is opened: opening a pipe would wait for its other end.
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

/// The program that plays a game as `player`: a shipped one (`idle`, `random`), or a file, whose name tells its language.
pub fn load(game: Game, player: &str, directory: &Path) -> Result<Program, LoadError> {
    if players(game).any(|name| name == player)
        && let Some(language) = language(game)
        && let name = format!("{player}.{}", language.extension())
        && let Some(text) = shipped(&format!("{game}/{name}"))
    {
        return languages::load(&name, &Shipped { name: &name, text });
    }
    languages::load(player, &ProgramFiles::new(player, directory))
}

/// A shipped program, which includes only what is shipped.
struct Shipped<'a> {
    name: &'a str,
    text: &'static str,
}

impl FileSource for Shipped<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let text = if path == self.name { Some(self.text) } else { shipped(path) };
        text.map(|text| text.as_bytes().to_vec()).ok_or(FileError::Missing)
    }
}

/// The program with all that it includes as one text: for each file, the main one first, a line
/// `#file BYTES PATH`, that many bytes, and a line feed.
pub fn bundle(program: &Program) -> String {
    let mut text = String::new();
    for file in program.sources().files() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#file {} {}", file.text.len(), file.name);
        text.push_str(&file.text);
        text.push('\n');
    }
    text
}

/// The SHA-256 of a text, in hexadecimal.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Why a text is not a [`bundle`].
#[derive(Debug, Error)]
pub enum BundleError {
    /// A file's first line is not where it should be.
    #[error("byte {at}: expected `#file BYTES PATH` and that many bytes")]
    Form {
        /// Where, in bytes from the beginning.
        at: usize,
    },
    /// What the bundle holds is not a program.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// The program that was [bundled](bundle).
pub fn unbundle(text: &str) -> Result<Program, BundleError> {
    let (mut files, mut main) = (MemoryFiles::new(), None);
    let mut rest = text;
    while !rest.is_empty() {
        let error = || BundleError::Form { at: text.len() - rest.len() };
        let (heading, body) = rest.split_once('\n').ok_or_else(error)?;
        let heading = heading.strip_prefix("#file ").and_then(|heading| heading.split_once(' '));
        let (length, name) = heading.ok_or_else(error)?;
        let content = length.parse().ok().and_then(|length: usize| body.get(..length)).ok_or_else(error)?;
        files = files.with(name, content);
        main.get_or_insert(name);
        rest = body[content.len()..].strip_prefix('\n').ok_or_else(error)?;
    }
    let main = main.ok_or(BundleError::Form { at: 0 })?;
    Ok(languages::load(main, &files)?)
}
