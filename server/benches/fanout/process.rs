//! Server processes: their start on a core, and their use of resources.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// Restricts this process, and all threads that it starts, to one core.
pub(crate) fn pin_to(core: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(core);
    if let Err(error) = rustix::thread::sched_setaffinity(None, &set) {
        eprintln!("not pinned to core {core}: {error}");
    }
}

/// A server process, killed on drop.
pub(crate) struct ServerProcess {
    child: Child,
    pub(crate) lines: SocketAddr,
    pub(crate) http: SocketAddr,
}

impl ServerProcess {
    pub(crate) fn start(kind: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--serve", kind])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut addresses = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = || addresses.next().unwrap().unwrap().parse().unwrap();
        let (lines, http) = (next(), next());
        Self { child, lines, http }
    }

    /// CPU time of all threads so far, in seconds.
    pub(crate) fn cpu_secs(&self) -> f64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let nanos = |task: std::io::Result<std::fs::DirEntry>| {
            let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        };
        tasks.filter_map(nanos).sum::<u64>() as f64 / 1e9
    }

    /// Resident memory, in bytes.
    pub(crate) fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").trim().parse::<f64>().unwrap() * 1024.0
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
