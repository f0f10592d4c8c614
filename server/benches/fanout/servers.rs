//! The measured servers. Each prints the address of its line port and of its websocket port.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt, StreamExt};
use grandstand::{Link, NatsRole, NatsSettings, Tls};
use tokio::io::AsyncBufReadExt;
use tokio::sync::broadcast;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

pub(crate) const KINDS: [&str; 8] =
    ["grandstand", "tls", "relay", "relays", "floor", "floor-json", "tungstenite", "nats"];
/// Those that need `nats-server`.
pub(crate) const WITH_NATS: [&str; 3] = ["relay", "relays", "nats"];

/// Runs a server; `with` is the address of NATS, or the folder of the certificate.
pub(crate) fn serve(kind: &str, with: &str) {
    grandstand::raise_open_files();
    match kind {
        "grandstand" => grandstand(None, None),
        "tls" => grandstand(None, Some(Path::new(with))),
        "origin" => grandstand(Some((with, NatsRole::Origin)), None),
        "shown" => grandstand(Some((with, NatsRole::Relay)), None),
        "nats" => nats(with),
        "nats-server" => nats_server(with),
        "floor" => floor(false),
        "floor-json" => floor(true),
        "tungstenite" => tungstenite(),
        "busy" => busy(),
        _ => panic!("no server `{kind}`"),
    }
}

/// Grandstand, recording into a temporary directory unless it is a relay.
fn grandstand(nats: Option<(&str, NatsRole)>, certificate: Option<&Path>) {
    let data = std::env::temp_dir().join(format!("grandstand-fanout-{}", std::process::id()));
    // A process of this number that was killed may have left one.
    let _ = std::fs::remove_dir_all(&data);
    let mut config = grandstand::Config { data: Some(data.clone()), ..Default::default() };
    config.tls =
        certificate.map(|folder| Tls::load(&folder.join("cert.pem"), &folder.join("key.pem")).unwrap());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        if let Some((url, role)) = nats {
            let (url, name) = (url.to_owned(), "bench".to_owned());
            let settings = NatsSettings { url, credentials: None, certificates: None, role, name };
            config.nats = Some(Link::open(settings).await.unwrap());
            if role == NatsRole::Relay {
                config.data = None;
            }
        }
        let listeners = grandstand::Listeners::bind(&["127.0.0.1:0"], &["127.0.0.1:0"]).unwrap();
        let server = grandstand::Server::start(config, listeners, std::future::pending()).unwrap();
        println!("{}\n{}", server.line_addresses()[0], server.http_addresses()[0]);
        // The parent closes standard input at the end.
        let _ = tokio::task::spawn_blocking(|| std::io::stdin().read(&mut [0])).await;
        let _ = std::fs::remove_dir_all(data);
    });
}

/// Becomes `nats-server`, at a port, with a folder.
fn nats_server(port_and_folder: &str) {
    let (port, folder) = port_and_folder.split_once('=').unwrap();
    let mut command = std::process::Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", port, "-js", "-sd", folder]);
    let error = command.stdout(Stdio::null()).stderr(Stdio::null()).exec();
    panic!("nats-server: {error}");
}

/// Uses half of its core, and more memory than its caches have, as servers of many spectators do.
fn busy() {
    println!("127.0.0.1:1\n127.0.0.1:1");
    let mut memory = vec![0_u8; 32 << 20];
    loop {
        let began = std::time::Instant::now();
        for at in (0..memory.len()).step_by(64) {
            memory[at] = memory[at].wrapping_add(1);
        }
        std::hint::black_box(&memory);
        std::thread::sleep(began.elapsed());
    }
}

/// Publishes lines to the subject `bench` of a NATS server, whose address stands for that of the spectators.
fn nats(url: &str) {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let client = async_nats::connect(url).await.unwrap();
        let lines = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("{}\n{}", lines.local_addr().unwrap(), url.trim_start_matches("nats://"));
        loop {
            let (publisher, _) = lines.accept().await.unwrap();
            let mut lines = tokio::io::BufReader::with_capacity(256 * 1024, publisher).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                client.publish("bench", line.into()).await.unwrap();
            }
        }
    });
}

/// JSON before and after a line's text in a message of one command.
const JSON: [&[u8]; 2] = [
    br#"{"type":"commands","seq":1234,"t":12.345678,"commands":[{"cmd":"say","team":"black","text":""#,
    br#""}]}"#,
];

