//! Integration tests, one module for each subject.

mod client;
mod completion;
mod debugging;
mod diagnostics;
mod extensions;
mod hover;
mod messages;
mod navigation;
mod shipped;
