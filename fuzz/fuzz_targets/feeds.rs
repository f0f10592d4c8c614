//! Messages between origins and relays: see `grandstand::fuzz::feeds`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::feeds(data));
