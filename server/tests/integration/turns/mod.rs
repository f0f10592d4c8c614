//! Turn games: referee and command line.

mod fixtures;
mod inputs;
mod play;
mod referee;
