//! Program without a sandbox, on a system that has none: it runs as the user who runs the match, and is ended
//! with it.
//!
//! The process leads a process group of its own (Unix) or is the root of a process tree (Windows), which is
//! ended with it. A process that leaves the group, or that outlives its parent on Windows, is not found
//! again.

use std::io::{self, PipeReader, PipeWriter};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use super::error::ProgramError;
use super::job::{Ending, Event, Isolation, Job};
use super::program::{OutputLog, Program, Shared};

/// Interval at which the process is checked.
const LOOK: Duration = Duration::from_millis(20);
/// Description of what is not enforced.
const GAP: &str = "anything: this system has no box, so that the program runs as you do, with your files and your network, without limits";

/// Stop signal: dropping the sender ends the program.
type StopSignal = Receiver<std::convert::Infallible>;

impl Program {
    /// Starts `job` without a sandbox; `pipes` become its standard input and output.
    pub(super) fn start_plain(
        job: &Job,
        log: OutputLog,
        pipes: Option<(PipeReader, PipeWriter)>,
        mut tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, ProgramError> {
        if job.isolation != Isolation::Off {
            return Err(ProgramError::Unsupported);
        }
        let mut job = job.clone();
        if let Some(server) = job.server {
            job.fill_in(server);
        }
        let (child, output) =
            spawn(&job, pipes).map_err(|error| ProgramError::Program(job.command.join(" "), error))?;
        let (control, asked) = mpsc::channel();
        let output = (Some(output), log, job.limits.log_bytes);
        Self::new(child, control, output, move |shared| {
            tell(Event::Started { gaps: vec![GAP.to_owned()] });
            let ending = watch(shared, &asked);
            shared.ended(ending, tell);
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn start_with(
        job: &Job,
        _: &std::path::Path,
        log: OutputLog,
        pipes: Option<(PipeReader, PipeWriter)>,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, ProgramError> {
        Self::start_plain(job, log, pipes, tell)
    }
}

/// Starts the process. The returned pipe carries its standard error and, without `pipes`, its standard
/// output.
fn spawn(job: &Job, pipes: Option<(PipeReader, PipeWriter)>) -> io::Result<(Child, PipeReader)> {
    let (program, arguments) =
        job.command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
    let (output, errors) = io::pipe()?;
    let mut command = Command::new(program);
    command.args(arguments).envs(job.env.iter().map(|(name, value)| (name, value)));
    command.current_dir(&job.directory);
    match pipes {
        Some((input, answers)) => command.stdin(input).stdout(answers),
        None => command.stdin(Stdio::null()).stdout(errors.try_clone()?),
    };
    command.stderr(errors);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok((command.spawn()?, output))
}

/// Waits until the process ends or its end is asked for.
fn watch(shared: &Shared, asked: &StopSignal) -> Ending {
    loop {
        let ended = shared.process().try_wait();
        match ended {
            Ok(Some(status)) => {
                end_all(&mut shared.process());
                return ending(status);
            }
            Ok(None) => {}
            Err(_) => return Ending::Lost,
        }
        if let Err(RecvTimeoutError::Disconnected) = asked.recv_timeout(LOOK) {
            let mut process = shared.process();
            end_all(&mut process);
            // Both fail only for a process that has ended.
            let _ = process.kill();
            let _ = process.wait();
            return Ending::Stopped;
        }
    }
}

/// Ends the process group.
#[cfg(unix)]
fn end_all(process: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
    // Fails if no process is left.
    let _ = group.map(|group| kill_process_group(group, Signal::KILL));
}

/// Ends the process tree.
#[cfg(not(unix))]
fn end_all(process: &mut Child) {
    let id = process.id().to_string();
    let mut command = Command::new("taskkill");
    command.args(["/T", "/F", "/PID", &id]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Fails if no process is left.
    let _ = command.status();
}

#[cfg(unix)]
fn ending(status: ExitStatus) -> Ending {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(status), _) => Ending::Exited { status },
        (None, Some(signal)) => Ending::Signal { signal },
        (None, None) => Ending::Lost,
    }
}

#[cfg(not(unix))]
fn ending(status: ExitStatus) -> Ending {
    status.code().map_or(Ending::Lost, |status| Ending::Exited { status })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::sync::{Arc, Mutex};

    use super::super::job::{Limits, NOBODY};
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    fn job(script: &str) -> Job {
        Job {
            command: ["sh", "-c", script].map(str::to_owned).into(),
            env: vec![("WHERE".to_owned(), "{address}".to_owned())],
            directory: std::env::temp_dir(),
            readable: Vec::new(),
            scratch: std::env::temp_dir(),
            server: Some(([127, 0, 0, 1], 3126).into()),
            limits: Limits::default(),
            strict: false,
            isolation: Isolation::Off,
            user: NOBODY,
            seat: 0,
        }
    }

    /// Starts the job without a sandbox and collects its events.
    fn start(job: &Job) -> (Program, Arc<Mutex<Vec<Event>>>) {
        let events = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&events);
        let tell = move |event| kept.lock().unwrap().push(event);
        (Program::start_plain(job, OutputLog::Forget, None, tell).unwrap(), events)
    }

    #[test]
    fn tells_its_end_its_last_words_and_that_nothing_is_enforced() {
        let (program, events) = start(&job("echo at $WHERE; echo wrong >&2; exit 3"));
        assert_eq!(program.wait(PATIENCE), Some(Ending::Exited { status: 3 }));
        assert_eq!(program.last_words(), "at 127.0.0.1:3126\nwrong");
        let told = events.lock().unwrap().clone();
        let gaps = vec![GAP.to_owned()];
        assert_eq!(told, [Event::Started { gaps }, Event::Ended(Ending::Exited { status: 3 })]);
    }

    #[test]
    fn a_stop_ends_what_it_began_too() {
        // The pipe of the program's output closes when the last of its processes has ended.
        let (program, _) = start(&job("sleep 600 & echo there; wait"));
        while program.last_words() != "there" {
            assert_eq!(program.ending(), None);
            std::thread::yield_now();
        }
        assert_eq!(program.stop(), Ending::Stopped);
    }

    #[test]
    fn what_outlives_it_is_ended() {
        let (program, _) = start(&job("sleep 600 & echo there"));
        assert_eq!(program.wait(PATIENCE), Some(Ending::Exited { status: 0 }));
        assert_eq!(program.stop(), Ending::Exited { status: 0 });
    }

    #[test]
    fn it_is_spoken_with_over_pipes() {
        let ((input, mut to), (mut from, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let pipes = Some((input, output));
        let program =
            Program::start_plain(&job("read line; echo \"$line?\""), OutputLog::Forget, pipes, |_| {})
                .unwrap();
        to.write_all(b"ready\n").unwrap();
        let mut said = String::new();
        from.read_to_string(&mut said).unwrap();
        assert_eq!(said, "ready?\n");
        assert_eq!(program.wait(PATIENCE), Some(Ending::Exited { status: 0 }));
    }

    #[test]
    fn who_wants_the_box_is_told_how_it_goes_without() {
        for isolation in [Isolation::On, Isolation::Require] {
            let job = Job { isolation, ..job("true") };
            let refused =
                Program::start_plain(&job, OutputLog::Forget, None, |_| {}).unwrap_err().to_string();
            assert!(refused.contains("--sandbox off"), "{refused}");
        }
        let job = Job { command: vec!["/nowhere/engine".to_owned()], ..job("true") };
        let failed = Program::start_plain(&job, OutputLog::Forget, None, |_| {}).unwrap_err().to_string();
        assert!(failed.starts_with("it could not be started: /nowhere/engine: "), "{failed}");
    }
}
