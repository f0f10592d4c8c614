//! The head of a request that may become a websocket: see `grandstand::fuzz::upgrade`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::upgrade(data));
