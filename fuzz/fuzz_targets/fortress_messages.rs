//! Messages of teams of Steam Fortress: see `grandstand::fortress::fuzz::messages`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fortress::fuzz::messages(data));
