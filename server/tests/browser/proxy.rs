//! What may stand between a browser and the server: a line that breaks, a server beneath a path, an older program.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Passes connections on to a server.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    /// Whether the line stands.
    line: watch::Sender<bool>,
}

/// Changes to what passes: the bytes to look for, and those to put in their place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rewrite {
    pub(crate) from_browser: Option<(&'static str, &'static str)>,
    pub(crate) from_server: Option<(&'static str, &'static str)>,
}

impl Proxy {
    pub(crate) async fn before(server: SocketAddr, rewrite: Rewrite) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (line, up) = watch::channel(true);
        let rewrite = Arc::new(rewrite);
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                let (up, rewrite) = (up.clone(), rewrite.clone());
                tokio::spawn(async move {
                    // A line that is cut answers as an unplugged one does: not at all.
                    if *up.borrow() {
                        pass_on(browser, server, up, &rewrite).await;
                    }
                });
            }
        });
        Proxy { address, line }
    }

    /// Breaks every connection, and lets none come up.
    pub(crate) fn cut(&self) {
        self.line.send_replace(false);
    }

    /// Lets connections come up again.
    pub(crate) fn restore(&self) {
        self.line.send_replace(true);
    }
}

async fn pass_on(browser: TcpStream, server: SocketAddr, mut up: watch::Receiver<bool>, rewrite: &Rewrite) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (browser_in, browser_out) = browser.into_split();
    let (server_in, server_out) = server.into_split();
    let there = copy(browser_in, server_out, rewrite.from_browser);
    let back = copy(server_in, browser_out, rewrite.from_server);
    tokio::select! {
        () = async { tokio::join!(there, back); } => {}
        _ = up.wait_for(|up| !*up) => {}
    }
}

async fn copy(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    rewrite: Option<(&str, &str)>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(n @ 1..) = from.read(&mut buffer).await {
        let mut bytes = buffer[..n].to_vec();
        if let Some((old, new)) = rewrite {
            bytes = replace(&bytes, old.as_bytes(), new.as_bytes());
        }
        if to.write_all(&bytes).await.is_err() {
            return;
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown().await;
}

fn replace(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, old) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    out
}
