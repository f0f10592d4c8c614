//! λ-Shark between programs.

mod bots;
mod matches;
