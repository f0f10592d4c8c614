//! A rules file, as `grandstand play --rules` reads it: see `grandstand_matches::fuzz::rules`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_matches::fuzz::rules(data));
