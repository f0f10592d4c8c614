//! Any bytes as what an RCL program is made of, run by every engine: see `grandstand_languages::fuzz::rcl_generated`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_languages::fuzz::rcl_generated(data));
