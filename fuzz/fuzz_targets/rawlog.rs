//! A raw text log: see `grandstand_replays::fuzz::rawlog`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_replays::fuzz::rawlog(data));
