//! Shipped programs, and the library that programs may include without a file of their own.

use grandstand_languages::{self as languages, FileError, FileSource, LoadError, Program};
use grandstand_protocol::Game;

use crate::games::{GAMES, language, of};

/// Text of a shipped file, by its path below `server/bots`, its name alone, or its name in the handouts' directories
/// `cl` and `rcl`.
pub fn shipped(path: &str) -> Option<&'static str> {
    shipped_file(path).map(|(_, text)| text)
}

/// Like [`shipped`], with the file's path below `server/bots`.
pub fn shipped_file(path: &str) -> Option<(&'static str, &'static str)> {
    let path = path.strip_prefix("cl/").or_else(|| path.strip_prefix("rcl/")).unwrap_or(path);
    let is_named = |name: &str| name == path || name.split_once('/').is_some_and(|(_, name)| name == path);
    let mut files = GAMES.iter().flat_map(|game| game.program_files);
    files.find(|(name, _)| is_named(name)).copied()
}

/// Names of the shipped programs that play a game.
pub fn players(game: Game) -> impl Iterator<Item = &'static str> {
    let files = of(game).map_or(&[][..], |game| game.program_files);
    files.iter().filter_map(move |(path, _)| {
        let name = path.strip_prefix(game.name())?.strip_prefix('/')?;
        name.strip_suffix(language(game)?.extension())?.strip_suffix('.')
    })
}

/// Loads the shipped program that plays a game under that name; `None` if there is none.
pub fn load_shipped(game: Game, player: &str) -> Option<Result<Program, LoadError>> {
    players(game).find(|name| *name == player)?;
    let name = format!("{player}.{}", language(game)?.extension());
    let text = shipped(&format!("{game}/{name}"))?;
    Some(languages::load(&name, &Shipped { name: &name, text }))
}

/// Shipped program, which can include only shipped files.
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
