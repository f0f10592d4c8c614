//! Pages of a tournament in HTML, without script: what `grandstand serve --tournament` shows and `tournament export` writes.
//!
//! Links are relative, so that the same pages work on a server, under a proxy's prefix, and in a folder on disk.
//!
//! | module | what it is |
//! | --- | --- |
//! | `document` | the frame of every page, escaping, and texts that several pages have |
//! | `index` | the first page: ranking, and each stage with its table, crosstable and rounds |
//! | `bracket` | an elimination as columns of rounds |
//! | `player` | one player: by opponent, map and side, its games |
//! | `games` | games, chosen by player, stage and result |
//! | `schedule` | who meets whom, without results |
//! | `interval` | a rating with its interval, as a bar |
//! | `ratings` | ratings over time, as lines |

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
pub use index::{Sort, index};
pub use player::player;
pub use schedule::schedule;

use super::report::Report;

/// The name of the first page.
pub const INDEX: &str = "index.html";

/// The name of the page of games, which only a server has.
pub const GAMES: &str = "games.html";

/// The name of the page of player number `index`, from 0.
pub fn player_page(index: usize) -> String {
    format!("player-{}.html", index + 1)
}

/// Which player's page has that name, from 0.
pub fn player_of_page(name: &str) -> Option<usize> {
    let number = name.strip_prefix("player-")?.strip_suffix(".html")?;
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// The name of the file with the recording of a game; `ending` is `replay`, or `replay.zst` where it is compressed.
pub fn recording_name(game: u64, ending: &str) -> String {
    format!("recordings/{game}.{ending}")
}

/// The name of the file with the picture of a game's end.
pub fn picture_name(game: u64) -> String {
    format!("pictures/{game}.png")
}

/// The position in the report of a player of that name.
fn position(report: &Report, name: &str) -> Option<usize> {
    report.players.iter().position(|player| player.name == name)
}
