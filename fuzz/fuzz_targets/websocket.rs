//! Bytes of a websocket's client: see `grandstand::fuzz::websocket`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::websocket(data));
