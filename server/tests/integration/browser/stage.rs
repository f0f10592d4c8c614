//! A server process that can be killed and restarted, and a game server that draws on it.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use grandstand_testing::http::{connect, exchange, get_request};
use grandstand_testing::process::Killed;
use grandstand_testing::until;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, StreamOwned};
use serde_json::Value;
use tokio_rustls::TlsAcceptor;

use crate::program::grandstand;

/// A running `grandstand serve`.
pub(crate) struct Server {
    process: Killed,
    pub(crate) lines: SocketAddr,
    pub(crate) http: SocketAddr,
    data: tempfile::TempDir,
    certificate: Option<Certificate>,
}

/// A self-signed certificate for this machine.
pub(crate) struct Certificate {
    files: tempfile::TempDir,
    own: CertificateDer<'static>,
    key: PrivatePkcs8KeyDer<'static>,
}

impl Certificate {
    pub(crate) fn make() -> Certificate {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).unwrap();
        let files = tempfile::tempdir().unwrap();
        std::fs::write(files.path().join("cert.pem"), made.cert.pem()).unwrap();
        std::fs::write(files.path().join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        Certificate { files, own: made.cert.der().clone(), key }
    }

    /// The TLS acceptor of a server with this certificate.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let config = config.unwrap().with_no_client_auth();
        let config = config.with_single_cert(vec![self.own.clone()], self.key.clone_key().into()).unwrap();
        TlsAcceptor::from(Arc::new(config))
    }

    /// A connection of a client that trusts it.
    fn connect(&self, stream: TcpStream) -> StreamOwned<ClientConnection, TcpStream> {
        let mut roots = RootCertStore::empty();
        roots.add(self.own.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let config = config.unwrap().with_root_certificates(roots).with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), stream)
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::start_with(None)
    }

    /// A server with https and wss.
    pub(crate) fn start_encrypted(certificate: Certificate) -> Server {
        Server::start_with(Some(certificate))
    }

    fn start_with(certificate: Option<Certificate>) -> Server {
        let data = tempfile::tempdir().unwrap();
        let any = "127.0.0.1:0".parse().unwrap();
        let (process, lines, http) = spawn(any, any, data.path(), certificate.as_ref());
        Server { process, lines, http, data, certificate }
    }

    /// Kills the process, and restarts it at the same addresses after a pause.
    pub(crate) fn kill_and_restart(&mut self, pause: Duration) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        std::thread::sleep(pause);
        (self.process, self.lines, self.http) =
            spawn(self.lines, self.http, self.data.path(), self.certificate.as_ref());
    }

    /// Whether the page is built into the server.
    pub(crate) fn has_page(&self) -> bool {
        self.get("/").contains("page-")
    }

    /// An address below the page's own, which ends with a slash.
    pub(crate) fn url(&self, rest: &str) -> String {
        let scheme = if self.certificate.is_some() { "https" } else { "http" };
        format!("{scheme}://{}/{rest}", self.http)
    }

    /// The body of a response.
    pub(crate) fn get(&self, path: &str) -> String {
        let address = self.http.to_string();
        let (stream, request) = (connect(&address), get_request(&address, path));
        let answer = match &self.certificate {
            Some(certificate) => exchange(certificate.connect(stream), &request),
            None => exchange(stream, &request),
        };
        answer.body
    }

    /// The newest match.
    pub(crate) fn newest(&self) -> Value {
        serde_json::from_str::<Value>(&self.get("/api/matches")).unwrap()[0].clone()
    }
}

fn spawn(
    lines: SocketAddr,
    http: SocketAddr,
    data: &Path,
    certificate: Option<&Certificate>,
) -> (Killed, SocketAddr, SocketAddr) {
    let mut command = grandstand();
    command.args(["serve", "--legacy", &lines.to_string(), "--http", &http.to_string(), "--data"]).arg(data);
    if let Some(certificate) = certificate {
        let file = |name: &str| certificate.files.path().join(name);
        command.arg("--tls-cert").arg(file("cert.pem")).arg("--tls-key").arg(file("key.pem"));
    }
    let mut process = Killed(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut told = BufReader::new(process.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    let lines = told.next().unwrap().strip_prefix("lines ").unwrap().parse().unwrap();
    let http = told.next().unwrap();
    let (_, http) = http.split_once("://").unwrap();
    (process, lines, http.trim_end_matches('/').parse().unwrap())
}

/// A program that draws a match: two pieces that move and talk.
pub(crate) struct Match {
    stream: TcpStream,
    pub(crate) id: String,
    /// Number of commands sent so far.
    pub(crate) seq: u64,
    turn: u64,
}

impl Match {
    pub(crate) fn begin(server: &Server, title: &str) -> Match {
        let mut stream = TcpStream::connect(server.lines).unwrap();
        stream.set_nodelay(true).unwrap();
        writeln!(stream, "#gs game abalone").unwrap();
        writeln!(
            stream,
            r#"#gs match {{"title": "{title}", "teams": [{{"name": "Ada", "color": "black"}}, {{"name": "Bob", "color": "white"}}]}}"#
        )
        .unwrap();
        let mut begun = Match { stream, id: String::new(), seq: 0, turn: 0 };
        begun.send(&["set C~1 b0", "set G1 w0", "bscore 0", "wscore 0"]);
        let found = server.newest();
        assert_eq!(found["title"], title);
        begun.id = found["id"].as_str().unwrap().to_owned();
        begun.wait_until_recorded(server);
        begun
    }

    /// Sends lines, each of them a command.
    pub(crate) fn send(&mut self, lines: &[&str]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.stream.write_all(text.as_bytes()).unwrap();
        self.seq += lines.len() as u64;
        if self.id.is_empty() {
            // Gives the server time to create the match before the next request.
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// A turn: the black piece moves one hex back or forth, and says the number of the turn.
    pub(crate) fn turn(&mut self) {
        self.turn += 1;
        let (from, to) = if self.turn % 2 == 1 { ("C~1", "C0") } else { ("C0", "C~1") };
        let lines = [
            format!("set {from} e"),
            format!("set {to} b1"),
            format!("turns {}", self.turn),
            format!("bsay turn {}", self.turn),
        ];
        self.send(&lines.each_ref().map(String::as_str));
    }

    /// Waits until the server has received everything that was sent.
    pub(crate) fn wait_until_recorded(&self, server: &Server) {
        let path = format!("/api/matches/{}", self.id);
        until("the server has taken all lines", || {
            serde_json::from_str::<Value>(&server.get(&path)).unwrap()["seq"] == self.seq
        });
    }

    pub(crate) fn finish(mut self) {
        writeln!(self.stream, r#"#gs result {{"winner": "black", "termination": "score"}}"#).unwrap();
    }
}
