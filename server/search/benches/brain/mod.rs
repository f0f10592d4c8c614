//! A player that is another program, over the Gomocup protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

type Move = (u16, u16);

/// How long after an answer the next command is sent. A program that drops what comes until its threads have ended needs more
/// of it on a busy machine.
const PAUSE: Duration = Duration::from_millis(120);

/// The program, and the moves that it knows.
pub(crate) struct Brain {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    known: Vec<Move>,
}

impl Brain {
    /// Starts a program (its words are parted by blanks) on a board of this size, and tells it what the `INFO` lines say.
    pub(crate) fn start(command: &str, size: u16, info: &[String]) -> Brain {
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().expect("a program"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let to = child.stdin.take().expect("piped");
        let from = BufReader::new(child.stdout.take().expect("piped"));
        let mut brain = Brain { child, to, from, known: Vec::new() };
        brain.tell(&format!("START {size}"));
        brain.hear(|line| line.starts_with("OK").then_some(()));
        for line in info {
            brain.tell(&format!("INFO {line}"));
        }
        brain
    }

    /// Waits for programs that have answered and do not hear the next command at once.
    fn pause() {
        std::thread::sleep(PAUSE);
    }

    fn tell(&mut self, line: &str) {
        write!(self.to, "{line}\r\n").and_then(|()| self.to.flush()).expect("it listens");
    }

    /// The first line that is an answer; what it says beside that is passed over.
    fn hear<T>(&mut self, answer: impl Fn(&str) -> Option<T>) -> T {
        loop {
            // Programs tell of themselves in encodings of their own.
            let mut line = Vec::new();
            let length = self.from.read_until(b'\n', &mut line).expect("it is heard");
            assert!(length > 0, "it has ended");
            if let Some(answer) = answer(String::from_utf8_lossy(&line).trim()) {
                return answer;
            }
        }
    }

    /// Begins a match.
    pub(crate) fn forget(&mut self) {
        Brain::pause();
        self.tell("RESTART");
        self.hear(|line| line.starts_with("OK").then_some(()));
        self.known.clear();
    }

    /// Its move after these moves.
    pub(crate) fn choose(&mut self, moves: &[Move]) -> Move {
        Brain::pause();
        match moves {
            [] => self.tell("BEGIN"),
            [before @ .., (x, y)] if before == self.known && !before.is_empty() => {
                self.tell(&format!("TURN {x},{y}"));
            }
            _ => {
                self.tell("BOARD");
                for (number, (x, y)) in moves.iter().enumerate() {
                    let own = number % 2 == moves.len() % 2;
                    self.tell(&format!("{x},{y},{}", if own { 1 } else { 2 }));
                }
                self.tell("DONE");
            }
        }
        let answer = self.hear(|line| {
            let (x, y) = line.split_once(',')?;
            Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
        });
        self.known = moves.to_vec();
        self.known.push(answer);
        answer
    }
}

impl Drop for Brain {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
