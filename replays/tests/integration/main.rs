//! The tests of replays: one program, one module a subject.

mod diff;
mod format;
mod fuzz;
mod log;
mod marked;
mod playback;
mod rawlog;
