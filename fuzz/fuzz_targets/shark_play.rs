//! Actions of the robots of λ-Shark: see `grandstand_rules::fuzz::shark_play`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::shark_play(data));
