//! Memory of the spectator. A program of its own: it counts what the whole process was given, by an allocator of
//! its own and by the kernel.

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod frame;
mod session;

use std::sync::Mutex;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// One test at a time: each counts what the others take.
static ALONE: Mutex<()> = Mutex::new(());
