//! Lines of a manager to an engine: see `grandstand_players::gomocup::fuzz::brain`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_players::gomocup::fuzz::brain(data));
