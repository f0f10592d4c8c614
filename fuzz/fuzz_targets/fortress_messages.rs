//! Messages of teams of Steam Fortress: see `grandstand_matches::games::fortress::fuzz::messages`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_matches::games::fortress::fuzz::messages(data));
