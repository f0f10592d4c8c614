//! The box itself: the two processes that stand between the server and the program.

mod confine;
mod forward;
mod init;
mod pass;
mod processes;
mod seccomp;
mod warden;

pub use init::init;
pub(super) use pass::{Control, connect, hand_over};
pub use warden::warden;

use std::fs;
use std::io::{self, Write};

use serde::Serialize;

/// Closes every file that was inherited beyond the three standard streams.
fn close_inherited() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    let numbers: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // One of them was the directory, which is closed already.
        let _ = nix::unistd::close(number);
    }
}

/// Writes an object as a line to standard output, which a pipe takes up to 4 KiB of at once.
fn tell(event: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}
