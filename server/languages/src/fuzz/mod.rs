//! What fuzzers and tests run: each function takes any bytes, and panics when something that must hold does not.

mod agree;
mod generate;

pub use agree::{Log, Seen, agree};

use crate::cl;
use crate::world::Limits;

/// Limits that programs reach soon.
const SMALL: Limits = Limits { words: 1 << 20, threads: 5, array_elements: 300, depth: 40 };

/// Reads any bytes as a program: it loads, or there is a message.
pub fn cl_source(data: &[u8]) {
    let files = crate::MemoryFiles::new().with("fuzz.cl", data).with("library.ch", "let library = 1 in\n");
    match cl::load("fuzz.cl", &files) {
        Ok(program) => assert!(!program.sources().files().is_empty(), "a program has sources"),
        Err(error) => assert!(!error.to_string().is_empty(), "an error says what it is"),
    }
}

/// Reads any bytes as a program and, if it loads, runs it for a short while: all engines agree.
pub fn cl_run(data: &[u8]) {
    let files = crate::MemoryFiles::new().with("fuzz.cl", data);
    if let Ok(program) = cl::load("fuzz.cl", &files) {
        agree(&program, SMALL, 400, data);
    }
}

/// Makes a program out of any bytes, and runs it for a while, with wakings and endings from outside: all engines agree.
pub fn cl_generated(data: &[u8]) {
    let text = generate::program(data);
    match cl::parse("generated.cl", &text) {
        Ok(program) => {
            agree(&program, SMALL, 3000, data);
        }
        Err(error) => panic!("a generated program does not load: {error}\n{text}"),
    }
}
