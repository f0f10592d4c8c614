//! The server's binary, as a process with pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::support::PATIENCE;

/// The server as a process; it is killed when dropped.
pub(crate) struct Serve {
    pub(crate) child: Child,
    pub(crate) lines: SocketAddr,
    pub(crate) http: SocketAddr,
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grandstand"));
    command.arg("serve").args(arguments);
    command
}

impl Serve {
    pub(crate) fn start(data: &Path) -> Self {
        let data = data.to_str().unwrap();
        Self::launch(command(&[
            "--legacy",
            "127.0.0.1:0",
            "--http",
            "127.0.0.1:0",
            "--data",
            data,
            "--log-format",
            "json",
        ]))
    }

    /// Starts a command that becomes a server with one address for each port.
    pub(crate) fn launch(mut command: Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = |prefix: &str, suffix: &str| {
            let line = out.next().unwrap().unwrap();
            line.strip_prefix(prefix).unwrap().strip_suffix(suffix).unwrap().parse().unwrap()
        };
        let (lines, http) = (next("lines ", ""), next("http http://", "/"));
        Self { child, lines, http }
    }

    pub(crate) fn draw(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.lines).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// A request of which the answer is not read yet.
    pub(crate) fn ask(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.http).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.http).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = self.ask(path);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// The list of matches, once it fulfils a condition.
    pub(crate) fn matches(&self, condition: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let list: Vec<Value> = serde_json::from_str(&self.get("/api/matches")).unwrap();
            if condition(&list) {
                return list;
            }
            assert!(Instant::now() < deadline, "the list stays {list:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The value of a metric, once it fulfils a condition.
    pub(crate) fn metric(&self, name: &str, condition: impl Fn(f64) -> bool) -> f64 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.get("/metrics");
            let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
            let value = line.rsplit(' ').next().unwrap().parse().unwrap();
            if condition(value) {
                return value;
            }
            assert!(Instant::now() < deadline, "{name} stays {value}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends a signal that ends it, and waits until it has.
    pub(crate) fn stop(mut self, name: &str) -> Output {
        signal(name, self.child.id());
        let mut stderr = self.child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = Vec::new();
            stderr.read_to_end(&mut log).map(|_| log)
        });
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "it does not stop");
            std::thread::sleep(Duration::from_millis(5));
        };
        Output { status, stdout: Vec::new(), stderr: log.join().unwrap().unwrap() }
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // It may have been stopped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal, such as `-STOP`.
pub(crate) fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([name, &process.to_string()]).status().unwrap();
    assert!(status.success(), "kill {name}");
}
