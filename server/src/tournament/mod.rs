//! Tournaments: from a folder of bots to a ranking.
//!
//! - [`definition`]: the definition: game, players and stages, from a file or from options;
//! - [`catalogue`]: the database of a tournament, and the recordings beside it;
//! - [`runner`]: plays the pending games, and resumes after an interruption; `playing`: a single game;
//! - [`distributed`]: games handed out to workers on other machines;
//! - [`bridge_replayer`]: sends finished games to a bridge, for spectators;
//! - [`report`]: standings, crosstable, games and players, as values that print and serialize;
//! - [`shown`]: the reader for a server that shows a tournament; [`pages`]: HTML pages; [`export`]: files for
//!   spreadsheets, rating programs, course pages and browsers.
//!
//! Pairings, counting and consequences are decided in `grandstand-tournaments`, which knows no files.

pub mod bridge_replayer;
pub mod catalogue;
pub mod definition;
pub mod distributed;
pub mod export;
pub mod pages;
mod playing;
pub mod report;
pub mod runner;
pub mod shown;
