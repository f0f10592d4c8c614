//! What an engine says to its manager: see `grandstand::gomocup::fuzz::manager`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::gomocup::fuzz::manager(data));
