//! Running, killing, signalling and finding processes.

use std::io::Write;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus, Output, Stdio};

use crate::wait::{PATIENCE, until_some_within};

/// Runs a program to its end, with `input` as its standard input.
pub fn run_with(command: &mut Command, input: &str) -> Output {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A write error means that the program has ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A process that is killed on drop.
#[derive(Debug)]
pub struct Killed(pub Child);

impl Killed {
    /// Waits until the process has ended, whose standard input is closed.
    ///
    /// # Errors
    ///
    /// If the system can't tell.
    ///
    /// # Panics
    ///
    /// If it has not ended within three times [`PATIENCE`]: a test that waits for ever would end the whole run, unsaid.
    pub fn wait(&mut self) -> std::io::Result<ExitStatus> {
        drop(self.0.stdin.take());
        let what = format!("process {} ends", self.0.id());
        until_some_within(3 * PATIENCE, &what, || self.0.try_wait().transpose())
    }
}

impl Deref for Killed {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Killed {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
pub fn signal(signal: rustix::process::Signal, process: u32) {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    rustix::process::kill_process(process.unwrap(), signal).unwrap();
}

/// Whether a process is running that has this word among its arguments.
#[cfg(target_os = "linux")]
#[must_use]
pub fn is_running(word: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.split(|b| *b == 0).any(|argument| argument == word.as_bytes()))
}
