//! Tournaments: from a folder of bots to a ranking.
//!
//! - [`definition`]: what is played, by whom and how, from a file or from options;
//! - [`catalogue`]: the file with all that is known of a tournament, and the recordings beside it;
//! - [`runner`]: plays what is to be played, and goes on where it was stopped;
//! - [`relay`]: games that have just been played, drawn over a bridge;
//! - [`report`]: standings, crosstable, games and players, as values that print and serialize;
//! - [`shown`]: a tournament that is watched; [`pages`]: the same as HTML; [`export`]: files for spreadsheets, rating programs, course pages and browsers.
//!
//! Who meets whom, what counts and what follows from it is decided in `grandstand-tournaments`, which knows no files.

pub mod catalogue;
pub mod definition;
pub mod export;
pub mod pages;
pub mod relay;
pub mod report;
pub mod runner;
pub mod shown;
