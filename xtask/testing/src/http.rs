//! HTTP client for one request.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::PATIENCE;

/// A whole response.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    /// The body as JSON; `null` if it is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

/// A GET request for a path of the server at `address`, with `Connection: close`.
#[must_use]
pub fn get_request(address: &str, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
}

/// Sends a GET request.
#[must_use]
pub fn get(address: &str, path: &str) -> Answer {
    exchange(connect(address), &get_request(address, path))
}

/// Sends a POST request with a JSON body.
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

/// A connection with a read timeout.
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
    // A TLS connection that ends without a close message is not an error here.
    let _ = stream.read_to_end(&mut answer);
    Answer::parse(&String::from_utf8_lossy(&answer))
}

impl Answer {
    /// Parses a response.
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
