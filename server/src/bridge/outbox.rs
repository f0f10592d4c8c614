//! Writer of the text-line port: requests about seats, the only lines that a game server is sent.

use std::convert::Infallible;
use std::io;

use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// Lines on their way to a peer. One that does not take them is not waited for.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    requests: Option<mpsc::Receiver<String>>,
    /// What the peer has not taken yet: of one line.
    unsent: Vec<u8>,
}

impl Outbox {
    pub(super) fn new(requests: mpsc::Receiver<String>) -> Self {
        Self { requests: Some(requests), unsent: Vec::new() }
    }

    /// Sends what there is, for as long as it is polled; nothing is lost when it is dropped.
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
                // It may still draw; who asks something is told that it does not answer.
                Err(_) => (self.requests, self.unsent) = (None, Vec::new()),
            }
        }
    }
}
