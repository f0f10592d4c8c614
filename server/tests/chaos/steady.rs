//! The match that must not suffer: what it draws, when, and whether it is recorded so.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grandstand_protocol::{Command, Game};
use grandstand_replays::Replay;

pub(crate) const GAME: Game = Game::Abalone;

/// When its commands were drawn.
#[derive(Default)]
pub(crate) struct Steady {
    drawn: Mutex<Vec<Instant>>,
}

impl Steady {
    /// The line of a command; each tells its number, or differs from its neighbours.
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

    /// Draws some 200 commands a second until it is over; how many there were.
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

    /// How long ago a command was drawn.
    pub(crate) fn age(&self, seq: u64) -> Duration {
        let drawn = self.drawn.lock().unwrap().get(seq as usize - 1).copied();
        drawn.unwrap_or_else(|| panic!("command {seq} came before it was drawn")).elapsed()
    }

    /// The recording has every command, in order, and the result.
    pub(crate) fn is_recorded(&self, replay: &Replay, last: u64) {
        let log = replay.log();
        assert_eq!(log.last_seq(), last, "commands in the recording");
        assert!((1..=last).all(|seq| log.command(seq) == Some(Self::command(seq))));
        assert_eq!(replay.result().unwrap().termination.to_string(), "score");
    }
}
