//! Any bytes as a CL program: it loads, or says why not: see `grandstand_languages::fuzz::cl_source`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_languages::fuzz::cl_source(data));
