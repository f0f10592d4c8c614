//! A map of Riskless: see `grandstand_rules::fuzz::riskless_map`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_rules::fuzz::riskless_map(data));
