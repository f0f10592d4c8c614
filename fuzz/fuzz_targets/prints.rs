//! Any bytes as a print of a match: see `grandstand_insight::fuzz::prints`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_insight::fuzz::prints(data));
