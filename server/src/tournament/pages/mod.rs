//! HTML pages of a tournament, without script, for `grandstand serve --tournament` and `tournament export`.
//!
//! Links are relative, so that the same pages work on a server, below a proxy's prefix, and in a folder on disk.
//!
//! | module | content |
//! | --- | --- |
//! | `document` | the frame of every page, and shared parts |
//! | `index` | the first page: ranking, and each stage with its table, crosstable and rounds |
//! | `bracket` | an elimination as columns of rounds |
//! | `player` | one player: results by opponent, map and side, and games |
//! | `games` | games, filtered by player, stage and result |
//! | `schedule` | pairings without results |
//! | `interval` | a rating interval as a bar |
//! | `ratings` | ratings over time as lines |

mod bracket;
mod document;
mod games;
mod index;
mod interval;
mod player;
mod ratings;
mod schedule;

pub use document::Site;
pub use games::games;
pub use index::index;
pub use player::player;
pub use schedule::schedule;

use super::report::Report;

/// The file name of the first page.
pub const INDEX: &str = "index.html";

/// The file name of the page of games, which only a server has.
pub const GAMES: &str = "games.html";

/// The file name of the page of player `index`, from 0.
pub fn player_page(index: usize) -> String {
    format!("player-{}.html", index + 1)
}

/// The index of the player, from 0, whose page has this file name.
pub fn player_of_page(name: &str) -> Option<usize> {
    let number = name.strip_prefix("player-")?.strip_suffix(".html")?;
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// The file name of a game's recording; `ending` is `replay`, or `replay.zst` if it is compressed.
pub fn recording_name(game: u64, ending: &str) -> String {
    format!("recordings/{game}.{ending}")
}

/// The file name of the picture of a game's end.
pub fn picture_name(game: u64) -> String {
    format!("pictures/{game}.png")
}

/// The index in the report of the player with this name.
fn position(report: &Report, name: &str) -> Option<usize> {
    report.players.iter().position(|player| player.name == name)
}
