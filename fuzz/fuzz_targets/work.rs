//! Messages between a director and its workers: see `grandstand::fuzz::work`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::work(data));
