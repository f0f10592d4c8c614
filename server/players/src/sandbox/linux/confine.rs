//! Privileges that process 1 of the sandbox drops, for itself and its children, before it starts the program.

use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, NetPort, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use nix::sched::{CloneFlags, unshare};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, CpuSet, set_capabilities};

use super::seccomp;
use super::warden::Orders;

/// Our own processes and threads that the kernel counts together with the program's.
const OURS: u64 = 8;
/// Bytes by which the kernel's limit of a strict job, which is ended for its memory, lies above the memory
/// limit. A refused allocation would make the program fail for a cause that nobody sees; the warden ends it
/// long before it uses this much.
const AHEAD: u64 = 64 << 30;

/// Directories with programs, libraries and their data, on any Linux.
const SYSTEM: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/sys/devices/system/cpu"];
/// Entries of `/etc` that programs and libraries read; all of them are world-readable.
const ETC: [&str; 9] = [
    "alternatives",
    "group",
    "hosts",
    "ld.so.cache",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "ssl/openssl.cnf",
    "timezone",
];
/// Prefixes of names in `/etc` under which languages keep their settings.
const LANGUAGES: [&str; 6] = ["dotnet", "java", "ld.so.conf", "mono", "perl", "python"];
/// Devices that may be read.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Confines this process as its orders say. Restrictions that can't be enforced are added to the orders'
/// gaps.
///
/// # Errors
/// A message about a restriction without which the program must not start.
pub(super) fn confine(orders: &mut Orders) -> Result<(), String> {
    let own_proc = mounts(orders);
    limits(orders)?;
    rustix::thread::set_no_new_privs(true).map_err(|error| format!("no_new_privs: {error}"))?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).map_err(|error| format!("giving up capabilities: {error}"))?;
    files_and_ports(orders, own_proc);
    if let Err(error) = seccomp::apply(orders.counted) {
        orders.gaps.push(format!("system calls are not filtered: {error}"));
    }
    Ok(())
}

/// Mounts a `/proc` that shows only the program's own processes, and a scratch directory of limited size.
/// Returns whether that `/proc` is mounted.
fn mounts(orders: &mut Orders) -> bool {
    let bytes = orders.job.limits.scratch_bytes;
    let sizeless = |error: &str| {
        format!(
            "the scratch directory has no size; it is looked at once a second, and each file in it may have {bytes} bytes: {error}"
        )
    };
    if !orders.namespaces.user {
        // The missing namespaces are among the gaps already.
        orders.gaps.push(sizeless("it is not a file system of its own"));
        return false;
    }
    let private = || -> Result<(), String> {
        unshare(CloneFlags::CLONE_NEWNS).map_err(|error| error.to_string())?;
        let all = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change("/", all).map_err(|error| error.to_string())
    };
    if let Err(error) = private() {
        orders.gaps.push(sizeless(&error));
        orders.gaps.push(format!("mounts are not its own, and /proc is closed to it: {error}"));
        return false;
    }
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    let options = format!("size={},nr_inodes=16384,mode=0700", orders.job.limits.scratch_bytes);
    let scratch = CString::new(options).map_err(|error| error.to_string()).and_then(|options| {
        mount("scratch", &orders.job.scratch, "tmpfs", flags, options.as_c_str()).map_err(|e| e.to_string())
    });
    if let Err(error) = scratch {
        orders.gaps.push(sizeless(&error));
    }
    if !orders.namespaces.processes {
        return false;
    }
    match mount("proc", "/proc", "proc", flags | MountFlags::NOEXEC, None) {
        Ok(()) => true,
        Err(error) => {
            orders.gaps.push(format!("/proc is closed to it, since it can't have one of its own: {error}"));
            false
        }
    }
}

