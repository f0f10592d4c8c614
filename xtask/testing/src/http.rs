//! One request of HTTP, and its answer.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::PATIENCE;

/// An answer that has come whole.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its first line and its headers.
    pub head: String,
    /// What follows them.
    pub body: String,
}

impl Answer {
    /// The body as JSON; `null` where it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

/// A request for a path of the server at `address`, which is to close the connection after its answer.
#[must_use]
pub fn get_request(address: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
}

/// Asks for a path.
#[must_use]
pub fn get(address: &str, path: &str) -> Answer {
    exchange(connect(address), &get_request(address, path))
}

/// Posts a JSON body to a path.
#[must_use]
pub fn post(address: &str, path: &str, body: &str) -> Answer {
    let length = body.len();
    exchange(
        connect(address),
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ),
    )
}

/// A connection on which nobody waits for ever.
#[must_use]
pub fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends a request, and reads until the server closes.
pub fn exchange(mut stream: impl Read + Write, request: &str) -> Answer {
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A peer that closes TLS without saying so first is not an error here.
    let _ = stream.read_to_end(&mut answer);
    Answer::parse(&String::from_utf8_lossy(&answer))
}

impl Answer {
    /// Takes the text of an answer apart.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let chunked = head.contains("transfer-encoding: chunked");
        let body = if chunked { unchunk(body) } else { body.to_owned() };
        Self { status, head: head.to_owned(), body }
    }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return whole;
        }
        whole.push_str(&rest[..size]);
        body = &rest[size + 2..];
    }
    panic!("the body is cut off");
}
