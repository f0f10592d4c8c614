//! The steady match: its commands, their times, and the check of its recording.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grandstand_protocol::{Command, Game};
use grandstand_replays::Replay;

pub(crate) const GAME: Game = Game::Abalone;

/// Times at which the commands were drawn.
#[derive(Default)]
pub(crate) struct Steady {
    drawn: Mutex<Vec<Instant>>,
}

impl Steady {
    /// The line of a command; each contains its number, or differs from its neighbours.
    pub(crate) fn line(seq: u64) -> String {
        match seq % 3 {
            0 => format!("turns {seq}"),
            1 => format!("set C~1 b{}", seq % 14 + 1),
            _ => format!("bscore {}", seq % 7),
        }
    }

    pub(crate) fn command(seq: u64) -> Command {
        Command::parse(GAME, Self::line(seq).as_bytes())
    }

    /// Draws about 200 commands a second until `over` is set; returns their number.
    pub(crate) fn draw(&self, lines: SocketAddr, over: &AtomicBool) -> u64 {
        let mut stream = TcpStream::connect(lines).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(b"#gs match {\"title\":\"steady\"}\n").unwrap();
        let mut seq = 0;
        while !over.load(Ordering::Relaxed) {
            let mut text = String::new();
            for _ in 0..=seq % 3 {
                seq += 1;
                text += &Self::line(seq);
                text.push('\n');
                self.drawn.lock().unwrap().push(Instant::now());
            }
            stream.write_all(text.as_bytes()).unwrap();
            std::thread::sleep(Duration::from_millis(10));
        }
        stream.write_all(b"#gs result {\"winner\":\"black\",\"termination\":\"score\"}\n").unwrap();
        seq
    }

    /// Time since a command was drawn.
    pub(crate) fn age(&self, seq: u64) -> Duration {
        let drawn = self.drawn.lock().unwrap().get(seq as usize - 1).copied();
        drawn.unwrap_or_else(|| panic!("command {seq} came before it was drawn")).elapsed()
    }

    /// Checks that the recording has every command in order, and the result.
    pub(crate) fn is_recorded(&self, replay: &Replay, last: u64) {
        let log = replay.log();
        assert_eq!(log.last_seq(), last, "commands in the recording");
        assert!((1..=last).all(|seq| log.command(seq) == Some(Self::command(seq))));
        assert_eq!(replay.result().unwrap().termination.to_string(), "score");
    }
}