fn limits(orders: &mut Orders) -> Result<(), String> {
    let limits = &orders.job.limits;
    let data =
        if orders.job.strict { limits.memory_bytes.saturating_add(AHEAD) } else { limits.memory_bytes };
    let mut caps = vec![
        (Resource::Core, 0),
        (Resource::Cpu, limits.cpu_secs),
        (Resource::Data, data),
        (Resource::Fsize, limits.scratch_bytes),
        (Resource::Nofile, limits.open_files),
        (Resource::Msgqueue, 0),
        (Resource::Memlock, 0),
    ];
    // Only in a user namespace does the kernel count the program's processes alone.
    if orders.namespaces.user {
        caps.push((Resource::Nproc, limits.processes + OURS));
    }
    for (resource, most) in caps {
        // The kernel sends SIGXCPU at the soft limit; the hard limit kills a program that ignores it.
        let hard = if resource == Resource::Cpu { most + 1 } else { most };
        let rlimit = Rlimit { current: Some(most), maximum: Some(hard) };
        setrlimit(resource, rlimit).map_err(|error| format!("the limit of {resource:?}: {error}"))?;
    }
    if let Err(error) = few_cores(limits.cores, orders.job.seat) {
        orders.gaps.push(format!("it may use every core: {error}"));
    }
    // The game has priority. Ignoring an error is harmless.
    let _ = rustix::process::nice(5);
    Ok(())
}

/// Restricts this process to `cores` of the available cores, different ones for each `seat` as far as they go
/// round.
fn few_cores(cores: usize, seat: usize) -> rustix::io::Result<()> {
    let allowed = rustix::thread::sched_getaffinity(None)?;
    let all: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu)).collect();
    if all.is_empty() {
        return Ok(());
    }
    let mut chosen = CpuSet::new();
    // Counts from the last core: the game itself tends to run on the first.
    for number in 0..cores.min(all.len()) {
        chosen.set(all[all.len() - 1 - (seat * cores + number) % all.len()]);
    }
    rustix::thread::sched_setaffinity(None, &chosen)
}

/// Restricts files by Landlock, and TCP ports, which matters where the program has no network namespace of
/// its own.
fn files_and_ports(orders: &mut Orders, own_proc: bool) {
    let port = orders.job.server.map(|server| server.port());
    let (files, ports) = match landlock(orders, own_proc) {
        Ok(RestrictionStatus { ruleset: RulesetStatus::NotEnforced, .. }) => (false, false),
        Ok(RestrictionStatus { landlock: LandlockStatus::Available { effective_abi, .. }, .. }) => {
            (true, effective_abi >= ABI::V4)
        }
        Ok(_) => (true, false),
        Err(error) => {
            orders.gaps.push(format!("Landlock: {error}"));
            (false, false)
        }
    };
    if !files {
        orders.gaps.push("files: it may read and write what its user may (no Landlock)".to_owned());
    }
    if !orders.namespaces.network {
        orders.gaps.push(match (ports, port) {
            (true, Some(port)) => format!("network: it may connect to port {port} of any machine"),
            (true, None) => return,
            (false, _) => "network: it may connect by TCP to any machine (no Landlock)".to_owned(),
        });
    }
}

fn landlock(orders: &Orders, own_proc: bool) -> Result<RestrictionStatus, RulesetError> {
    let abi = ABI::V7;
    let mut read: Vec<PathBuf> = SYSTEM.iter().chain(&DEVICES).map(PathBuf::from).collect();
    read.extend(ETC.map(|name| Path::new("/etc").join(name)));
    read.extend(languages());
    read.extend(orders.job.readable.iter().cloned());
    if own_proc {
        read.push("/proc".into());
    }
    let ports: Vec<_> = orders.job.server.iter().map(|server| server.port()).collect();
    Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?
        .scope(Scope::AbstractUnixSocket | Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(read, AccessFs::from_read(abi)))?
        .add_rules(path_beneath_rules(["/dev/null"], AccessFs::WriteFile | AccessFs::ReadFile))?
        .add_rules(path_beneath_rules([&orders.job.scratch], AccessFs::from_all(abi)))?
        .add_rules(
            ports.into_iter().map(|port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))),
        )?
        .restrict_self()
}

fn languages() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir("/etc") else { return Vec::new() };
    let begins = |name: &str| LANGUAGES.iter().any(|language| name.starts_with(language));
    let entries = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(begins));
    entries.map(|entry| entry.path()).collect()
}
