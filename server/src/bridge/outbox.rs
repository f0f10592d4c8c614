//! Writer of the text-line port: requests about seats, the only lines sent to a game server.

use std::convert::Infallible;
use std::io;

use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// Lines on their way to a peer. A peer that does not read them does not block its connection.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    requests: Option<mpsc::Receiver<String>>,
    /// Rest of the current line that is not written yet.
    unsent: Vec<u8>,
}

impl Outbox {
    pub(super) fn new(requests: mpsc::Receiver<String>) -> Self {
        Self { requests: Some(requests), unsent: Vec::new() }
    }

    /// Sends the queued lines while it is polled. It is safe to cancel: dropping the future loses nothing.
    pub(super) async fn send(&mut self, stream: &TcpStream) -> Infallible {
        loop {
            if self.unsent.is_empty() {
                let Some(requests) = &mut self.requests else { return std::future::pending().await };
                match requests.recv().await {
                    Some(line) => {
                        self.unsent.extend_from_slice(line.as_bytes());
                        self.unsent.push(b'\n');
                    }
                    None => self.requests = None,
                }
                continue;
            }
            let written = match stream.writable().await {
                Ok(()) => stream.try_write(&self.unsent),
                Err(error) => Err(error),
            };
            match written {
                Ok(n) => drop(self.unsent.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // The peer may still draw; the client of a request is told that the game server does not answer.
                Err(_) => (self.requests, self.unsent) = (None, Vec::new()),
            }
        }
    }
}
