//! The file of a tournament: see `grandstand::fuzz::tournament`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::tournament(data));
