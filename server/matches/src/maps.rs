//! Maps of all games that have some: recognition and checks.

use std::path::Path;

use grandstand_protocol::Game;
use grandstand_protocol::text::alternatives;
use grandstand_rules::map::{MapFault, MapFaults};

use crate::games::{GAMES, of, title};
use crate::map_format::MapFormat;

/// Result of checking a map.
#[derive(Debug)]
pub struct Checked {
    /// Format of the map, or the one that it should have; `None` if it looks like none.
    pub format: Option<&'static MapFormat>,
    /// Faults that make the map unplayable; empty for a good map.
    pub faults: MapFaults,
    /// Oddities of a good map.
    pub warnings: MapFaults,
}

/// The map formats, in the order of the games.
pub fn formats() -> impl DoubleEndedIterator<Item = &'static MapFormat> {
    GAMES.iter().filter_map(|game| game.maps.as_ref())
}

/// The map format of a game; `None` for a game without maps.
pub fn format(game: Game) -> Option<&'static MapFormat> {
    of(game)?.maps.as_ref()
}

/// Checks a map. Without `game`, the format is that of its directory's name (`shark/x.map`), or else the only one with
/// its extension, or else the one whose characters it mostly consists of.
pub fn check(game: Option<&'static MapFormat>, path: &Path, text: &[u8]) -> Checked {
    match game.or_else(|| by_directory(path)).or_else(|| by_extension(path)).or_else(|| by_letters(text)) {
        Some(format) => {
            let (faults, warnings) = match (format.check)(text) {
                Ok(warnings) => (MapFaults::default(), warnings),
                Err(faults) => (faults, MapFaults::default()),
            };
            Checked { format: Some(format), faults, warnings }
        }
        None => {
            let reason = format!("this looks like no map of {}", either(|format| title(format.game)));
            let fault = MapFault { line: 1, column: 1, reason };
            Checked { format: None, faults: [fault].into_iter().collect(), warnings: MapFaults::default() }
        }
    }
}

/// Games that have maps, in words: `a, b or c`.
pub fn either(name: fn(&MapFormat) -> &'static str) -> String {
    alternatives(&formats().map(name).collect::<Vec<_>>())
}

fn by_directory(path: &Path) -> Option<&'static MapFormat> {
    let directory = path.parent()?.file_name()?.to_str()?;
    formats().find(|format| format.game.name() == directory)
}

fn by_extension(path: &Path) -> Option<&'static MapFormat> {
    let extension = path.extension()?;
    let mut formats = formats().filter(|format| extension == format.extension);
    formats.next().filter(|_| formats.next().is_none())
}

fn by_letters(text: &[u8]) -> Option<&'static MapFormat> {
    let share =
        |format: &MapFormat| text.iter().filter(|byte| format.letters.as_bytes().contains(byte)).count();
    formats().max_by_key(|format| share(format)).filter(|format| share(format) > 0)
}
