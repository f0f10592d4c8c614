//! Lines of the Gomocup protocol: see `grandstand::gomocup::fuzz::lines`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::gomocup::fuzz::lines(data));
