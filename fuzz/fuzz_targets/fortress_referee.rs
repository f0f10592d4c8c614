//! Outside input of a match of Steam Fortress: see `grandstand_matches::games::fortress::fuzz::referee`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_matches::games::fortress::fuzz::referee(data));
