//! Turn games: referee and command line.

mod play;
mod referee;
