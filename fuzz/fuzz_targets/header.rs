//! A replay's header, to run its match again: see `grandstand::fuzz::header`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::header(data));
