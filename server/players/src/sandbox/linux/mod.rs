//! Sandbox on Linux: the two processes between the server and the program.

mod cgroup;
mod confine;
mod forward;
mod init;
mod pass;
mod processes;
mod scratch;
mod seccomp;
mod start;
mod warden;

pub use init::init;
pub use warden::warden;

use std::fs;

/// Closes every inherited file except the three standard streams.
fn close_inherited() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    let numbers: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // One of the numbers is the directory itself, which is closed already.
        let _ = nix::unistd::close(number);
    }
}
