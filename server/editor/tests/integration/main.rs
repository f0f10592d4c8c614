//! The tests of the language server: one program, one module a subject.

mod client;
mod completion;
mod diagnostics;
mod hover;
mod messages;
mod navigation;
mod shipped;
