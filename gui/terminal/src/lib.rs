//! The spectator in a terminal: live and recorded matches where there is no display, over ssh for instance.
//!
//! It shows what the window shows of a match, in letters and colours: the board, the players with their scores and clocks,
//! what happened, and the timeline. Words, figures and events come from [`grandstand_story`], matches from
//! [`grandstand_source`], as in the window; there is no egui here.
//!
//! | module | what it is |
//! | --- | --- |
//! | `run` | the loop that keys, signals and arrivals wake; it sleeps while nothing moves |
//! | `screen` | the terminal, which is given back however the program ends |
//! | `app` | what is shown, and what a key does |
//! | `input` | the table of keys |
//! | `session` | one match: an open match, and what has been found in it |
//! | `games` | a board painter for each game, and the table of them |
//! | `layout`, `panels` | where the parts of the screen are, and all of them but the board |
//! | `canvas`, `look` | painting within a part of the screen; what the terminal can show |
//! | `plain` | the same as a few lines of text, where there is no terminal |

mod app;
mod canvas;
mod games;
mod input;
mod layout;
mod look;
mod panels;
mod plain;
mod run;
mod screen;
mod session;
#[cfg(test)]
mod tests;

pub use look::{Depth, Look};
pub use plain::describe;
pub use run::run;
