//! A file of balanced openings: see `grandstand_rules::fuzz::stones_openings`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::stones_openings(data));
