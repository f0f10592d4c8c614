//! Process 1 of the sandbox: drops privileges, starts the program, and waits.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, ExitCode, Stdio};

use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions};

use super::super::events::tell;
use super::super::job::{Ending, Event, Isolation, Job, LimitExceeded};
use super::warden::Orders;
use super::{close_inherited, confine, pass, processes};

/// The hidden subcommand `sandbox-init`. It reads its orders from standard input, a socket, and reports
/// events to the warden on standard output. Its standard error is the program's output.
pub fn init() -> ExitCode {
    close_inherited();
    // Not dumpable, so that the program can't open this process's files through `/proc`.
    let hidden = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    // If the warden dies, the kernel kills this process, so that nothing outlives the warden.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    let hidden = hidden.map_err(|error| format!("process 1 can't be hidden: {error}"));
    let received = hidden.and_then(|()| pass::receive(io::stdin()).map_err(|error| error.to_string()));
    let orders = received.and_then(|(line, pipes)| {
        serde_json::from_str(&line).map(|orders| (orders, pipes)).map_err(|error| error.to_string())
    });
    let ending = orders
        .and_then(|(orders, pipes)| run(orders, pipes))
        .unwrap_or_else(|reason| Ending::NoBox { reason });
    match tell(&Event::Ended(ending)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(mut orders: Orders, pipes: Vec<OwnedFd>) -> Result<Ending, String> {
    let pid = rustix::process::getpid();
    // Fails if this process already leads a session, which is as good.
    let _ = rustix::process::setsid();
    if !pid.is_init() {
        // Orphans become children of this process, so that they can be found and ended.
        rustix::process::set_child_subreaper(Some(pid)).map_err(|error| format!("subreaper: {error}"))?;
    }
    let isolation = orders.job.isolation;
    if isolation != Isolation::Off {
        confine::confine(&mut orders)?;
    }
    if isolation == Isolation::Require && !orders.gaps.is_empty() {
        return Err(format!("not everything can be enforced here: {}", orders.gaps.join("; ")));
    }
    let mut command = command(&orders, pipes)?;
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            // The first word is the program that is missing: `python3` of `python3 mybot.py`.
            let reason = format!("{}: {}", orders.job.command[0], refusal(&error));
            return if no_room(&error) { Err(reason) } else { Ok(Ending::NotStarted { reason }) };
        }
    };
    tell(&Event::Started { gaps: orders.gaps }).map_err(|error| error.to_string())?;
    drop(command);
    let ending = with_cause(wait_for(child.id()), &orders.job);
    if !pid.is_init() {
        processes::end_descendants(std::process::id());
    }
    Ok(ending)
}

/// Whether a program failed to start because the machine lacks resources, rather than because of the program.
fn no_room(error: &io::Error) -> bool {
    let files = [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE].map(|errno| Some(errno.raw_os_error()));
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory | io::ErrorKind::StorageFull
    ) || files.contains(&error.raw_os_error())
}

/// Reason why the program does not start. `PATH` may have directories that the program may not read, so a
/// program that does not exist can look like one to which access is refused.
fn refusal(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no such program; is it installed? ({error})"),
        io::ErrorKind::PermissionDenied => {
            format!("there is no such program, or it is closed to the user as whom programs run ({error})")
        }
        _ => error.to_string(),
    }
}

fn command(orders: &Orders, pipes: Vec<OwnedFd>) -> Result<Command, String> {
    let job = &orders.job;
    let (program, arguments) = job.command.split_first().ok_or("the command is empty")?;
    let output = || io::stderr().as_fd().try_clone_to_owned().map_err(|error| error.to_string());
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(output()?).stderr(output()?);
    if let Ok([input, output]) = <[OwnedFd; 2]>::try_from(pipes) {
        command.stdin(input).stdout(output);
    }
    if job.isolation != Isolation::Off {
        command.env_clear().env("HOME", &job.scratch).env("TMPDIR", &job.scratch);
    }
    command.envs(job.env.iter().map(|(name, value)| (name, value)));
    match std::env::set_current_dir(&job.directory) {
        Ok(()) => {}
        Err(error) => {
            let text = format!(
                "it begins in its scratch directory, since it may not enter {}: {error}",
                job.directory.display()
            );
            tell(&Event::Note { text }).map_err(|error| error.to_string())?;
            command.current_dir(&job.scratch);
        }
    }
    Ok(command)
}

/// Waits for the program, and reaps orphans meanwhile.
fn wait_for(program: u32) -> Ending {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if u32::try_from(Pid::as_raw(Some(pid))) == Ok(program) => {
                return match (status.exit_status(), status.terminating_signal()) {
                    (Some(status), _) => Ending::Exited { status },
                    (None, Some(signal)) => Ending::Signal { signal },
                    (None, None) => continue,
                };
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            // There is no child left: the program was reaped unseen.
            Err(_) => return Ending::Lost,
        }
    }
}

/// Corrects the ending of a strict job: a program that failed after exceeding its memory limit, too fast for
/// the warden to end it, failed because of that.
fn with_cause(ending: Ending, job: &Job) -> Ending {
    use nix::sys::resource::{UsageWho, getrusage};
    let failed = !matches!(ending, Ending::Exited { status: 0 });
    let most = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
    let (bytes, limit) = (u64::try_from(most).unwrap_or(0) << 10, job.limits.memory_bytes);
    if job.strict && failed && bytes > limit {
        Ending::Limit(LimitExceeded::Memory { bytes, limit })
    } else {
        ending
    }
}
