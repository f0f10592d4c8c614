//! A CL program made out of the bytes, run for a while by every engine: see `grandstand_languages::fuzz::cl_generated`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_languages::fuzz::cl_generated(data));
