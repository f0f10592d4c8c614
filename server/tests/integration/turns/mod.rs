//! Turn games: the referee, and the command line.

mod play;
mod referee;
