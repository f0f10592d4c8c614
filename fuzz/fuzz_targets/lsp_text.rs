//! Any bytes as a text that is open in an editor, which asks everything of it: see `grandstand_editor::fuzz::lsp_text`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| grandstand_editor::fuzz::lsp_text(data));
