//! Bodies of the fuzz targets. Each takes any bytes and panics when an invariant does not hold.

mod agree;
mod generate;

use std::collections::BTreeSet;

pub use agree::{Log, ValueView, agree};

use crate::world::Limits;
use crate::{Draft, Language, MemoryFiles};

/// Limits that programs soon reach.
const SMALL: Limits = Limits { words: 1 << 20, threads: 5, array_elements: 300, depth: 40 };

/// Loads any bytes as a CL program: it loads, or there is a message.
pub fn cl_source(data: &[u8]) {
    source(Language::Cl, data);
}

/// Loads any bytes as a CL program and, if it loads, runs it for a short while: all engines agree.
pub fn cl_run(data: &[u8]) {
    run(Language::Cl, data);
}

/// Generates a CL program from any bytes, and runs it for a while, with wake-ups and kills from outside: all engines agree.
pub fn cl_generated(data: &[u8]) {
    generated(Language::Cl, data);
}

/// Like [`cl_source`], for RCL.
pub fn rcl_source(data: &[u8]) {
    source(Language::Rcl, data);
}

/// Like [`cl_run`], for RCL.
pub fn rcl_run(data: &[u8]) {
    run(Language::Rcl, data);
}

/// Like [`cl_generated`], for RCL.
pub fn rcl_generated(data: &[u8]) {
    generated(Language::Rcl, data);
}

fn source(language: Language, data: &[u8]) {
    let files = MemoryFiles::new().with("fuzz", data).with("library.ch", "let library = 1 in\n");
    let loaded = language.load("fuzz", &files);
    match &loaded {
        Ok(program) => assert!(!program.sources().files().is_empty(), "a program has sources"),
        Err(error) => assert!(!error.to_string().is_empty(), "an error says what it is"),
    }
    match language.draft("fuzz", &files) {
        Ok(draft) => names(&draft, data),
        Err(error) => assert_eq!(loaded.err(), Some(error), "a file that is no text is no draft"),
    }
}

/// Checks a draft's names: each is at its location, and its binding is in scope there.
fn names(draft: &Draft, data: &[u8]) {
    for name in draft.names() {
        assert_eq!(draft.sources().text(name.span), draft.module().name(name.name));
        let Some(binding) = name.binding else { continue };
        assert_eq!(draft.bindings()[binding].name, name.name);
        assert!(!name.binds || draft.place_of(&draft.bindings()[binding]) == name.span);
        // Only some of the others are checked, since each takes a search.
        if name.span.file == 0 && name.span.start.is_multiple_of(17) && !name.binds {
            assert!(draft.in_scope(name.span.end).contains(&binding), "what a name means is in scope");
        }
    }
    let middle = data.len() as u32 / 2;
    for offset in [0, middle, middle + 1, u32::MAX] {
        let mut known = BTreeSet::new();
        let scope = draft.in_scope(offset);
        assert!(scope.iter().all(|&binding| known.insert(draft.bindings()[binding].name)), "each name once");
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
