//! The tests of what editors ask: one program, one module a subject.

mod client;
mod completion;
mod debugging;
mod diagnostics;
mod hover;
mod messages;
mod navigation;
mod shipped;
