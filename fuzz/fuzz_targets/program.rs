//! A CL program that plays a match: see `grandstand_matches::fuzz::program`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_matches::fuzz::program(data));
