//! A script of answers to a program's actions: see `grandstand::fuzz::actions`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::fuzz::actions(data));
