//! The tests of what editors ask: one program, one module a subject.

mod client;
mod completion;
mod debugging;
mod diagnostics;
mod extensions;
mod hover;
mod messages;
mod navigation;
mod shipped;
