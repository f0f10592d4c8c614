//! The spectator in a terminal: live and recorded matches where there is no display, for instance over ssh.
//!
//! It shows what the window shows of a match, in letters and colours: the board, the players with their scores and clocks, the
//! events, and the timeline. As in the window, texts, figures and events come from [`grandstand_story`], and matches from
//! [`grandstand_source`]. This crate does not use egui.
//!
//! | module | what it is |
//! | --- | --- |
//! | `run` | the main loop, which keys, signals and arrivals wake; it sleeps while nothing moves |
//! | `screen` | the terminal, which is restored however the program ends |
//! | `app` | the shown content, and the effect of keys |
//! | `input` | the table of keys |
//! | `session` | one match: an open match, and the events found in it |
//! | `games` | a board painter for each game, and their table |
//! | `layout`, `panels` | the positions of the parts of the screen, and all parts except the board |
//! | `canvas`, `look` | painting within a part of the screen; the capabilities of the terminal |
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
