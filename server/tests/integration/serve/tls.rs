//! `https` and `wss` with a self-signed certificate.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use grandstand::{Tls, TlsError};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::Message;

use grandstand_testing::{Folder, PATIENCE};

use super::support::TestServer;

/// A certificate for `localhost` in two files of a directory, and in the form that clients trust.
fn certificate(directory: &Folder) -> (PathBuf, PathBuf, CertificateDer<'static>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (directory.path().join("cert.pem"), directory.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    (certificate, key, made.cert.der().clone())
}

fn trusting(certificate: CertificateDer<'static>) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_root_certificates(roots).with_no_client_auth()).into()
}

#[tokio::test]
async fn pages_and_websockets_are_encrypted() {
    let files = Folder::new();
    let (certificate, key, trusted) = certificate(&files);
    let server = TestServer::with(|config| config.tls = Some(Tls::load(&certificate, &key).unwrap()));
    let connector = trusting(trusted);
    let connect = || async {
        let stream = TcpStream::connect(server.http).await.unwrap();
        connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap()
    };

    let mut stream = connect().await;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    // A connection that ends without a TLS close message is not an error here.
    let _ = stream.read_to_end(&mut answer).await;
    assert!(String::from_utf8_lossy(&answer).ends_with("ok\n"), "{}", String::from_utf8_lossy(&answer));

    let mut lines = server.draw("bsay secret\n").await;
    let id = loop {
        // The list can only be read encrypted, too.
        let mut stream = connect().await;
        stream
            .write_all(b"GET /api/matches HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .await
            .unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        if let Some((_, rest)) = answer.split_once("\"id\":\"") {
            break rest.split('"').next().unwrap().to_owned();
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    let url = format!("wss://localhost/api/matches/{id}/live?since=0");
    let (mut socket, _) = tokio_tungstenite::client_async(url, connect().await).await.unwrap();
    lines.write_all(b"bsay more\n").await.unwrap();
    let mut heard = String::new();
    while !heard.contains("more") {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap();
        heard.push_str(message.to_text().unwrap());
    }
    assert!(heard.starts_with("{\"type\":\"hello\"") && heard.contains("secret"), "{heard}");
}

/// Records are cut and written in parts, also within long frames, and the connection ends as it should.
#[tokio::test]
async fn who_reads_late_by_tls_misses_nothing() {
    const TURNS: u64 = 1_500;
    let files = Folder::new();
    let (certificate, key, trusted) = certificate(&files);
    let server = TestServer::with(|config| {
        config.tls = Some(Tls::load(&certificate, &key).unwrap());
        config.spectators.lag_bytes = u64::MAX;
        config.spectators.stall = PATIENCE;
    });
    let connector = trusting(trusted);
    let connect = || async {
        let stream = TcpStream::connect(server.http).await.unwrap();
        // So small that most of what is written has no room.
        socket2::SockRef::from(&stream).set_recv_buffer_size(64 * 1024).unwrap();
        connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap()
    };
    let mut game = server.draw("turns 1\n").await;
    let id = loop {
        let mut stream = connect().await;
        let request = b"GET /api/matches HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = Vec::new();
        // A connection that ends without a TLS close message is not an error here.
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        if let Some((_, rest)) = answer.split_once("\"id\":\"") {
            break rest.split('"').next().unwrap().to_owned();
        }
    };
    let url = format!("wss://localhost/api/matches/{id}/live?since=0");
    let (mut socket, _) = tokio_tungstenite::client_async(url, connect().await).await.unwrap();
    for turn in 2..=TURNS {
        // Now and then a frame that is longer than a record.
        let long = "x".repeat(if turn % 500 == 0 { 60_000 } else { 1_000 });
        game.write_all(format!("bsay {long}\nturns {turn}\n").as_bytes()).await.unwrap();
    }
    game.write_all(b"#gs result {\"winner\":null,\"termination\":\"score\"}\n").await.unwrap();
    socket.send(Message::Ping("there?".into())).await.unwrap();
    let (mut next, mut last, mut ponged) = (1, 0, false);
    loop {
        match tokio::time::timeout(PATIENCE, socket.next()).await.expect("a message") {
            Some(Ok(Message::Text(text))) => {
                let message: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_ne!(message["type"], "scene", "nothing is left out");
                if message["type"] == "commands" {
                    assert_eq!(message["seq"], next);
                    let commands = message["commands"].as_array().unwrap();
                    next += commands.len() as u64;
                    last = commands.iter().rev().find_map(|c| c["value"].as_u64()).unwrap_or(last);
                }
            }
            Some(Ok(Message::Pong(words))) => ponged = *words == *b"there?",
            Some(Ok(_)) => {}
            // tungstenite reports an end without a close frame as an error.
            Some(Err(error)) => panic!("{error}"),
            None => break,
        }
    }
    assert_eq!((last, next, ponged), (TURNS, 2 * TURNS, true));
    // The encryption was ended too: without it the rest would be an error.
    let rest = socket.get_mut().read(&mut [0]).await.unwrap();
    assert_eq!(rest, 0);
}

#[tokio::test]
async fn a_place_is_taken_until_the_encrypted_connection_is_closed() {
    let files = Folder::new();
    let (certificate, key, trusted) = certificate(&files);
    let server = TestServer::with(|config| {
        config.tls = Some(Tls::load(&certificate, &key).unwrap());
        config.spectators.connections = 4;
    });
    let connector = trusting(trusted);
    // Sends a request, reads until the server has closed its side, and keeps the own side open.
    let ask = async || {
        let stream = TcpStream::connect(server.http).await.ok()?;
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = connector.connect(name, stream).await.ok()?;
        let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(request).await.ok()?;
        let mut answer = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().ok()?;
        answer.ends_with(b"ok\n").then_some(stream)
    };
    let mut kept = Vec::new();
    for _ in 0..12 {
        kept.push(ask().await);
    }
    let answered = kept.iter().flatten().count();
    assert!(answered < 12, "places are given again while connections are open");
    assert!(answered >= 4);
    // A peer that does not close is closed after a while, so that its place becomes free.
    for _ in 0..8 {
        let deadline = tokio::time::Instant::now() + 2 * PATIENCE;
        kept.push(loop {
            let asked = ask().await;
            if asked.is_some() {
                break asked;
            }
            assert!(tokio::time::Instant::now() < deadline, "places stay taken");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        });
    }
}

#[tokio::test]
async fn who_speaks_plain_http_is_told_what_to_use() {
    let files = Folder::new();
    let (certificate, key, _) = certificate(&files);
    let server = TestServer::with(|config| config.tls = Some(Tls::load(&certificate, &key).unwrap()));
    let (status, _, body) = server.get("/").await;
    assert_eq!(status, 400);
    assert!(body.contains("https://"), "{body}");
}

#[test]
fn wrong_files_are_named() {
    let files = Folder::new();
    let (certificate, key, _) = certificate(&files);
    let nothing = files.path().join("nothing.pem");
    let text = files.path().join("text.pem");
    std::fs::write(&text, "no certificate").unwrap();
    for (certificate, key, named) in [
        (&nothing, &key, "nothing.pem"),
        (&certificate, &nothing, "nothing.pem"),
        (&text, &key, "text.pem"),
        (&certificate, &text, "text.pem"),
        // The two files swapped.
        (&key, &certificate, "key.pem"),
    ] {
        let error = Tls::load(certificate, key).unwrap_err();
        assert!(error.to_string().contains(named), "{error}");
    }
    let other = Folder::new();
    let (_, other_key, _) = self::certificate(&other);
    assert!(matches!(Tls::load(&certificate, &other_key), Err(TlsError::Pair(_))));
}
