//! A server of live matches, for as long as the program runs.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use grandstand_protocol::{Command, Game, Message, Micros};
use tungstenite::WebSocket;

use crate::matches::Lively;

/// A moment of a match for those who watch it: two commands.
const EVERY: Duration = Duration::from_millis(100);
const COMMANDS: usize = 2;

/// A server.
pub(crate) struct Server {
    address: String,
}

impl Server {
    /// A server whose match number n is of one of these games in turn. Its matches go on, or stand where they began.
    pub(crate) fn new<const GAMES: usize>(games: [Lively; GAMES], goes_on: bool) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let games = Arc::new(games);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let games = Arc::clone(&games);
                // Who stops watching ends it.
                std::thread::spawn(move || serve(stream, &*games, goes_on));
            }
        });
        Server { address }
    }

    /// Where match number `n` is.
    pub(crate) fn url(&self, n: usize) -> String {
        format!("http://{}/?match=m{n}", self.address)
    }
}

fn serve(stream: TcpStream, games: &[Lively], goes_on: bool) -> Option<()> {
    let path = path_of(&stream)?;
    let mut socket = tungstenite::accept(stream).ok()?;
    let name = path.split('/').find(|part| part.starts_with('m') && part[1..].parse::<usize>().is_ok())?;
    let number: usize = name[1..].parse().ok()?;
    let Lively { game, set_up, moments } = &games[number % games.len()];
    let hello = format!(
        r#"{{"type":"hello","protocol":1,"match":{{"id":"{name}","game":"{game}","title":"Match {number}","teams":[{{"name":"Alphas","color":"black"}},{{"name":"Betas","color":"white"}}],"state":"live","started":"2026-04-11T12:05:00Z","seq":0,"spectators":2,"result":null}}}}"#
    );
    socket.send(tungstenite::Message::text(hello)).ok()?;
    send(&mut socket, *game, 1, 0, set_up)?;
    let mut seq = set_up.len() as u64;
    let lines: Vec<&String> = moments.iter().flatten().collect();
    // Not all of them at the same time.
    std::thread::sleep(EVERY * (number as u32 % 7) / 7);
    for (n, lines) in (1..).zip(lines.chunks(COMMANDS)) {
        std::thread::sleep(EVERY);
        if goes_on {
            send(&mut socket, *game, seq + 1, n, lines)?;
            seq += lines.len() as u64;
        }
    }
    None
}

/// The path of a request that stays in the socket for who answers it.
fn path_of(stream: &TcpStream) -> Option<String> {
    let mut buffer = [0; 1024];
    loop {
        let count = stream.peek(&mut buffer).ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&buffer[..count]);
        if text.contains("\r\n") || count == buffer.len() {
            return text.split(' ').nth(1).map(str::to_owned);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(
    socket: &mut WebSocket<TcpStream>,
    game: Game,
    seq: u64,
    n: u64,
    lines: &[impl AsRef<str>],
) -> Option<()> {
    let commands = lines.iter().map(|line| Command::parse(game, line.as_ref().as_bytes())).collect();
    let message = Message::Commands { seq, t: Micros(n * EVERY.as_micros() as u64), commands };
    socket.send(tungstenite::Message::text(message.to_json())).ok()
}
