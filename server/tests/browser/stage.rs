//! A server as a process of its own, which can be killed and started again, and a game server that draws on it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A running `grandstand serve`.
pub(crate) struct Server {
    process: Child,
    pub(crate) lines: SocketAddr,
    pub(crate) http: SocketAddr,
    data: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start() -> Server {
        let data = tempfile::tempdir().unwrap();
        let any = "127.0.0.1:0".parse().unwrap();
        let (process, lines, http) = spawn(any, any, &data);
        Server { process, lines, http, data }
    }

    /// Ends the process as a power cut would, and starts it again at the same addresses after a while.
    pub(crate) fn kill_and_restart(&mut self, pause: Duration) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        std::thread::sleep(pause);
        (self.process, self.lines, self.http) = spawn(self.lines, self.http, &self.data);
    }

    /// Whether the page is built into the server.
    pub(crate) fn has_page(&self) -> bool {
        self.get("/").contains("page-")
    }

    /// The body of an answer.
    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.http).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.http).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap()
    }

    /// The newest match.
    pub(crate) fn newest(&self) -> Value {
        serde_json::from_str::<Value>(&self.get("/api/matches")).unwrap()[0].clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(lines: SocketAddr, http: SocketAddr, data: &tempfile::TempDir) -> (Child, SocketAddr, SocketAddr) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_grandstand"))
        .args(["serve", "--legacy", &lines.to_string(), "--http", &http.to_string(), "--data"])
        .arg(data.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(process.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    let lines = told.next().unwrap().strip_prefix("lines ").unwrap().parse().unwrap();
    let http = told.next().unwrap();
    let http = http.strip_prefix("http http://").unwrap().trim_end_matches('/').parse().unwrap();
    (process, lines, http)
}

/// A program that draws a match: two pieces that walk about and talk.
pub(crate) struct Match {
    stream: TcpStream,
    pub(crate) id: String,
    /// Commands sent so far.
    pub(crate) seq: u64,
    turn: u64,
}

impl Match {
    pub(crate) fn begin(server: &Server, title: &str) -> Match {
        let mut stream = TcpStream::connect(server.lines).unwrap();
        stream.set_nodelay(true).unwrap();
        writeln!(stream, "#gs game abalone").unwrap();
        writeln!(
            stream,
            r#"#gs match {{"title": "{title}", "teams": [{{"name": "Ada", "color": "black"}}, {{"name": "Bob", "color": "white"}}]}}"#
        )
        .unwrap();
        let mut begun = Match { stream, id: String::new(), seq: 0, turn: 0 };
        begun.send(&["set C~1 b0", "set G1 w0", "bscore 0", "wscore 0"]);
        let found = server.newest();
        assert_eq!(found["title"], title);
        begun.id = found["id"].as_str().unwrap().to_owned();
        begun.wait_until_recorded(server);
        begun
    }

    /// Draws lines, each of them a command.
    pub(crate) fn send(&mut self, lines: &[&str]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.stream.write_all(text.as_bytes()).unwrap();
        self.seq += lines.len() as u64;
        if self.id.is_empty() {
            // So that the match is there when it is asked for.
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// A turn: the black piece goes one hex to and fro, and says which turn it is.
    pub(crate) fn turn(&mut self) {
        self.turn += 1;
        let (from, to) = if self.turn % 2 == 1 { ("C~1", "C0") } else { ("C0", "C~1") };
        let lines = [
            format!("set {from} e"),
            format!("set {to} b1"),
            format!("turns {}", self.turn),
            format!("bsay turn {}", self.turn),
        ];
        self.send(&lines.each_ref().map(String::as_str));
    }

    /// Waits until the server knows everything that was sent.
    pub(crate) fn wait_until_recorded(&self, server: &Server) {
        let began = Instant::now();
        let path = format!("/api/matches/{}", self.id);
        while serde_json::from_str::<Value>(&server.get(&path)).unwrap()["seq"] != self.seq {
            assert!(began.elapsed() < Duration::from_secs(10), "the server did not take all lines");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn finish(mut self) {
        writeln!(self.stream, r#"#gs result {{"winner": "black", "termination": "score"}}"#).unwrap();
    }
}
