//! Lines of the Gomocup protocol: see `grandstand_players::gomocup::fuzz::lines`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_players::gomocup::fuzz::lines(data));
