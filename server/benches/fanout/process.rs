//! Server processes: their start on a core, and their use of resources.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore};

use crate::cores;

/// Longer than NATS takes to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process, killed on drop.
struct Running(Child);

impl Running {
    /// This program in another role.
    fn role(role: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--serve", role]).stdin(Stdio::piped()).stdout(Stdio::piped());
        Self(command.spawn().unwrap())
    }

    /// The addresses that it prints: of its lines, and of its spectators.
    fn addresses(&mut self) -> [SocketAddr; 2] {
        let mut lines = BufReader::new(self.0.stdout.take().unwrap()).lines();
        [(); 2].map(|()| lines.next().unwrap().unwrap().parse().unwrap())
    }

    fn cpu_secs(&self) -> f64 {
        cores::cpu_secs(self.0.id()).unwrap()
    }

    /// Resident memory, in bytes.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").trim().parse::<f64>().unwrap() * 1024.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server: one process, or an origin with relays and NATS.
pub(crate) struct ServerProcess {
    /// Those that serve spectators.
    showing: Vec<Running>,
    /// The one that takes lines, if it is another.
    origin: Option<Running>,
    _nats: Option<Running>,
    _folder: tempfile::TempDir,
    pub(crate) lines: SocketAddr,
    /// Where spectators connect, in turn.
    pub(crate) http: Vec<SocketAddr>,
    tls: Option<Arc<ClientConfig>>,
}

impl ServerProcess {
    pub(crate) fn start(kind: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let relays = match kind {
            "relay" => 1,
            "relays" => 2,
            _ => 0,
        };
        let nats = (relays > 0 || kind == "nats").then(|| nats(folder.path()));
        if relays > 0 {
            let (nats, url) = nats.unwrap();
            let mut origin = Running::role(&format!("origin={url}"));
            let [lines, _] = origin.addresses();
            let mut showing: Vec<Running> =
                (0..relays).map(|_| Running::role(&format!("shown={url}"))).collect();
            let http = showing.iter_mut().map(|relay| relay.addresses()[1]).collect();
            let origin = Some(origin);
            return Self { showing, origin, _nats: Some(nats), _folder: folder, lines, http, tls: None };
        }
        let (mut role, mut tls) = (kind.to_owned(), None);
        if kind == "tls" {
            let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
            std::fs::write(folder.path().join("cert.pem"), made.cert.pem()).unwrap();
            std::fs::write(folder.path().join("key.pem"), made.signing_key.serialize_pem()).unwrap();
            let mut roots = RootCertStore::empty();
            roots.add(made.cert.der().clone()).unwrap();
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
            tls = Some(Arc::new(config.unwrap().with_root_certificates(roots).with_no_client_auth()));
            role = format!("tls={}", folder.path().display());
        }
        let nats = nats.map(|(nats, url)| {
            role = format!("nats={url}");
            nats
        });
        let mut server = Running::role(&role);
        let [lines, http] = server.addresses();
        Self {
            showing: vec![server],
            origin: None,
            _nats: nats,
            _folder: folder,
            lines,
            http: vec![http],
            tls,
        }
    }

    /// CPU time so far of what serves spectators, in seconds.
    pub(crate) fn cpu_secs(&self) -> f64 {
        self.showing.iter().map(Running::cpu_secs).sum()
    }

    /// CPU time so far of what takes lines, in seconds.
    pub(crate) fn origin_cpu_secs(&self) -> f64 {
        self.origin.as_ref().map_or_else(|| self.cpu_secs(), Running::cpu_secs)
    }

    /// Resident memory of what serves spectators, in bytes.
    pub(crate) fn memory(&self) -> f64 {
        self.showing.iter().map(Running::memory).sum()
    }

    /// A connection of spectator number `index`, which may be encrypted.
    pub(crate) fn connect(&self, index: usize) -> Connection {
        let stream = TcpStream::connect(self.http[index % self.http.len()]).unwrap();
        let tls = self.tls.as_ref().map(|config| {
            let name = ServerName::try_from("localhost").unwrap();
            Box::new(ClientConnection::new(config.clone(), name).unwrap())
        });
        Connection { stream, tls }
    }

    /// The body of an answer of the server of this spectator.
    pub(crate) fn get(&self, spectator: usize, path: &str) -> String {
        let mut connection = self.connect(spectator);
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A TLS connection may end without a close message.
        let _ = connection.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// The value of a metric.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.get(0, "/metrics");
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    }
}

/// A connection, which may be encrypted.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) tls: Option<Box<ClientConnection>>,
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(&mut **tls, &mut self.stream).read(buffer),
            None => self.stream.read(buffer),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(&mut **tls, &mut self.stream).write(bytes),
            None => self.stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(&mut **tls, &mut self.stream).flush(),
            None => Ok(()),
        }
    }
}

/// Whether `nats-server` is there.
pub(crate) fn has_nats() -> bool {
    Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_ok()
}

/// A NATS server with JetStream, and its address.
fn nats(folder: &std::path::Path) -> (Running, String) {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let running = Running::role(&format!("nats-server={}={}", free.port(), folder.join("nats").display()));
    let began = Instant::now();
    while TcpStream::connect(free).is_err() {
        assert!(began.elapsed() < PATIENCE, "nats-server does not listen");
        std::thread::sleep(Duration::from_millis(10));
    }
    (running, format!("nats://{free}"))
}
