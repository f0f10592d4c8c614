//! A compressed file, and what is compressed: see `grandstand_replays::fuzz::zst`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_replays::fuzz::zst(data));
