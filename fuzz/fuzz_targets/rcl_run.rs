//! Any bytes as an RCL program, run for a short while by every engine: see `grandstand_languages::fuzz::rcl_run`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_languages::fuzz::rcl_run(data));
