//! Server's end of a sandboxed program: starts the warden and follows its events.

use std::io::{PipeReader, PipeWriter, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::error::ProgramError;
use super::super::events;
use super::super::job::{Ending, Event, Isolation, Job, LimitExceeded, Limits};
use super::super::program::{OutputLog, Program, Shared};
use super::cgroup::Cgroup;
use super::pass::{connect, hand_over};

impl Program {
    /// Starts `job` with its warden; `pipes` become the program's standard input and output.
    pub(in crate::sandbox) fn start_with(
        job: &Job,
        grandstand: &Path,
        log: OutputLog,
        pipes: Option<(PipeReader, PipeWriter)>,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, ProgramError> {
        let counts = job.isolation != Isolation::Off;
        // Without a cgroup the program starts all the same, and reports a gap.
        let cgroup = if counts { Cgroup::new(job.limits.cgroup_bytes()).ok() } else { None };
        let gate = cgroup.as_ref().and_then(|cgroup| cgroup.open_procs_file().ok());
        let (control, theirs) = connect()?;
        let mut command = Command::new(grandstand);
        command.arg("sandbox-warden").stdin(theirs).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut job = job.clone();
        if job.isolation != Isolation::Off {
            // An empty environment holds nothing that could be read from the warden.
            command.env_clear();
            for name in ["PATH", "LANG"] {
                if let Ok(value) = std::env::var(name) {
                    job.env.push((name.to_owned(), value));
                }
            }
        }
        let mut warden = command.spawn().map_err(ProgramError::Warden)?;
        // The command holds our copy of the socket that is the warden's input.
        drop(command);
        let (events, output) = (warden.stdout.take(), warden.stderr.take());
        let line = serde_json::to_vec(&job).map_err(|error| ProgramError::Warden(error.into()))?;
        hand_over(&control, line, pipes, gate).map_err(ProgramError::Warden)?;
        let (output, limits) = ((output, log, job.limits.log_bytes), job.limits);
        Self::new(warden, control, output, move |shared| follow(shared, events, cgroup, &limits, tell))
    }
}

/// Reads the warden's events until it ends.
fn follow(
    shared: &Shared,
    events: Option<impl Read>,
    cgroup: Option<Cgroup>,
    limits: &Limits,
    mut tell: impl FnMut(Event),
) {
    let mut ending = None;
    for event in events.into_iter().flat_map(events::read) {
        match event {
            Event::Ended(end) => {
                ending = Some(end);
                break;
            }
            event => tell(event),
        }
    }
    let mut warden = shared.process();
    // The warden has reported the end, is gone, or broke the protocol.
    let _ = warden.kill();
    let _ = warden.wait();
    drop(warden);
    let mut ending = ending.unwrap_or(Ending::Lost);
    if let Some(cgroup) = cgroup {
        let failed = !matches!(ending, Ending::Exited { status: 0 } | Ending::Stopped | Ending::Limit(_));
        if failed && cgroup.ran_out() {
            let (bytes, limit) = (limits.cgroup_bytes(), limits.memory_bytes);
            ending = Ending::Limit(LimitExceeded::Memory { bytes, limit });
        }
    }
    shared.ended(ending, tell);
}
