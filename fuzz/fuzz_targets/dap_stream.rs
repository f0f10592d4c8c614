//! Any bytes as what an editor sends to the debug adapter: see `grandstand_editor::fuzz::dap_stream`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_editor::fuzz::dap_stream(data));
