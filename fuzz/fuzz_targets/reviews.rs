//! Any bytes as a match that is reviewed: see `grandstand_insight::fuzz::reviews`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_insight::fuzz::reviews(data));
