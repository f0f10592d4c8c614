//! Lines of an engine to its manager: see `grandstand_players::gomocup::fuzz::manager`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_players::gomocup::fuzz::manager(data));
