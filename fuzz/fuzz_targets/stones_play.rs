//! Rules and moves of Gomoku and Pente: see `grandstand_rules::fuzz::stones_play`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::stones_play(data));
