//! Tests of servers with TLS: the window trusts the certificates in the file of `SSL_CERT_FILE` and no others.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;

use eframe::egui::Vec2;
use grandstand_testing::{Folder, commands, hello, summary};
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::support::{wait_for, window};

/// URL that the inner process opens, and the text that it waits for.
const URL: &str = "GRANDSTAND_TEST_URL";
const WORDS: &str = "GRANDSTAND_TEST_WORDS";

type Stream = StreamOwned<ServerConnection, TcpStream>;

/// Starts a server with this certificate and returns its port.
fn serve(config: &Arc<ServerConfig>, answer: fn(Stream)) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let config = Arc::clone(config);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            std::thread::spawn(move || answer(StreamOwned::new(connection, stream)));
        }
    });
    port
}

fn serve_match(stream: Stream) {
    // A client that does not trust the certificate disconnects.
    let Ok(mut socket) = tungstenite::accept(stream) else { return };
    for message in [hello("live"), commands(1, 9)] {
        socket.send(tungstenite::Message::text(message)).expect("sent");
    }
    while socket.read().is_ok() {}
}

fn serve_list(mut stream: Stream) {
    let (mut request, mut bytes) = (Vec::new(), [0; 1024]);
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut bytes) {
            Ok(count) if count > 0 => request.extend_from_slice(&bytes[..count]),
            _ => return,
        }
    }
    let list = format!("[{}]", summary("m1", "live", "The secret match"));
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", list.len());
    stream.write_all((head + &list).as_bytes()).expect("sent");
    stream.conn.send_close_notify();
    stream.flush().expect("sent");
}

/// With the environment variables, opens one address. Without them, runs itself with each environment in turn.
#[test]
fn matches_and_lists_come_over_https_from_who_is_trusted() {
    if let (Ok(url), Ok(words)) = (std::env::var(URL), std::env::var(WORDS)) {
        let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
        wait_for(&mut app, &words);
        return;
    }
    let folder = Folder::new();
    let certificate = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (own, another) = (certificate(), certificate());
    let file = folder.file("own.pem", own.cert.pem());
    let other = folder.file("another.pem", another.cert.pem());
    let key = PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key.into())
        .expect("a key");
    let config = Arc::new(config);
    let (game, list) = (serve(&config, serve_match), serve(&config, serve_list));
    let (game, list) = (format!("https://localhost:{game}/?match=m1"), format!("https://localhost:{list}/"));
    for (url, trusted, words) in [
        (&game, &file, "Line 9 of 9"),
        (&list, &file, "The secret match"),
        (&game, &other, "Not trusted"),
        (&list, &other, "Not trusted"),
    ] {
        // The trusted certificates come from the environment, which all threads of a process share.
        let mut inside = Command::new(std::env::current_exe().expect("this program"));
        inside
            .args(["--exact", "encrypted::matches_and_lists_come_over_https_from_who_is_trusted"])
            .env(URL, url)
            .env(WORDS, words);
        let output =
            inside.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{url}: {words}: {said}");
    }
}
