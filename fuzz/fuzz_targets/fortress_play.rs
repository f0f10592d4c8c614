//! Actions of ten units of Steam Fortress: see `grandstand_rules::fuzz::fortress_play`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::fortress_play(data));
