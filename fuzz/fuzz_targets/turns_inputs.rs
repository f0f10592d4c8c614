//! Files of inputs of a match of Gomoku, Pente or Riskless: see `grandstand_matches::turns::fuzz::inputs`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_matches::turns::fuzz::inputs(data));
