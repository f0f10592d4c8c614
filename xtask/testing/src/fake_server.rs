//! A server that does what a spectator's test tells it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tungstenite::WebSocket;

/// A server that does what a test tells it, one connection after the other.
#[derive(Debug)]
pub struct FakeServer {
    listener: TcpListener,
}

impl Default for FakeServer {
    fn default() -> Self {
        Self::new()
    }
}

impl FakeServer {
    /// One on a port that the system chooses.
    #[must_use]
    pub fn new() -> FakeServer {
        FakeServer { listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.listener.local_addr().unwrap())
    }

    /// Serves on a thread. `serve` gets the number of the connection, the path that was asked for, and the stream.
    pub fn run(self, serve: impl Fn(usize, &str, TcpStream) + Send + 'static) -> Receiver<String> {
        let (sender, paths) = channel();
        std::thread::spawn(move || {
            for (number, stream) in self.listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let path = peek_path(&stream);
                if sender.send(path.clone()).is_err() {
                    return;
                }
                serve(number, &path, stream);
            }
        });
        paths
    }
}

/// The path of a request that stays in the socket for whoever answers it.
fn peek_path(stream: &TcpStream) -> String {
    let mut buffer = [0; 1024];
    let began = Instant::now();
    loop {
        let count = stream.peek(&mut buffer).unwrap_or(0);
        let text = String::from_utf8_lossy(&buffer[..count]);
        if text.contains("\r\n") || began.elapsed() > Duration::from_secs(5) {
            return text.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Answers a request with a websocket.
#[must_use]
pub fn upgrade(stream: TcpStream) -> WebSocket<TcpStream> {
    tungstenite::accept(stream).unwrap()
}

/// Sends a message.
pub fn send(socket: &mut WebSocket<TcpStream>, text: &str) {
    socket.send(tungstenite::Message::text(text)).unwrap();
}

/// Answers a request, whatever it is.
pub fn respond(mut stream: TcpStream, status: &str, body: &str) {
    let mut request = [0; 2048];
    let _ = stream.read(&mut request);
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all((head + body).as_bytes()).unwrap();
}
