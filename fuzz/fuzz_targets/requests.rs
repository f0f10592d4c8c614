//! Requests about seats as a bridge sends them: see `grandstand_protocol::fuzz::requests`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_protocol::fuzz::requests(data));
