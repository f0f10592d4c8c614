//! HTTP server whose answers a test supplies.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tungstenite::WebSocket;

/// A server that handles one connection after the other, as a test defines.
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
    /// A server on a port that the system chooses.
    #[must_use]
    pub fn new() -> FakeServer {
        FakeServer { listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.listener.local_addr().unwrap())
    }

    /// Serves on a thread, and returns the requested paths. `serve` gets the number of the connection, the path, and
    /// the stream.
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

/// Path of a request; empty if the peer closes the connection before its first line is complete. The request stays in
/// the socket for the handler.
fn peek_path(stream: &TcpStream) -> String {
    let mut buffer = [0; 1024];
    let began = Instant::now();
    loop {
        // Waits for the first bytes; 0 bytes are the end of the connection.
        let count = stream.peek(&mut buffer).unwrap_or(0);
        let text = String::from_utf8_lossy(&buffer[..count]);
        // A peer that closes within the line can't be told from one that is slow.
        let is_stuck = began.elapsed() > Duration::from_secs(5);
        if text.contains("\r\n") || count == 0 || is_stuck {
            return text.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Accepts a websocket.
#[must_use]
pub fn upgrade(stream: TcpStream) -> WebSocket<TcpStream> {
    tungstenite::accept(stream).unwrap()
}

/// Sends a text message.
pub fn send(socket: &mut WebSocket<TcpStream>, text: &str) {
    socket.send(tungstenite::Message::text(text)).unwrap();
}

/// Answers any request.
pub fn respond(mut stream: TcpStream, status: &str, body: &str) {
    let mut request = [0; 2048];
    let _ = stream.read(&mut request);
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all((head + body).as_bytes()).unwrap();
}
