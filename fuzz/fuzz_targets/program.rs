//! A CL program that plays a match: see `grandstand::arena::fuzz::program`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::arena::fuzz::program(data));
