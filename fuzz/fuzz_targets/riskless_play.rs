//! A match of Riskless: see `grandstand_rules::fuzz::riskless_play`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::riskless_play(data));
