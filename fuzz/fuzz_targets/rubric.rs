//! The rubric of a grade: see `grandstand::fuzz::rubric`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::rubric(data));
