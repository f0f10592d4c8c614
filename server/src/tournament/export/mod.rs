//! Exports of a tournament: files for spreadsheets, rating programs, course pages and browsers.
//!
//! | module | output |
//! | --- | --- |
//! | `csv` | a table for spreadsheets |
//! | `markdown` | tables for a course page |
//! | `pgn` | a header for each rated game, in the form that Ordo and BayesElo read |
//! | `folder` | pages in HTML with recordings and pictures |

mod csv;
mod folder;
mod markdown;
mod pgn;

pub use csv::{Table, csv};
pub use folder::{Folder, write_folder};
pub use markdown::markdown;
pub use pgn::pgn;

use serde_json::json;

use super::report::Snapshot;

/// The whole report and all games, as one JSON object.
pub fn json(of: &Snapshot) -> String {
    let mut value = json!(of.report());
    value["games"] = json!(of.game_lines());
    format!("{value:#}\n")
}
