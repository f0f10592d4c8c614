//! A replay's text: see `grandstand_replays::fuzz::replay`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_replays::fuzz::replay(data));
