//! λ-Shark as its handout specifies it, section by section.

mod combat;
mod endings;
mod flags;
pub(crate) mod game;
mod maps;
mod motion;
mod pilots;
mod powerups;
mod senses;
mod settings;
mod spawning;
