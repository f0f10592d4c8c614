//! Matches without threads, sockets, processes and clocks: what decides a match, and what referees it.
//!
//! - [`terminal`]: texts of others, made safe for a terminal.

pub mod terminal;
