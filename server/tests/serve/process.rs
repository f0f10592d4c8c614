//! The binary as a process: killed, stopped, and started where it can't be.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{PATIENCE, TempDir};

struct Serve {
    child: Child,
    lines: SocketAddr,
    http: SocketAddr,
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grandstand"));
    command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    command
}

impl Serve {
    fn start(data: &Path) -> Self {
        let data = data.to_str().unwrap();
        let arguments =
            ["--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", data, "--log-format", "json"];
        let mut child = command(&arguments).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = |prefix: &str, suffix: &str| {
            let line = out.next().unwrap().unwrap();
            line.strip_prefix(prefix).unwrap().strip_suffix(suffix).unwrap().parse().unwrap()
        };
        let (lines, http) = (next("lines ", ""), next("http http://", "/"));
        Self { child, lines, http }
    }

    fn draw(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.lines).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.http).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// The list of matches, once it fulfils a condition.
    fn matches(&self, condition: impl Fn(&[Value]) -> bool) -> Vec<Value> {
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

    fn stop(mut self, signal: &str) -> Output {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        let mut stderr = Vec::new();
        self.child.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        Output { status: self.child.wait().unwrap(), stdout: Vec::new(), stderr }
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // It may have been stopped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn after_a_kill_every_replay_is_whole_and_listed_as_interrupted() {
    let data = TempDir::new();
    let server = Serve::start(data.path());
    let mut games = Vec::new();
    for turn in 1..=5 {
        games.push(server.draw(&format!(
            "#gs match {{\"title\":\"Game {turn}\"}}\n{}",
            "set B~2 w4\n".repeat(turn * 100)
        )));
        server.matches(|list| list.len() == turn && list[0]["seq"] == turn * 100);
    }
    // What was drawn is on its way to the file for a few milliseconds at most.
    std::thread::sleep(Duration::from_millis(200));
    server.stop("-KILL");
    // As if the last write had been cut in the middle of a line.
    let cut = std::fs::read_dir(data.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "replay"))
        .unwrap();
    std::fs::OpenOptions::new().append(true).open(cut).unwrap().write_all(b"[0.25,\"c\",\"set B~").unwrap();

    let server = Serve::start(data.path());
    let list = server.matches(|list| list.len() == 5);
    for (index, summary) in list.iter().enumerate() {
        let turn = 5 - index;
        assert_eq!(summary["state"], "interrupted");
        assert_eq!(summary["seq"], turn * 100);
        assert_eq!(summary["title"], format!("Game {turn}"));
        let replay = server.get(&format!("/api/matches/{}/replay", summary["id"].as_str().unwrap()));
        assert_eq!(replay.matches("set B~2 w4").count(), turn * 100);
    }
    let stopped = server.stop("-TERM");
    assert_eq!(stopped.status.code(), Some(0));
}

#[test]
fn a_stop_ends_matches_and_says_so_in_json() {
    let data = TempDir::new();
    for signal in ["-TERM", "-INT"] {
        let server = Serve::start(data.path());
        let _game = server.draw("turns 1\nturns 2\n");
        server.matches(|list| list.first().is_some_and(|m| m["seq"] == 2));
        let stopped = server.stop(signal);
        assert_eq!(stopped.status.code(), Some(0), "{signal}");
        let log = String::from_utf8(stopped.stderr).unwrap();
        let over = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .find(|l| l["fields"]["message"] == "a match is over");
        assert_eq!(over.unwrap()["fields"]["end"], "the server stops");
    }
    let server = Serve::start(data.path());
    let list = server.matches(|list| list.len() == 2);
    assert!(list.iter().all(|m| m["state"] == "interrupted" && m["seq"] == 2));
}

fn fails(arguments: &[&str]) -> String {
    let output = command(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_it_can_not_start_with_is_said_and_exits_with_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = TempDir::new();
    let directory = data.path().to_str().unwrap();
    for port in ["--legacy", "--http"] {
        let other = if port == "--http" { "--legacy" } else { "--http" };
        let said = fails(&[port, &address, other, "127.0.0.1:0", "--data", directory]);
        assert!(said.contains(&format!("{address} is in use by another program")), "{said}");
    }
    let free = ["--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0"];
    let with = |more: &[&str]| fails(&[&free[..], more].concat());
    assert!(with(&["--http", "nonsense", "--data", directory]).contains("`nonsense` is not an address"));
    assert!(with(&["--limit", "stall-secs=soon"]).contains("not a value of stall-secs"));
    let file = data.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert!(with(&["--data", file.to_str().unwrap()]).contains("the data directory"));
    let running = Serve::start(data.path());
    assert!(with(&["--data", directory]).contains("is in use by another grandstand"));
    drop(running);
}

/// A directory where nobody, not even root, can make a file.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_can_not_be_written_costs_the_recording_alone() {
    let server = Serve::start(Path::new("/proc/self"));
    let mut game = server.draw("turns 1\n");
    server.matches(|list| list.first().is_some_and(|m| m["seq"] == 1));
    game.write_all(b"turns 2\n#gs result {\"termination\":\"draw\"}\n").unwrap();
    let list = server.matches(|list| list[0]["state"] == "finished");
    let id = list[0]["id"].as_str().unwrap();
    // It stays in memory.
    let commands = server.get(&format!("/api/matches/{id}/commands"));
    assert!(commands.contains("\"value\":2}"), "{commands}");
    assert!(server.get(&format!("/api/matches/{id}/replay")).contains("this match has no recording"));
    let log = String::from_utf8(server.stop("-TERM").stderr).unwrap();
    assert!(log.contains("nothing will be recorded"));
    assert_eq!(log.matches("can't record: the match goes on without").count(), 1, "{log}");
}
