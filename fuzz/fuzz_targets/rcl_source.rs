//! Any bytes as RCL source text: see `grandstand_languages::fuzz::rcl_source`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_languages::fuzz::rcl_source(data));
