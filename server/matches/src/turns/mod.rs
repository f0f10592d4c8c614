//! Turn games for two players: settings, referee and recorded inputs.
//!
//! - [`game`]: the interface that a game implements; [`settings`]: settings and header of a match;
//! - [`answer`]: answers of a player, and losses other than by the rules of its game;
//! - [`referee`]: takes the players' inputs with their moments, and gives the commands to draw; [`outcome`]: progress
//!   and ending of a match;
//! - [`inputs`]: files of a match's inputs, and their replay; [`fuzz`]: the body of the fuzz target.
//!
//! The players themselves are in the crate `grandstand-players`.

pub mod answer;
pub mod fuzz;
pub mod game;
pub mod inputs;
pub mod outcome;
pub mod referee;
pub mod settings;
