//! The tests of replays: one program, one module a subject.

mod diff;
mod format;
mod fuzz;
mod late_thoughts;
mod log;
mod log_changes;
mod marked;
mod marks;
mod playback;
mod rawlog;
