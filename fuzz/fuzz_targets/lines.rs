//! Text lines as a game server sends them: see `grandstand_protocol::fuzz::lines`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_protocol::fuzz::lines(data));
