//! Processes of a program and their use of resources, from `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, Signal, kill_process};

/// Resources that a process and its descendants use together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Processes and threads.
    pub(super) threads: u64,
    /// Memory of their own in bytes: with shared memory, swap and page tables, without the code of programs
    /// and libraries.
    pub(super) memory_bytes: u64,
    /// Processor time in ticks, including that of ended children.
    pub(super) ticks: u64,
}

/// One line of `/proc/PID/stat`.
#[derive(Debug, Clone, Copy)]
struct Stat {
    parent: u32,
    ticks: u64,
    threads: u64,
    started: u64,
}

/// Start time of a process, in ticks since the system started. Together with the pid it identifies a process
/// for as long as the system runs.
pub(super) fn started(pid: u32) -> Option<u64> {
    stat_of(pid).map(|stat| stat.started)
}

fn stat_of(pid: u32) -> Option<Stat> {
    stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Descendants of `root`, without `root` itself.
pub(super) fn descendants(root: u32) -> Vec<u32> {
    below(root, &table())
}

/// Resources that `root` and its descendants use.
pub(super) fn usage(root: u32) -> Usage {
    let table = table();
    let mut usage = Usage::default();
    for pid in below(root, &table).into_iter().chain([root]) {
        let Some(stat) = table.get(&pid) else { continue };
        usage.threads += stat.threads;
        usage.ticks += stat.ticks;
        usage.memory_bytes += memory(pid).unwrap_or(0);
    }
    usage
}

/// Kills every descendant of `root`, even if they keep forking; orphans must be reparented to `root`.
pub(super) fn end_descendants(root: u32) {
    // A stopped process does not fork, so a few rounds are enough.
    for _ in 0..1_000 {
        let pids = descendants(root);
        if pids.is_empty() {
            return;
        }
        for signal in [Signal::STOP, Signal::KILL] {
            for pid in pids.iter().filter_map(|pid| Pid::from_raw(i32::try_from(*pid).ok()?)) {
                // The process may be gone by now.
                let _ = kill_process(pid, signal);
            }
        }
        while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
    }
}

/// Paths in `/proc` of all open files of the descendants of `root`.
pub(super) fn open_files(root: u32) -> impl Iterator<Item = PathBuf> {
    let directories = descendants(root).into_iter().map(|pid| format!("/proc/{pid}/fd"));
    let entries = directories.filter_map(|directory| fs::read_dir(directory).ok()).flatten();
    entries.flatten().map(|entry| entry.path())
}

fn below(root: u32, table: &HashMap<u32, Stat>) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    #[expect(clippy::iter_over_hash_type, reason = "the order in which processes are found has no effect")]
    for (pid, stat) in table {
        children.entry(stat.parent).or_default().push(*pid);
    }
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(pid) = next.pop() {
        let below = children.remove(&pid).unwrap_or_default();
        next.extend(&below);
        found.extend(below);
    }
    found
}

fn table() -> HashMap<u32, Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return HashMap::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, stat_of(pid)?))).collect()
}

/// Fields of a stat line after the name, which stands in parentheses and may contain anything.
fn stat(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    // proc(5) counts from 1; the state, here the first field, is number 3.
    let field = |number: usize| fields.get(number - 3)?.parse::<i64>().ok();
    let ticks = (14..=17).filter_map(field).filter_map(|ticks| u64::try_from(ticks).ok()).sum();
    let zombie = fields.first() == Some(&"Z");
    let threads = if zombie { 0 } else { u64::try_from(field(20)?).ok()? };
    let started = u64::try_from(field(22)?).ok()?;
    Some(Stat { parent: u32::try_from(field(4)?).ok()?, ticks, threads, started })
}

fn memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let kibibytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    let names = ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"];
    Some(1024 * names.into_iter().filter_map(kibibytes).sum::<u64>())
}

/// Number of open files that hold kernel memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KernelFiles {
    /// Pipes and sockets, each once, and all other files without a name in a file system.
    pub(super) open: u64,
    /// Processes whose open files can't be listed.
    pub(super) hidden: u64,
}

/// Counts the kernel files that the descendants of `root` have open. Stops counting soon after `most` is
/// exceeded.
pub(super) fn kernel_files(root: u32, most: u64) -> KernelFiles {
    let (mut shared, mut others, mut hidden) = (HashSet::new(), 0, 0);
    for pid in descendants(root) {
        let Ok(links) = links(pid) else {
            // An ended process has no files.
            hidden += u64::from(stat_of(pid).is_some_and(|stat| stat.threads > 0));
            continue;
        };
        for link in links {
            let name = link.to_string_lossy();
            if name.starts_with("pipe:") || name.starts_with("socket:") {
                shared.insert(name.into_owned());
            } else if !name.starts_with('/') {
                others += 1;
            }
        }
        if shared.len() as u64 + others > most {
            break;
        }
    }
    KernelFiles { open: shared.len() as u64 + others, hidden }
}

/// Targets of the links in `/proc/PID/fd`.
fn links(pid: u32) -> io::Result<Vec<PathBuf>> {
    let links = fs::read_dir(format!("/proc/{pid}/fd"))?.map(|entry| fs::read_link(entry?.path()));
    // A file that is closed meanwhile is no error.
    links.filter(|link| link.as_ref().err().is_none_or(|e| e.kind() != io::ErrorKind::NotFound)).collect()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_stat_line_is_read_whatever_the_name() {
        let stat = stat("7 (a) b) S 3 7 7 0 -1 0 0 0 0 0 10 20 30 40 20 0 5 0 1 1 1").unwrap();
        assert_eq!((stat.parent, stat.ticks, stat.threads, stat.started), (3, 100, 5, 1));
        assert!(super::stat("7 (a").is_none());
    }

    #[test]
    fn a_child_is_found_and_weighed() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
        let me = std::process::id();
        assert!(descendants(me).contains(&child.id()));
        let usage = usage(me);
        assert!(usage.threads >= 2 && usage.memory_bytes > 0);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
