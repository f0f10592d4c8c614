//! Memory tests of the spectator, in a program of their own: they measure the whole process, by an allocator and by the
//! kernel.

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod frame;
mod session;

use std::sync::Mutex;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Serializes the tests: each measures the whole process.
static ALONE: Mutex<()> = Mutex::new(());
