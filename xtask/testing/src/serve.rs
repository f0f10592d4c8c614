//! Processes of `grandstand serve`, and of a match that serves itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::process::{Killed, signal};
use crate::wait::{until_some, until_some_within};
use crate::{Folder, http};

/// Time limit for a server to stop on a busy machine. It is below the ten seconds that a lingering connection may take
/// in a server that does not stop.
const STOP: Duration = Duration::from_secs(8);

/// A server process, killed on drop.
#[derive(Debug)]
pub struct Serve {
    /// The process.
    pub child: Killed,
    /// Address of the text-line port.
    pub lines: SocketAddr,
    /// Address of the HTTP port.
    pub http: SocketAddr,
}

impl Serve {
    /// Starts a command that becomes a server, with one address for each port.
    #[must_use]
    pub fn launch(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut child = Killed(command.spawn().unwrap());
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
        let lines = told.next().unwrap().strip_prefix("lines ").unwrap().parse().unwrap();
        let http = told.next().unwrap();
        let (_, http) = http.split_once("://").unwrap();
        Self { child, lines, http: http.strip_suffix('/').unwrap().parse().unwrap() }
    }

    /// A connection to the line port that has sent `text`.
    #[must_use]
    pub fn draw(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.lines).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// A connection with a sent request, whose response is not read yet.
    #[must_use]
    pub fn ask(&self, path: &str) -> TcpStream {
        let address = self.http.to_string();
        let mut stream = http::connect(&address);
        stream.write_all(http::get_request(&address, path).as_bytes()).unwrap();
        stream
    }

    /// The body of the response to a GET request.
    #[must_use]
    pub fn get(&self, path: &str) -> String {
        http::get(&self.http.to_string(), path).body
    }

    /// Waits until the list of matches fulfils a condition; returns it.
    pub fn matches(&self, condition: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        until_some("a list of matches", || {
            let list: Vec<Value> = serde_json::from_str(&self.get("/api/matches")).unwrap();
            condition(&list).then_some(list)
        })
    }

    /// Waits until a metric fulfils a condition; returns its value.
    pub fn metric(&self, name: &str, condition: impl Fn(f64) -> bool) -> f64 {
        until_some(name, || {
            let text = self.get("/metrics");
            let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
            let value = line.rsplit(' ').next().unwrap().parse().unwrap();
            condition(value).then_some(value)
        })
    }

    /// Sends a signal that ends the server, and waits for its end.
    ///
    /// # Panics
    ///
    /// If that takes longer than `STOP`.
    pub fn stop(mut self, with: Signal) -> Output {
        signal(with, self.child.id());
        let mut stderr = self.child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = Vec::new();
            stderr.read_to_end(&mut log).map(|_| log)
        });
        let status = until_some_within(STOP, "it stops", || self.child.try_wait().unwrap());
        Output { status, stdout: Vec::new(), stderr: log.join().unwrap().unwrap() }
    }
}

/// A process of a match that serves itself, killed on drop.
#[derive(Debug)]
pub struct Hosted {
    /// The process.
    pub child: Killed,
    /// Host and port.
    pub address: String,
    /// Id of the match.
    pub id: String,
    /// The directory that it was started in.
    pub folder: Arc<Folder>,
}

impl Hosted {
    /// Starts a command in a new directory, and reads its log up to the line in which the match's URL follows `before`.
    #[must_use]
    pub fn launch(command: &mut Command, before: &str) -> Self {
        Self::launch_in(Arc::new(Folder::new()), command, before)
    }

    /// [`Hosted::launch`] in a directory that is there.
    #[must_use]
    pub fn launch_in(folder: Arc<Folder>, command: &mut Command, before: &str) -> Self {
        let command = command.current_dir(folder.path()).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut child = Killed(child);
        let mut told = String::new();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = loop {
            let line = lines.next().unwrap_or_else(|| panic!("it ended without an address: {told}")).unwrap();
            if let Some(url) = line.strip_prefix(before) {
                break url.to_owned();
            }
            told += &(line + "\n");
        };
        // The rest of the log is read, so that the process does not block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let (address, id) = url.strip_prefix("http://").unwrap().split_once("/?match=").unwrap();
        Self { child, address: address.to_owned(), id: id.to_owned(), folder }
    }

    /// The URL of the match.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/?match={}", self.address, self.id)
    }

    /// Waits for a successful end; returns the standard output.
    #[must_use]
    pub fn output(&mut self) -> String {
        let mut output = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        assert!(self.child.wait().unwrap().success());
        output
    }

    /// Whether a file of the match is in the recording directory.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.is_recorded_in("grandstand-data")
    }

    /// Whether a file of the match is in this directory.
    #[must_use]
    pub fn is_recorded_in(&self, directory: &str) -> bool {
        let mut files = std::fs::read_dir(self.folder.join(directory)).unwrap();
        files.any(|file| file.unwrap().file_name().to_string_lossy().starts_with(&self.id))
    }
}
