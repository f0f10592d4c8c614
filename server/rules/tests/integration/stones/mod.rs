//! Gomoku and Pente by their specification.

mod common;
mod games;
mod gomoku;
mod openings;
mod pente;
mod players;
mod renju;
mod settings;
mod swap2;
