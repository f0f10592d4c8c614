//! Warden: the process between the server and process 1. It creates the namespaces, measures the program and
//! ends it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use nix::sched::{CloneFlags, unshare};
use rustix::process::{DumpableBehavior, Gid, Uid};
use serde::{Deserialize, Serialize};

use super::super::events::{self, tell};
use super::super::job::{Ending, Event, Isolation, Job, LimitExceeded};
use super::{close_inherited, forward, pass, processes, scratch};

/// Interval at which the program's use of resources is measured.
const LOOK: Duration = Duration::from_millis(200);
/// Number of such intervals between two measurements of the scratch directory, which may hold many files.
const SCRATCH_LOOKS: u32 = 5;

/// Orders for process 1 of the sandbox.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Orders {
    pub(super) job: Job,
    pub(super) namespaces: Namespaces,
    /// Whether the kernel counts all memory of the program in a cgroup.
    pub(super) counted: bool,
    /// Restrictions that are not enforced, in words.
    pub(super) gaps: Vec<String>,
}

/// Namespaces that the program has for itself.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Namespaces {
    pub(super) user: bool,
    pub(super) processes: bool,
    pub(super) network: bool,
}

/// Message to the warden's main thread.
enum WardenMessage {
    /// The server wants the program to end, or is gone.
    Stop,
    /// An event of process 1 of the sandbox.
    Event(Event),
    /// Process 1 of the sandbox has closed its output or broken the protocol: it counts as gone.
    Gone,
}

