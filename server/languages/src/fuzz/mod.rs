//! Bodies of the fuzz targets: each takes any bytes, and panics when something that must hold does not.

mod agree;
mod generate;

pub use agree::{Log, Seen, agree};

use crate::world::Limits;
use crate::{Language, MemoryFiles};

/// Limits that programs reach soon.
const SMALL: Limits = Limits { words: 1 << 20, threads: 5, array_elements: 300, depth: 40 };

/// Reads any bytes as a CL program: it loads, or there is a message.
pub fn cl_source(data: &[u8]) {
    source(Language::Cl, data);
}

/// Reads any bytes as a CL program and, if it loads, runs it for a short while: all engines agree.
pub fn cl_run(data: &[u8]) {
    run(Language::Cl, data);
}

/// Makes a CL program out of any bytes, and runs it for a while, with wakings and endings from outside: all engines agree.
pub fn cl_generated(data: &[u8]) {
    generated(Language::Cl, data);
}

/// As [`cl_source`], for RCL.
pub fn rcl_source(data: &[u8]) {
    source(Language::Rcl, data);
}

/// As [`cl_run`], for RCL.
pub fn rcl_run(data: &[u8]) {
    run(Language::Rcl, data);
}

/// As [`cl_generated`], for RCL.
pub fn rcl_generated(data: &[u8]) {
    generated(Language::Rcl, data);
}

fn source(language: Language, data: &[u8]) {
    let files = MemoryFiles::new().with("fuzz", data).with("library.ch", "let library = 1 in\n");
    match language.load("fuzz", &files) {
        Ok(program) => assert!(!program.sources().files().is_empty(), "a program has sources"),
        Err(error) => assert!(!error.to_string().is_empty(), "an error says what it is"),
    }
}

fn run(language: Language, data: &[u8]) {
    if let Ok(program) = language.load("fuzz", &MemoryFiles::new().with("fuzz", data)) {
        agree(&program, SMALL, 400, data);
    }
}

fn generated(language: Language, data: &[u8]) {
    let text = generate::program(language, data);
    match language.load("generated", &MemoryFiles::new().with("generated", text.as_str())) {
        Ok(program) => {
            agree(&program, SMALL, 3000, data);
        }
        Err(error) => panic!("a generated program does not load: {error}\n{text}"),
    }
}
