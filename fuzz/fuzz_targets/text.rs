//! Addresses, ids and last lines: see `grandstand::fuzz::text`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::text(data));
