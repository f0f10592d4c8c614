//! Games in which two players move by turns: settings, referee and recorded inputs.
//!
//! - [`game`]: what a game supplies; [`settings`]: settings and header of a match;
//! - [`answer`]: what a player answers, and how it may lose besides the rules of its game;
//! - [`referee`]: takes what the players do, each with its moment, and gives what is to be drawn;
//!   [`outcome`]: how a match stands and how it ended;
//! - [`inputs`]: what happened to a match, in a file, and played again; [`fuzz`]: the body of the fuzz target.
//!
//! The players themselves are in the crate `grandstand-players`.

pub mod answer;
pub mod fuzz;
pub mod game;
pub mod inputs;
pub mod outcome;
pub mod referee;
pub mod settings;
