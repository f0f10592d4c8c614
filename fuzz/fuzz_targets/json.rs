//! JSON as a server sends it to a spectator: see `grandstand_protocol::fuzz::json`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_protocol::fuzz::json(data));
