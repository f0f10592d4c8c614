//! Job of the sandbox, its limits, and the events that it causes.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;

limits! {
    /// Resource limits of a program. A program that exceeds one is ended, or is refused the resource; the
    /// table in `server/SANDBOX.md` says which.
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
        /// Open files of one process. Without a memory cgroup, which would count their contents, also the
        /// pipes, sockets and the like of all its processes together. Default 256.
        open_files "open-files": u64 = 256;
        /// Bytes in its scratch directory. Default 64 MiB.
        scratch_bytes "scratch-mib": u64 = 64 << 20;
        /// Bytes of its output that are kept; further output is read slowly and discarded. Default 1 MiB.
        log_bytes "log-kib": u64 = 1 << 20;
    }
}

/// Bytes that the kernel may use for a program besides its memory and files: page tables, stacks, pipes,
/// sockets.
#[cfg(target_os = "linux")]
const KERNEL_BYTES: u64 = 32 << 20;

impl Limits {
    /// Limit of the memory cgroup: memory, the scratch directory, which lies in memory, and the kernel's own
    /// part.
    #[cfg(target_os = "linux")]
    pub(super) fn cgroup_bytes(&self) -> u64 {
        self.memory_bytes.saturating_add(self.scratch_bytes).saturating_add(KERNEL_BYTES)
    }
}

/// Isolation of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// No isolation: the program runs as the user who started the match, and is only ended together with its
    /// children.
    Off,
    /// As much isolation as this system can enforce; the log says what is missing.
    #[default]
    On,
    /// Full isolation; without it the program is not started.
    Require,
}

/// Program to be run in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments. In these and in `env`, `{address}`, `{host}` and `{port}` stand for the
    /// address at which the program reaches the server.
    pub command: Vec<String>,
    /// Environment variables, besides `PATH`, `LANG`, `HOME` and `TMPDIR`; the last two are the scratch
    /// directory.
    pub env: Vec<(String, String)>,
    /// Current directory. The program can't list or write it unless it is also among `readable`.
    pub directory: PathBuf,
    /// Files and directories that the program may read, besides the system's own programs and libraries.
    pub readable: Vec<PathBuf>,
    /// Empty directory in which the program may write. The caller removes it afterwards.
    pub scratch: PathBuf,
    /// The only address that it may connect to.
    pub server: Option<SocketAddr>,
    /// Resource limits.
    pub limits: Limits,
    /// Whether the program is ended, rather than only refused more, when it exceeds its memory or reaches its
    /// number of processes. For callers that report the cause of a failure.
    pub strict: bool,
    /// Isolation of the program.
    pub isolation: Isolation,
    /// Id of the user and group that the program runs as when the server is root.
    pub user: u32,
    /// Number that spreads programs over the cores.
    pub seat: usize,
}

impl Job {
    /// Replaces the placeholders of the server's address in `command` and `env`.
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

/// Id of the user and group that programs run as when the server is root: `nobody`.
pub const NOBODY: u32 = 65_534;

/// Resource of which a program used too much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "of", rename_all = "lowercase")]
pub enum LimitExceeded {
    /// Memory, in bytes.
    #[error("it had {} MiB of memory, {} are allowed", mebibytes(*bytes), mebibytes(*limit))]
    Memory {
        /// Bytes that it had.
        bytes: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// Processor time, in seconds.
    #[error("it used its {limit} s of processor time up")]
    Cpu {
        /// Seconds that are allowed.
        limit: u64,
    },
    /// Processes and threads, where the kernel does not enforce their limit.
    #[error("it had {count} processes and threads, {limit} are allowed")]
    Processes {
        /// Number that it had.
        count: u64,
        /// Number that is allowed.
        limit: u64,
    },
    /// Bytes in its scratch directory, where that is not a file system with a size of its own.
    #[error("its scratch directory had more than {} MiB", mebibytes(*limit))]
    Scratch {
        /// Bytes that are allowed.
        limit: u64,
    },
    /// Pipes, sockets and other files that hold kernel memory, where that is not counted.
    #[error("it had {count} pipes and sockets, {limit} are allowed")]
    Files {
        /// Number that it had.
        count: u64,
        /// Number that is allowed.
        limit: u64,
    },
}

/// Ending of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "ending", rename_all = "kebab-case")]
pub enum Ending {
    /// The program exited.
    #[error("{}", exit_words(*status))]
    Exited {
        /// Exit status of the program.
        status: i32,
    },
    /// A signal ended the program, without the sandbox having sent it.
    #[error("it was ended by signal {signal}{}", signal_words(*signal))]
    Signal {
        /// The signal's number.
        signal: i32,
    },
    /// The sandbox ended the program because it exceeded a limit.
    #[error("it was ended: {0}")]
    Limit(LimitExceeded),
    /// The server stopped the program, usually because the match was over.
    #[error("it was ended with the match")]
    Stopped,
    /// The program could not be started, by its own fault.
    #[error("it could not be started: {reason}")]
    NotStarted {
        /// Reason, in words.
        reason: String,
    },
    /// The program could not be started, by no fault of its own: the machine lacks the sandbox or the
    /// resources.
    #[error("it could not be started: {reason}")]
    NoBox {
        /// Reason, in words.
        reason: String,
    },
    /// The process that watched over the program is gone, and the program with it.
    #[error("the process that watched over it is gone")]
    Lost,
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

fn exit_words(status: i32) -> String {
    if status == 0 { "it ended by itself".to_owned() } else { format!("it ended with exit status {status}") }
}

/// Explanation of the signals that a limit causes, and of other usual ones.
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

/// Event that the sandbox reports to the server, as one line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The program is about to run.
    Started {
        /// Restrictions that are not enforced, in words; empty if everything is enforced.
        gaps: Vec<String>,
    },
    /// Remark for the program's owner; the program goes on.
    Note {
        /// The remark.
        text: String,
    },
    /// The program has ended, and none of its processes is left.
    Ended(Ending),
}
