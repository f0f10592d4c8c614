//! Steam Fortress in the words of its handout, on simulated time.

mod abilities;
mod capture;
pub(crate) mod common;
mod information;
mod maps;
mod movement;
mod paths;
mod respawn;
mod start;
