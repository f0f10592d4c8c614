//! Gomoku and Pente by their specification.
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod common;
mod games;
mod gomoku;
mod openings;
mod pente;
mod players;
mod renju;
mod settings;
mod swap2;