/// The hidden subcommand `sandbox-warden`. It reads its job from standard input, a socket, runs it until that
/// is closed, and reports events to the server on standard output. Its standard error is the program's
/// output. Pipes that came with the job become the program's standard input and output; a further file is the
/// gate of the cgroup that the program is added to.
pub fn warden() -> ExitCode {
    close_inherited();
    let received = pass::receive(io::stdin()).map_err(|error| error.to_string());
    let job = received.and_then(|(line, pipes)| {
        serde_json::from_str(&line).map(|job| (job, pipes)).map_err(|error| error.to_string())
    });
    let ending =
        job.and_then(|(job, pipes)| run(job, pipes)).unwrap_or_else(|reason| Ending::NoBox { reason });
    match tell(&Event::Ended(ending)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(job: Job, mut pipes: Vec<OwnedFd>) -> Result<Ending, String> {
    let gate = if pipes.len() % 2 == 1 { pipes.pop().map(File::from) } else { None };
    let mut orders = Orders { job, namespaces: Namespaces::default(), counted: false, gaps: Vec::new() };
    let boxed = orders.job.isolation != Isolation::Off;
    if boxed {
        leave_root(orders.job.user)?;
        own_user(&mut orders);
    }
    // Threads are started first: after `unshare(CLONE_NEWPID)` a process can't create any.
    let (send, news) = mpsc::channel();
    let (give_output, output) = mpsc::channel::<ChildStdout>();
    let lines = send.clone();
    spawn("init", move || follow(output.recv().ok(), &lines))?;
    spawn("control", move || {
        // The server sends nothing more: this waits for the end of the stream.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        // Fails only if nobody receives any more.
        let _ = send.send(WardenMessage::Stop);
    })?;
    if orders.namespaces.user {
        own_network(&mut orders)?;
        match unshare(CloneFlags::CLONE_NEWPID) {
            Ok(()) => orders.namespaces.processes = true,
            Err(error) => orders.gaps.push(format!("processes are not its own: {error}")),
        }
    }
    if let Some(mut server) = orders.job.server {
        if orders.namespaces.network {
            server.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        orders.job.fill_in(server);
    }
    // Without a process namespace, orphans are reparented to this process.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|error| format!("subreaper: {error}"))?;
    let mut init = start_init(&mut orders, pipes, gate, &give_output)?;
    let ending = watch(&orders, &mut init, &news);
    // Without a process namespace, this is what ends the rest of the program's processes.
    let _ = init.kill();
    let _ = init.wait();
    processes::end_descendants(std::process::id());
    Ok(ending)
}

/// Changes to the user that programs run as, if this process is root.
fn leave_root(user: u32) -> Result<(), String> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let leave = || -> rustix::io::Result<()> {
        rustix::thread::set_thread_groups(&[])?;
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        rustix::thread::set_thread_res_gid(gid, gid, gid)?;
        rustix::thread::set_thread_res_uid(uid, uid, uid)?;
        // Otherwise the files in this process's `/proc/self` would still belong to root.
        rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable)
    };
    leave().map_err(|error| format!("can't become user {user}: {error}"))
}

/// Creates a user namespace, in which this process is root without any rights outside.
fn own_user(orders: &mut Orders) {
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let own = || -> Result<(), String> {
        unshare(CloneFlags::CLONE_NEWUSER).map_err(|error| error.to_string())?;
        for (file, text) in [
            ("setgroups", "deny".to_owned()),
            ("uid_map", format!("0 {uid} 1")),
            ("gid_map", format!("0 {gid} 1")),
        ] {
            fs::write(format!("/proc/self/{file}"), text).map_err(|error| format!("{file}: {error}"))?;
        }
        unshare(CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS).map_err(|error| error.to_string())
    };
    match own() {
        Ok(()) => orders.namespaces.user = true,
        Err(error) => orders.gaps.push(format!(
            "it has no namespaces of its own: it sees other processes, and its processes are counted and ended by us, \
             not by the kernel: {error}"
        )),
    }
}

/// Creates a network namespace with one way out.
fn own_network(orders: &mut Orders) -> Result<(), String> {
    let forward = orders.job.server.map(forward::start).transpose().map_err(|error| error.to_string())?;
    let own = || -> Result<(), String> {
        unshare(CloneFlags::CLONE_NEWNET).map_err(|error| error.to_string())?;
        forward::narrow();
        if let (Some(forward), Some(server)) = (forward, orders.job.server) {
            let listener = forward::listen(server.port()).map_err(|error| format!("loopback: {error}"))?;
            forward.send(listener).map_err(|error| error.to_string())?;
        }
        Ok(())
    };
    match own() {
        Ok(()) => orders.namespaces.network = true,
        // After a half-done setup there may be no way out. A program that can't play is not started.
        Err(error) if error.starts_with("loopback") => return Err(error),
        Err(error) => orders.gaps.push(format!("it has no network of its own: {error}")),
    }
    Ok(())
}

/// Starts process 1, adds it to the cgroup, and then sends its orders.
fn start_init(
    orders: &mut Orders,
    pipes: Vec<OwnedFd>,
    gate: Option<File>,
    give_output: &Sender<ChildStdout>,
) -> Result<Child, String> {
    let (ours, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
    // This path works even where the executable's own path is closed to the user that this process has
    // become.
    let mut command = Command::new("/proc/self/exe");
    command.arg("sandbox-init").stdin(OwnedFd::from(theirs)).stdout(Stdio::piped());
    let mut init = command.spawn().map_err(|error| format!("process 1 of the box: {error}"))?;
    if let Some(output) = init.stdout.take() {
        give_output.send(output).map_err(|error| error.to_string())?;
    }
    // Without namespaces the program has the same user as this process and could open its files.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(|error| format!("the warden can't be hidden: {error}"))?;
    if orders.job.isolation != Isolation::Off {
        orders.counted = count(init.id(), gate, &mut orders.gaps);
    }
    let line = serde_json::to_vec(orders).map_err(|error| error.to_string())?;
    let pipes: Vec<_> = pipes.iter().map(AsFd::as_fd).collect();
    pass::send(&ours, line, &pipes).map_err(|error| format!("process 1 of the box: {error}"))?;
    Ok(init)
}

/// Adds process 1 to the cgroup, so that the kernel counts its memory and that of its children; otherwise
/// adds a gap that says what is done instead.
fn count(init: u32, gate: Option<File>, gaps: &mut Vec<String>) -> bool {
    let entered = gate.map(|mut gate| gate.write_all(init.to_string().as_bytes()));
    let reason = match entered {
        Some(Ok(())) => return true,
        Some(Err(error)) => error.to_string(),
        None => "there is no memory cgroup that we may write to".to_owned(),
    };
    gaps.push(format!(
        "memory: the kernel does not count that of all its processes together; it is looked at five times a second, and what \
         lies in pipes and sockets is kept small instead: {reason}"
    ));
    false
}

fn follow(output: Option<ChildStdout>, news: &Sender<WardenMessage>) {
    for event in output.into_iter().flat_map(events::read) {
        if news.send(WardenMessage::Event(event)).is_err() {
            return;
        }
    }
    let _ = news.send(WardenMessage::Gone);
}

/// Forwards events and measures the program, until the program has ended or must be ended.
fn watch(orders: &Orders, init: &mut Child, news: &mpsc::Receiver<WardenMessage>) -> Ending {
    let limits = &orders.job.limits;
    let ticks = rustix::param::clock_ticks_per_second().max(1);
    let (mut full, mut looks_hidden, mut looks) = (false, 0, 0_u32);
    loop {
        match news.recv_timeout(LOOK) {
            Ok(WardenMessage::Event(Event::Ended(ending))) => return ending,
            Ok(WardenMessage::Event(event)) => {
                if tell(&event).is_err() {
                    return Ending::Stopped;
                }
            }
            Ok(WardenMessage::Stop) => return Ending::Stopped,
            Ok(WardenMessage::Gone) | Err(RecvTimeoutError::Disconnected) => return Ending::Lost,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if orders.job.isolation == Isolation::Off {
            continue;
        }
        let usage = processes::usage(init.id());
        // Process 1 of the sandbox itself does not count.
        let count = usage.threads.saturating_sub(1);
        if usage.memory_bytes > limits.memory_bytes {
            let (bytes, limit) = (usage.memory_bytes, limits.memory_bytes);
            return Ending::Limit(LimitExceeded::Memory { bytes, limit });
        }
        if usage.ticks / ticks >= limits.cpu_secs {
            return Ending::Limit(LimitExceeded::Cpu { limit: limits.cpu_secs });
        }
        let most = if orders.job.strict { limits.processes - 1 } else { limits.processes };
        if count > most && (orders.job.strict || !orders.namespaces.user) {
            return Ending::Limit(LimitExceeded::Processes { count, limit: limits.processes });
        }
        if !orders.counted {
            let files = processes::kernel_files(init.id(), limits.open_files);
            // A process in the middle of `exec` is hidden for a moment. One that stays hidden counts with all
            // the files that it may have.
            looks_hidden = if files.hidden > 0 { looks_hidden + 1 } else { 0 };
            let hidden = if looks_hidden > 1 { files.hidden.saturating_mul(limits.open_files) } else { 0 };
            let count = files.open.saturating_add(hidden);
            if count > limits.open_files {
                return Ending::Limit(LimitExceeded::Files { count, limit: limits.open_files });
            }
        }
        looks += 1;
        if looks % SCRATCH_LOOKS == 0 {
            // A scratch directory with a file system of its own is not visible from here.
            let (root, most) = ((!orders.namespaces.user).then(|| init.id()), limits.scratch_bytes);
            if scratch::bytes(&orders.job.scratch, root, most) > most {
                return Ending::Limit(LimitExceeded::Scratch { limit: most });
            }
        }
        if count >= limits.processes && !full {
            full = true;
            let text = format!("it has as many processes and threads as it may: {}", limits.processes);
            if tell(&Event::Note { text }).is_err() {
                return Ending::Stopped;
            }
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(|error| format!("a thread: {error}"))
}