/// Lower bound for any server: one thread, blocking, one write per socket of the frames that arrived together.
///
/// A frame has a line as it arrived, or with `json` the bytes that Grandstand's protocol makes of it.
fn floor(json: bool) {
    let lines = TcpListener::bind("127.0.0.1:0").unwrap();
    // The standard library's listener has a backlog of 128 connections only.
    let http = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    http.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).unwrap();
    http.listen(4096).unwrap();
    let http = TcpListener::from(http);
    println!("{}\n{}", lines.local_addr().unwrap(), http.local_addr().unwrap());
    let sockets = Arc::new(Mutex::new(Vec::new()));
    let joining = sockets.clone();
    std::thread::spawn(move || {
        for stream in http.incoming() {
            let mut stream: TcpStream = stream.unwrap();
            stream.set_nodelay(true).unwrap();
            let mut head = Vec::new();
            let mut chunk = [0; 1024];
            while !head.ends_with(b"\r\n\r\n") {
                let n = stream.read(&mut chunk).unwrap();
                head.extend_from_slice(&chunk[..n]);
            }
            stream
                .write_all(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x02{}")
                .unwrap();
            joining.lock().unwrap().push(stream);
        }
    });
    for publisher in lines.incoming() {
        let mut publisher = publisher.unwrap();
        let mut chunk = vec![0; 256 * 1024];
        let mut held = Vec::new();
        let mut frames = Vec::new();
        loop {
            let n = publisher.read(&mut chunk).unwrap_or(0);
            if n == 0 {
                break;
            }
            held.extend_from_slice(&chunk[..n]);
            frames.clear();
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', &held) {
                let text = &held[start..end];
                if json {
                    let text = &text["bsay ".len()..];
                    let len = JSON[0].len() + text.len() + JSON[1].len();
                    frames.extend_from_slice(&[0x81, 126, (len >> 8) as u8, len as u8]);
                    [JSON[0], text, JSON[1]].iter().for_each(|part| frames.extend_from_slice(part));
                } else {
                    frames.extend_from_slice(&[0x81, text.len() as u8]);
                    frames.extend_from_slice(text);
                }
                start = end + 1;
            }
            held.drain(..start);
            // Errors of closed sockets are ignored.
            for mut socket in sockets.lock().unwrap().iter() {
                let _ = socket.write_all(&frames);
            }
        }
    }
}

/// tokio-tungstenite in its best configuration: small buffers, and one write for all pending messages.
fn tungstenite() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let lines = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = tokio::net::TcpSocket::new_v4().unwrap();
        http.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let http = http.listen(4096).unwrap();
        println!("{}\n{}", lines.local_addr().unwrap(), http.local_addr().unwrap());
        let (sender, _) = broadcast::channel::<Utf8Bytes>(4096);
        let feed = sender.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = http.accept().await.unwrap();
                tokio::spawn(watch(stream, feed.subscribe()));
            }
        });
        loop {
            let (publisher, _) = lines.accept().await.unwrap();
            let mut lines = tokio::io::BufReader::with_capacity(256 * 1024, publisher).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                // No spectator may lose a line, so the slowest one sets the pace.
                while sender.len() > 2048 {
                    tokio::task::yield_now().await;
                }
                // There may be no spectator.
                let _ = sender.send(line.into());
            }
        }
    });
}

async fn watch(stream: tokio::net::TcpStream, mut feed: broadcast::Receiver<Utf8Bytes>) {
    stream.set_nodelay(true).unwrap();
    let config = WebSocketConfig::default().read_buffer_size(512).write_buffer_size(16 * 1024);
    let Ok(socket) = tokio_tungstenite::accept_async_with_config(stream, Some(config)).await else { return };
    let (mut sink, mut source) = socket.split();
    if sink.send(Message::text("{}")).await.is_err() {
        return;
    }
    loop {
        tokio::select! {
            line = feed.recv() => {
                let mut line = match line {
                    Ok(line) => Some(line),
                    Err(broadcast::error::RecvError::Lagged(_)) => continue,
                    Err(broadcast::error::RecvError::Closed) => return,
                };
                while let Some(text) = line {
                    if sink.feed(Message::Text(text)).await.is_err() {
                        return;
                    }
                    line = feed.try_recv().ok();
                }
                if sink.flush().await.is_err() {
                    return;
                }
            }
            message = source.next() => if !matches!(message, Some(Ok(_))) { return },
        }
    }
}
