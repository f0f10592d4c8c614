//! Matches of programs.

mod fuzz;
mod matches;
