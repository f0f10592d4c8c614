//! Proxies between a browser and the server: a connection that breaks, a path prefix, an older version.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use super::stage::Certificate;

/// A proxy that forwards connections to a server.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    /// Whether connections are up.
    line: watch::Sender<bool>,
}

/// Replacements in the forwarded bytes: search bytes and new bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rewrite {
    pub(crate) from_browser: Changes,
    pub(crate) from_server: Changes,
}

type Changes = Vec<(&'static str, &'static str)>;

impl Rewrite {
    pub(crate) fn none() -> Rewrite {
        Rewrite::default()
    }

    pub(crate) fn from_browser(changes: &[(&'static str, &'static str)]) -> Rewrite {
        Rewrite { from_browser: changes.to_vec(), ..Rewrite::default() }
    }

    pub(crate) fn from_server(changes: &[(&'static str, &'static str)]) -> Rewrite {
        Rewrite { from_server: changes.to_vec(), ..Rewrite::default() }
    }
}

impl Proxy {
    pub(crate) async fn before(server: SocketAddr, rewrite: Rewrite) -> Proxy {
        Proxy::start(server, rewrite, None).await
    }

    /// A proxy that speaks https with browsers, and http with the server.
    pub(crate) async fn encrypting(server: SocketAddr, rewrite: Rewrite, certificate: &Certificate) -> Proxy {
        Proxy::start(server, rewrite, Some(certificate.acceptor())).await
    }

    async fn start(server: SocketAddr, rewrite: Rewrite, tls: Option<TlsAcceptor>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (line, up) = watch::channel(true);
        let rewrite = Arc::new(rewrite);
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                let (up, rewrite, tls) = (up.clone(), rewrite.clone(), tls.clone());
                tokio::spawn(async move {
                    // With the connection cut, there is no response, as with an unplugged cable.
                    if !*up.borrow() {
                        return;
                    }
                    match tls {
                        None => pass_on(browser, server, up, &rewrite).await,
                        Some(tls) => {
                            if let Ok(browser) = tls.accept(browser).await {
                                pass_on(browser, server, up, &rewrite).await;
                            }
                        }
                    }
                });
            }
        });
        Proxy { address, line }
    }

    /// Breaks every connection, and accepts none.
    pub(crate) fn cut(&self) {
        self.line.send_replace(false);
    }

    /// Accepts connections again.
    pub(crate) fn restore(&self) {
        self.line.send_replace(true);
    }
}

async fn pass_on(
    browser: impl AsyncRead + AsyncWrite,
    server: SocketAddr,
    mut up: watch::Receiver<bool>,
    rewrite: &Rewrite,
) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (browser_in, browser_out) = tokio::io::split(browser);
    let (server_in, server_out) = server.into_split();
    let there = copy(browser_in, server_out, &rewrite.from_browser);
    let back = copy(server_in, browser_out, &rewrite.from_server);
    tokio::select! {
        () = async { tokio::join!(there, back); } => {}
        _ = up.wait_for(|up| !*up) => {}
    }
}

async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, changes: &Changes) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(n @ 1..) = from.read(&mut buffer).await {
        let mut bytes = buffer[..n].to_vec();
        for (old, new) in changes {
            bytes = replace(&bytes, old.as_bytes(), new.as_bytes());
        }
        if to.write_all(&bytes).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
    // The other side may be closed already.
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
