//! λ-Shark as its handout specifies it, section by section.
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod combat;
mod endings;
mod flags;
mod game;
mod maps;
mod motion;
mod pilots;
mod powerups;
mod senses;
mod settings;
mod spawning;
