//! Files of inputs of a match of Gomoku, Pente or Riskless: see `grandstand::turns::fuzz::inputs`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand::turns::fuzz::inputs(data));
