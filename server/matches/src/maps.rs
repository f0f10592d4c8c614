//! Map files, of whichever game has them: found by name or path, told apart, checked.
//!
//! A game joins with a [`Format`] among [`FORMATS`].

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use grandstand_protocol::Game;
use grandstand_rules::map::{MapFault, MapFaults};
use grandstand_rules::{fortress, riskless, shark};
use thiserror::Error;

/// What a game's maps are.
#[derive(Debug)]
pub struct Format {
    /// The game.
    pub game: Game,
    /// The game's name as a sentence has it.
    pub title: &'static str,
    /// Name and text of the shipped maps; the first is the one that is played on when none is named.
    pub shipped: &'static [(&'static str, &'static str)],
    /// What the names of map files end with.
    pub extension: &'static str,
    /// The characters that maps are made of, where that tells them from maps of other games.
    letters: &'static str,
    /// Tells what is odd about a map, or why it is none.
    check: fn(&[u8]) -> Result<MapFaults, MapFaults>,
}

/// The games that have maps.
pub static FORMATS: [Format; 3] = [
    Format {
        game: Game::Shark,
        title: "λ-Shark",
        shipped: &shark::maps::SHIPPED,
        extension: "map",
        letters: ".*rbRBi",
        check: |text| shark::Field::parse(text).map(|field| field.oddities()),
    },
    Format {
        game: Game::Fortress,
        title: "Steam Fortress",
        shipped: &fortress::maps::SHIPPED,
        extension: "map",
        letters: "lrh0123456789",
        check: |text| fortress::Map::parse(text).map(|map| map.oddities()),
    },
    Format {
        game: Game::Riskless,
        title: "Riskless",
        shipped: &riskless::maps::SHIPPED,
        extension: "toml",
        letters: "",
        check: |text| riskless::Map::parse(text).map(|map| map.oddities(text)),
    },
];

/// What there is to say of a map.
#[derive(Debug)]
pub struct Checked {
    /// Which game it is a map of, or should be; `None` when it looks like none of them.
    pub format: Option<&'static Format>,
    /// Why no match can be played on it; empty for a good map.
    pub faults: MapFaults,
    /// What is odd about it though it is good.
    pub oddities: MapFaults,
}

/// A map can't be read.
#[derive(Debug, Error)]
pub enum MapError {
    /// It is neither a shipped map nor a file.
    #[error("no map is called `{name}`, and no file; the maps of {game} are {names}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Of which game.
        game: &'static str,
        /// The shipped ones.
        names: String,
    },
    /// The file can't be read.
    #[error("{name}: {source}")]
    Io {
        /// Which.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// No match can be played on it.
    #[error("{name} is no map of {game}:\n{faults}")]
    Faults {
        /// The file.
        name: String,
        /// Of which game it should be.
        game: &'static str,
        /// What is wrong with it.
        faults: MapFaults,
    },
}

/// No map has as many bytes as this; more of a file is not looked at.
const READ_MAX_BYTES: u64 = 1 << 20;

/// What the game's maps are; `None` for a game without maps.
pub fn format(game: Game) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.game == game)
}

/// The bytes of a map file, as many as can matter.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(READ_MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Checks a map. Without a game it is that of its directory's name (`shark/x.map`), else the only one whose maps' names end
/// like that, else the one whose characters it is made of.
pub fn check(game: Option<&'static Format>, path: &Path, text: &[u8]) -> Checked {
    match game.or_else(|| by_directory(path)).or_else(|| by_extension(path)).or_else(|| by_letters(text)) {
        Some(format) => {
            let (faults, oddities) = match (format.check)(text) {
                Ok(oddities) => (MapFaults::default(), oddities),
                Err(faults) => (faults, MapFaults::default()),
            };
            Checked { format: Some(format), faults, oddities }
        }
        None => {
            let reason = format!("this looks like no map of {}", either(|format| format.title));
            let fault = MapFault { line: 1, column: 1, reason };
            Checked { format: None, faults: [fault].into_iter().collect(), oddities: MapFaults::default() }
        }
    }
}

/// One of the games that have maps, in words: `a, b or c`.
pub fn either(name: fn(&Format) -> &'static str) -> String {
    let [first @ .., last] = &FORMATS.each_ref().map(name);
    format!("{} or {last}", first.join(", "))
}

fn by_directory(path: &Path) -> Option<&'static Format> {
    let directory = path.parent()?.file_name()?.to_str()?;
    FORMATS.iter().find(|format| format.game.name() == directory)
}

fn by_extension(path: &Path) -> Option<&'static Format> {
    let extension = path.extension()?;
    let mut formats = FORMATS.iter().filter(|format| extension == format.extension);
    formats.next().filter(|_| formats.next().is_none())
}

fn by_letters(text: &[u8]) -> Option<&'static Format> {
    let share = |format: &Format| text.iter().filter(|byte| format.letters.as_bytes().contains(byte)).count();
    FORMATS.iter().max_by_key(|format| share(format)).filter(|format| share(format) > 0)
}

impl Format {
    /// The text of a map on which a match can be played: that of the shipped one of that name, with `.map` (or what this game's maps
    /// end with) behind it or without, else that of the file at that path.
    pub fn load(&'static self, name: &str) -> Result<String, MapError> {
        let stem = name.strip_suffix(self.extension).and_then(|stem| stem.strip_suffix('.'));
        let bare = stem.unwrap_or(name);
        if let Some((_, text)) = self.shipped.iter().find(|(shipped, _)| *shipped == bare) {
            return Ok((*text).to_owned());
        }
        let text = read(Path::new(name)).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                let names: Vec<&str> = self.shipped.iter().map(|(name, _)| *name).collect();
                MapError::Unknown { name: name.to_owned(), game: self.title, names: names.join(", ") }
            }
            _ => MapError::Io { name: name.to_owned(), source },
        })?;
        match (self.check)(&text) {
            Ok(_) => Ok(String::from_utf8_lossy(&text).into_owned()),
            Err(faults) => Err(MapError::Faults { name: name.to_owned(), game: self.title, faults }),
        }
    }
}
