//! A `nats-server`, and servers that are joined by it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use futures_util::StreamExt as _;
use grandstand::{Config, Link, NatsError, NatsRole, NatsSettings};
use grandstand_testing::process::{Killed, signal};
use grandstand_testing::{Folder, PATIENCE, until_some};
use rustix::process::Signal;
use tokio_tungstenite::tungstenite::Message;

use crate::serve::support::{TestServer, Watcher};

/// The lines that switch JetStream on. Its room is stated: left to itself, the server takes three quarters of what the disk has
/// free, and an account whose limit is above that has no JetStream.
pub(super) fn jetstream(store: &Path) -> String {
    format!("jetstream {{ store_dir: \"{}\", max_file_store: 8GB }}\n", store.display())
}

/// A NATS server with JetStream, in a folder of its own.
pub(crate) struct Nats {
    child: Option<Killed>,
    folder: Folder,
    port: u16,
    config: Option<String>,
}

impl Nats {
    pub(crate) fn start() -> Self {
        Self::with(None)
    }

    /// With this configuration.
    pub(crate) fn with(config: Option<&str>) -> Self {
        let mut nats =
            Self { child: None, folder: Folder::new(), port: 0, config: config.map(str::to_owned) };
        nats.launch();
        nats
    }

    /// Starts it, again at the same port.
    pub(crate) fn launch(&mut self) {
        let path = self.folder.path();
        let mut command = Command::new("nats-server");
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        command.args(["-a", "127.0.0.1", "-p", &port, "--ports_file_dir"]).arg(path);
        let config = self.config.clone().unwrap_or_else(|| jetstream(&path.join("jetstream")));
        std::fs::write(path.join("nats.conf"), config).unwrap();
        command.arg("-c").arg(path.join("nats.conf"));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("nats-server");
        let ports = path.join(format!("nats-server_{}.ports", child.id()));
        self.child = Some(Killed(child));
        self.port = until_some("the port of NATS", || {
            let ports = std::fs::read(&ports).ok()?;
            let ports: serde_json::Value = serde_json::from_slice(&ports).ok()?;
            ports["nats"][0].as_str()?.rsplit(':').next()?.parse().ok()
        });
    }

    /// Kills it, and forgets everything that it had stored.
    pub(crate) fn wipe(&mut self) {
        self.child = None;
        // It may not have stored anything yet.
        let _ = std::fs::remove_dir_all(self.folder.path().join("jetstream"));
    }

    pub(super) fn send(&self, what: Signal) {
        signal(what, self.child.as_ref().unwrap().id());
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(super) async fn link(&self, role: NatsRole, name: &str) -> Result<Link, NatsError> {
        link(self.url(), role, name).await
    }

    /// A server whose matches are published.
    pub(super) async fn origin(&self, name: &str) -> TestServer {
        self.origin_with(name, |_| {}).await
    }

    pub(super) async fn origin_with(&self, name: &str, change: impl FnOnce(&mut Config)) -> TestServer {
        let link = self.link(NatsRole::Origin, name).await.unwrap();
        TestServer::with(|config| {
            config.nats = Some(link);
            change(config);
        })
    }

    /// A server that shows them.
    pub(super) async fn relay(&self) -> TestServer {
        self.relay_with(|_| {}).await
    }

    pub(super) async fn relay_with(&self, change: impl FnOnce(&mut Config)) -> TestServer {
        let link = self.link(NatsRole::Relay, "relay").await.unwrap();
        TestServer::with(|config| {
            config.data = None;
            config.nats = Some(link);
            change(config);
        })
    }
}

/// `grandstand relay` as a process, so that it can be killed.
pub(super) struct RelayProcess {
    child: Killed,
    http: String,
}

impl RelayProcess {
    pub(super) fn start(nats: &Nats) -> Self {
        use std::io::BufRead as _;
        let mut command = crate::program::grandstand();
        command.args(["relay", "--http", "127.0.0.1:0", "--nats"]).arg(nats.url());
        let mut child = Killed(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let http = line.trim().trim_start_matches("http http://").trim_end_matches('/').to_owned();
        Self { child, http }
    }

    /// Opens a websocket as soon as the match is known there.
    pub(super) async fn watch(&self, id: &str, query: &str) -> Watcher {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let stream = tokio::net::TcpStream::connect(&self.http).await.unwrap();
            let url = format!("ws://{}/api/matches/{id}/live{query}", self.http);
            match tokio_tungstenite::client_async(url, stream).await {
                Ok((socket, _)) => return Watcher { socket },
                Err(error) => assert!(tokio::time::Instant::now() < deadline, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub(super) async fn link(url: String, role: NatsRole, name: &str) -> Result<Link, NatsError> {
    let (credentials, certificates) = (None, None);
    Link::open(NatsSettings { url, credentials, certificates, role, name: name.to_owned() }).await
}

/// The next text message as it came.
pub(super) async fn text(watcher: &mut Watcher) -> Option<String> {
    loop {
        match tokio::time::timeout(PATIENCE, watcher.socket.next()).await.expect("a message") {
            Some(Ok(Message::Text(text))) => return Some(text.to_string()),
            Some(Ok(Message::Close(_))) | None => return None,
            Some(Ok(_)) => {}
            Some(Err(error)) => panic!("{error}"),
        }
    }
}

/// All text messages up to the end of the match, as they came; the number of spectators in `hello` aside.
pub(super) async fn texts(watcher: &mut Watcher) -> Vec<String> {
    let mut texts = Vec::new();
    while let Some(text) = text(watcher).await {
        texts.push(text);
    }
    texts
}

/// Waits until a server's list has a match by this id; its entry.
pub(super) async fn listed(server: &TestServer, id: &str) -> serde_json::Value {
    let list = server.matches(|list| list.iter().any(|entry| entry["id"] == id)).await;
    list.into_iter().find(|entry| entry["id"] == id).unwrap()
}

/// Waits for a condition of a server's metric.
pub(super) async fn metric(server: &TestServer, name: &str, condition: impl Fn(f64) -> bool) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let value = server.metric(name).await;
        if condition(value) {
            return;
        }
        assert!(tokio::time::Instant::now() < deadline, "{name} stays {value}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
