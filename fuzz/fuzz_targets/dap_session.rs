//! Any bytes as a way through a match with the debug adapter: see `grandstand_editor::fuzz::dap_session`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_editor::fuzz::dap_session(data));
