//! Any bytes as what an editor sends to the language server: see `grandstand_editor::fuzz::lsp_stream`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_editor::fuzz::lsp_stream(data));
