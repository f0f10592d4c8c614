//! Test server, and clients for its ports.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use grandstand::{Config, Listeners, Server};
use grandstand_testing::http::{Answer, get_request};
use grandstand_testing::{Folder, PATIENCE};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, client_async};

pub(crate) struct TestServer {
    pub(crate) server: Server,
    pub(crate) lines: SocketAddr,
    pub(crate) http: SocketAddr,
    pub(crate) data: Folder,
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with(|_| {})
    }

    /// A server with a data directory, and the settings that `change` makes.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::on(Folder::new(), change)
    }

    /// A server on an existing data directory.
    pub(crate) fn on(data: Folder, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config { data: Some(data.path().to_owned()), ..Config::default() };
        change(&mut config);
        let listeners = Listeners::bind(&["127.0.0.1:0"], &["127.0.0.1:0"]).unwrap();
        let server = Server::start(config, listeners, std::future::pending()).unwrap();
        let (lines, http) = (server.line_addresses()[0], server.http_addresses()[0]);
        Self { server, lines, http, data }
    }

    pub(crate) async fn stop(self) -> Folder {
        self.server.stop();
        tokio::time::timeout(PATIENCE, self.server.stopped()).await.expect("the server stops");
        self.data
    }

    /// A connection to the text-line port that has sent `text`.
    pub(crate) async fn draw(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.lines).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    /// Sends a GET request; returns status, head and body.
    pub(crate) async fn get(&self, path: &str) -> (u16, String, String) {
        self.request(&get_request(&self.http.to_string(), path)).await
    }

    /// Sends a raw request, and reads until the server closes.
    pub(crate) async fn request(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.http).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an answer");
        if answer.is_empty() {
            read.unwrap();
        }
        let Answer { status, head, body } = Answer::parse(&String::from_utf8_lossy(&answer));
        (status, head, body)
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        let (status, _, body) = self.get(path).await;
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Waits until the list of matches fulfils a condition; returns it.
    pub(crate) async fn matches(&self, condition: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let list = self.json("/api/matches").await.as_array().unwrap().clone();
            if condition(&list) {
                return list;
            }
            assert!(tokio::time::Instant::now() < deadline, "the list stays {list:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until the newest match has `seq` commands; returns its id.
    pub(crate) async fn newest(&self, seq: u64) -> String {
        let list = self.matches(|list| list.first().is_some_and(|m| m["seq"] == seq)).await;
        list[0]["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn metric(&self, name: &str) -> f64 {
        let (_, _, text) = self.get("/metrics").await;
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}"));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    }

    /// Opens a websocket; `query` is empty or begins with `?`.
    pub(crate) async fn watch(&self, id: &str, query: &str) -> Watcher {
        self.try_watch(id, query, None).await.expect("the websocket opens")
    }

    /// Opens a websocket, or returns the status of the refusal.
    pub(crate) async fn try_watch(
        &self,
        id: &str,
        query: &str,
        origin: Option<&str>,
    ) -> Result<Watcher, u16> {
        let url = format!("ws://{}/api/matches/{id}/live{query}", self.http);
        let mut request = url.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let stream = TcpStream::connect(self.http).await.unwrap();
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Watcher { socket }),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }
}

pub(crate) struct Watcher {
    pub(crate) socket: WebSocketStream<TcpStream>,
}

impl Watcher {
    /// The next JSON message.
    pub(crate) async fn next(&mut self) -> Value {
        match self.next_or_close().await {
            Ok(message) => message,
            Err(close) => panic!("closed: {close:?}"),
        }
    }

    /// The next JSON message, or the close frame.
    pub(crate) async fn next_or_close(&mut self) -> Result<Value, Option<CloseFrame>> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a message");
            match message {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => return Err(frame),
                Some(Ok(_)) => {}
                Some(Err(error)) => panic!("{error}"),
                None => return Err(None),
            }
        }
    }

    /// All messages up to the close.
    pub(crate) async fn rest(&mut self) -> (Vec<Value>, Option<CloseFrame>) {
        let mut messages = Vec::new();
        loop {
            match self.next_or_close().await {
                Ok(message) => messages.push(message),
                Err(close) => return (messages, close),
            }
        }
    }

    /// The commands of `commands` messages up to number `last`, checked for gaps after `since`.
    pub(crate) async fn commands(&mut self, since: u64, last: u64) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = since + 1;
        while next <= last {
            let message = self.next().await;
            next = take_commands(&message, next, &mut all);
        }
        all
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }
}

/// Appends the commands of a message from number `next` on; returns the next number.
pub(crate) fn take_commands(message: &Value, next: u64, all: &mut Vec<Value>) -> u64 {
    assert_eq!(message["type"], "commands", "{message:.200}");
    let first = message["seq"].as_u64().unwrap();
    assert!(first <= next, "a gap: {first} where {next} should come");
    let commands = message["commands"].as_array().unwrap();
    all.extend(commands.iter().skip((next - first) as usize).cloned());
    next.max(first + commands.len() as u64)
}
