//! Job for the sandbox, and its events.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;

limits! {
    /// How much of everything a program may have. Past a limit it is ended, or refused what it asks for; the table in
    /// `server/SANDBOX.md` says which.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    Limits {
        /// Processes and threads at the same time. Default 64.
        processes "processes": u64 = 64;
        /// Memory of all its processes together, and address space of each, in bytes. Default 1 GiB.
        memory_bytes "memory-mib": u64 = 1 << 30;
        /// Seconds of processor time of all its processes together. Default 900.
        cpu_secs "cpu-secs": u64 = 900;
        /// Cores that its processes share. Default 1.
        cores "cores": usize = 1;
        /// Open files of one process; and, where no memory cgroup counts what lies in them, pipes, sockets and the like of all
        /// its processes together. Default 256.
        open_files "open-files": u64 = 256;
        /// Bytes in its scratch directory. Default 64 MiB.
        scratch_bytes "scratch-mib": u64 = 64 << 20;
        /// Bytes of its output that are kept; what follows is read slowly and thrown away. Default 1 MiB.
        log_bytes "log-kib": u64 = 1 << 20;
    }
}

/// What the kernel may use for a program beside its memory and its files, in bytes: page tables, stacks, pipes, sockets.
#[cfg(target_os = "linux")]
const KERNEL_BYTES: u64 = 32 << 20;

impl Limits {
    /// What its memory cgroup holds: memory, the scratch directory, which lies in memory, and the kernel's own part.
    #[cfg(target_os = "linux")]
    pub(super) fn cgroup_bytes(&self) -> u64 {
        self.memory_bytes.saturating_add(self.scratch_bytes).saturating_add(KERNEL_BYTES)
    }
}

/// How much of the box there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// None: the program runs as whoever started the match, and is only ended with what it began.
    Off,
    /// What this system can enforce; the log says what it can't.
    #[default]
    On,
    /// All of it, or the program is not started.
    Require,
}

/// A program to be run in the box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments. In these and in `env`, `{address}`, `{host}` and `{port}` stand for where the
    /// program reaches the server.
    pub command: Vec<String>,
    /// Variables of its environment; besides them it has `PATH`, `LANG`, `HOME` and `TMPDIR` (the scratch directory).
    pub env: Vec<(String, String)>,
    /// Its current directory, which it can't list or write unless it is also among `readable`.
    pub directory: PathBuf,
    /// Files and directories that it may read, besides the system's own programs and libraries.
    pub readable: Vec<PathBuf>,
    /// An empty directory in which it may write. The caller takes it away afterwards.
    pub scratch: PathBuf,
    /// The only address that it may connect to.
    pub server: Option<SocketAddr>,
    /// How much of everything it may have.
    pub limits: Limits,
    /// Whether it is ended when it has too much memory, or as many processes as it may, rather than refused more: for
    /// those who must know why it failed.
    pub strict: bool,
    /// How much of the box there is.
    pub isolation: Isolation,
    /// As whom it runs when the server is root.
    pub user: u32,
    /// A number that spreads programs over the cores.
    pub seat: usize,
}

impl Job {
    /// Puts in where the program finds the server.
    pub(super) fn fill_in(&mut self, server: SocketAddr) {
        let fill = |text: &mut String| {
            for (name, value) in [
                ("{address}", server.to_string()),
                ("{host}", server.ip().to_string()),
                ("{port}", server.port().to_string()),
            ] {
                *text = text.replace(name, &value);
            }
        };
        self.command.iter_mut().for_each(fill);
        self.env.iter_mut().map(|(_, value)| value).for_each(fill);
    }
}

/// As whom programs run when the server is root: `nobody`.
pub const NOBODY: u32 = 65_534;

/// What a program had too much of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "of", rename_all = "lowercase")]
pub enum Excess {
    /// Memory, in bytes.
    #[error("it had {} MiB of memory, {} are allowed", mebibytes(*bytes), mebibytes(*limit))]
    Memory {
        /// What it had.
        bytes: u64,
        /// What it may have.
        limit: u64,
    },
    /// Processor time, in seconds.
    #[error("it used its {limit} s of processor time up")]
    Cpu {
        /// What it may use.
        limit: u64,
    },
    /// Processes and threads, where the kernel does not count them for us.
    #[error("it had {count} processes and threads, {limit} are allowed")]
    Processes {
        /// How many there were.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// Bytes in its scratch directory, where that has no size of its own.
    #[error("its scratch directory had more than {} MiB", mebibytes(*limit))]
    Scratch {
        /// How many there may be.
        limit: u64,
    },
    /// Pipes, sockets and other files that hold memory of the kernel, where that is not counted.
    #[error("it had {count} pipes and sockets, {limit} are allowed")]
    Files {
        /// How many there were.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "ending", rename_all = "kebab-case")]
pub enum Ending {
    /// By itself.
    #[error("{}", exit_words(*status))]
    Exited {
        /// Its exit status.
        status: i32,
    },
    /// By a signal of its own or of the kernel.
    #[error("it was ended by signal {signal}{}", signal_words(*signal))]
    Signal {
        /// The signal's number.
        signal: i32,
    },
    /// It had too much of something.
    #[error("it was ended: {0}")]
    Limit(Excess),
    /// It was told to, when the match was over.
    #[error("it was ended with the match")]
    Stopped,
    /// It never ran.
    #[error("it could not be started: {reason}")]
    NotStarted {
        /// Why.
        reason: String,
    },
    /// It never ran, by no fault of its own: this machine has no box or no room for it.
    #[error("it could not be started: {reason}")]
    NoBox {
        /// Why.
        reason: String,
    },
    /// The process that watched over it is gone, and it with it.
    #[error("the process that watched over it is gone")]
    Lost,
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

fn exit_words(status: i32) -> String {
    if status == 0 { "it ended by itself".to_owned() } else { format!("it ended with exit status {status}") }
}

/// What the signals mean that a limit sends.
fn signal_words(signal: i32) -> &'static str {
    match signal {
        6 => " (SIGABRT: it gave up, perhaps for want of memory)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        24 => " (SIGXCPU: it used its processor time up)",
        25 => " (SIGXFSZ: a file grew past what it may write)",
        31 => " (SIGSYS: it asked the kernel for something forbidden)",
        _ => "",
    }
}

/// What the box tells the server, one JSON object a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The program is about to run. What is not enforced, in words; nothing of it means that everything is.
    Started {
        /// One line for each thing.
        gaps: Vec<String>,
    },
    /// Something that its owner should know and that does not end it.
    Note {
        /// What.
        text: String,
    },
    /// It has ended, and nothing that it began is left.
    Ended(Ending),
}
