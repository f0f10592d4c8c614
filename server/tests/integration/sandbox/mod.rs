//! Hostile programs in the sandbox: each ends, or is contained, with a clear message, and leaves nothing behind.
//!
//! They are written for `sh`, and some for `perl` or `python3`; those are ignored by default.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grandstand_players::sandbox::{Ending, Event, Isolation, Job, Limits, OutputLog, Program};
use grandstand_testing::process::is_running;
use grandstand_testing::{open_to_all, until};
use tempfile::TempDir;

use crate::program::GRANDSTAND;

mod hostile;
mod memory;
mod network;

/// Long enough for a slow machine; only failing tests wait that long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in the sandbox, with its output.
struct Case {
    job: Job,
    directory: TempDir,
    /// The executable for its warden and its process 1.
    grandstand: PathBuf,
}

struct Outcome {
    ending: Ending,
    output: String,
    /// Notes and gaps.
    said: Vec<String>,
}

impl Case {
    /// A shell script, in a directory that it may read.
    fn sh(script: &str) -> Self {
        Self::new("sh", "script.sh", script)
    }

    fn new(interpreter: &str, name: &str, script: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        // The program runs as another user than the owner of the directory.
        open_to_all(directory.path());
        let (program, scratch) = (directory.path().join("program"), directory.path().join("scratch"));
        fs::create_dir(&program).unwrap();
        fs::create_dir(&scratch).unwrap();
        let file = program.join(name);
        fs::write(&file, script).unwrap();
        open_to_all(&program);
        let job = Job {
            command: vec![interpreter.to_owned(), file.to_str().unwrap().to_owned()],
            env: Vec::new(),
            directory: program.clone(),
            readable: vec![program],
            scratch,
            server: None,
            limits: Limits::default(),
            strict: false,
            isolation: Isolation::On,
            user: 65_534,
            seat: 0,
        };
        Self { job, directory, grandstand: GRANDSTAND.into() }
    }

    /// The same on a system without user namespaces.
    fn without_namespaces(mut self) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let python =
            Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
        let python = String::from_utf8(python.stdout).unwrap();
        let script = format!("#!{python}{}", include_str!("without_namespaces.py"));
        let file = self.directory.path().join("without_namespaces.py");
        fs::write(&file, script.replace("GRANDSTAND", self.grandstand.to_str().unwrap())).unwrap();
        open_to_all(&file);
        let output = Command::new(&file).arg("--version").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // Without namespaces the program has no file system of its own.
        fs::set_permissions(&self.job.scratch, fs::Permissions::from_mode(0o777)).unwrap();
        self.grandstand = file;
        self
    }

    /// Whether `part` of the sandbox was enforced in this run. If not, that must be reported, and a job that requires
    /// the sandbox is refused.
    fn enforces(&self, part: &str, outcome: &Outcome) -> bool {
        let enforced = !outcome.said.iter().any(|line| line.starts_with("gap: ") && line.contains(part));
        if !enforced {
            let required = Job { isolation: Isolation::Require, ..self.job.clone() };
            let strict = Self {
                job: required,
                directory: tempfile::tempdir().unwrap(),
                grandstand: self.grandstand.clone(),
            };
            assert!(matches!(strict.run().ending, Ending::NoBox { .. }));
        }
        enforced
    }

    fn start(&self) -> (Program, Arc<Mutex<Vec<String>>>) {
        let said = Arc::new(Mutex::new(Vec::new()));
        let listener = Arc::clone(&said);
        let tell = move |event| {
            let mut said = listener.lock().unwrap();
            match event {
                Event::Started { gaps } => said.extend(gaps.into_iter().map(|gap| format!("gap: {gap}"))),
                Event::Note { text } => said.push(text),
                Event::Ended(_) => {}
            }
        };
        let log = OutputLog::Keep(File::create(self.log()).unwrap());
        let program = Program::start(&self.job, &self.grandstand, log, tell);
        (program.unwrap(), said)
    }

    /// A warden without a server, and its socket.
    fn start_warden(&self) -> (Child, UnixStream) {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let mut command = Command::new(&self.grandstand);
        command
            .arg("sandbox-warden")
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::piped())
            .stderr(File::create(self.log()).unwrap());
        let warden = command.spawn().unwrap();
        ours.write_all(&serde_json::to_vec(&self.job).unwrap()).unwrap();
        ours.write_all(b"\n").unwrap();
        (warden, ours)
    }

    /// Runs to the end without memory accounting by the kernel: its warden has no cgroup.
    fn run_uncounted(&self) -> Outcome {
        let (mut warden, _server) = self.start_warden();
        let (mut said, mut ended) = (Vec::new(), None);
        for line in BufReader::new(warden.stdout.take().unwrap()).lines() {
            match serde_json::from_str(&line.unwrap()).unwrap() {
                Event::Started { gaps } => said.extend(gaps.into_iter().map(|gap| format!("gap: {gap}"))),
                Event::Note { text } => said.push(text),
                Event::Ended(ending) => ended = Some(ending),
            }
        }
        warden.wait().unwrap();
        let output = String::from_utf8_lossy(&fs::read(self.log()).unwrap()).into_owned();
        Outcome { ending: ended.expect("it has ended"), output, said }
    }

    fn log(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    /// Runs to the end.
    fn run(&self) -> Outcome {
        let (program, said) = self.start();
        let ending = program.wait(PATIENCE).expect("it has ended");
        program.stop();
        let output = String::from_utf8_lossy(&fs::read(self.log()).unwrap()).into_owned();
        let said = said.lock().unwrap().clone();
        Outcome { ending, output, said }
    }

    /// Waits until the program prints `word`, then ends it.
    fn stop_after(&self, word: &str) -> Outcome {
        let (program, said) = self.start();
        until(word, || program.last_words().contains(word));
        let ending = program.stop();
        let output = String::from_utf8_lossy(&fs::read(self.log()).unwrap()).into_owned();
        let said = said.lock().unwrap().clone();
        Outcome { ending, output, said }
    }
}

impl Outcome {
    /// Whether the kernel has accounted its memory.
    fn was_counted(&self) -> bool {
        !self.said.iter().any(|line| line.starts_with("gap: memory: "))
    }
}
