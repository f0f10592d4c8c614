//! The text of a move of Gomoku and Pente: see `grandstand_rules::fuzz::stones_move`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::stones_move(data));
