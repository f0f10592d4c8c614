//! TLS in front of the HTTP port.
//!
//! A connection that begins with a websocket handshake keeps its encryption ([`Transport`](crate::live::transport)). For every
//! other one a task terminates TLS and passes the bytes through a loopback connection to hyper. The task owns the peer's
//! permit, since it ends last.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::limits::connections::Permit;

/// Time limit for the TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Time for which a peer may keep its side open after this side has closed.
const LINGER: Duration = Duration::from_secs(5);
/// Time limit for a peer to take one piece.
const PATIENCE: Duration = Duration::from_secs(30);
/// Size of a forwarded piece, in bytes.
const PIECE: usize = 8 * 1024;
/// First byte of every TLS connection.
const HANDSHAKE_RECORD: u8 = 22;

/// Certificate and key for `https` and `wss` on the HTTP port.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

/// Reason for which a certificate or its key can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read as PEM.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error in it.
        reason: String,
    },
    /// The files are readable, but don't match or are of an unknown kind.
    #[error("the certificate and its key can't be used together: {0}")]
    Pair(#[from] rustls::Error),
}

impl Tls {
    /// Reads a certificate chain, the server's own certificate first, and its key; both are PEM files.
    ///
    /// # Errors
    /// [`TlsError`] naming the file, or saying that the two don't match.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let chain = certificates(certificate)?;
        let key = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)) })
    }

    /// Makes the TLS handshake.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let handshake = async {
            let mut first = [0];
            if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE_RECORD {
                return refuse_plain(stream).await;
            }
            // Frames are written whole, so waiting for more bytes only delays them.
            stream.set_nodelay(true)?;
            self.acceptor.accept(stream).await
        };
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        tokio::time::timeout(HANDSHAKE, handshake).await.map_err(late)?
    }

    /// Makes the TLS handshake, and terminates TLS as [`terminate`] does.
    pub(crate) async fn unwrap(&self, stream: TcpStream, permit: Permit) -> io::Result<TcpStream> {
        terminate(self.accept(stream).await?, permit).await
    }
}

/// Reads the certificates in a PEM file, of which there is one or more.
///
/// # Errors
/// [`TlsError`] naming the file.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| unreadable(path, &error))?;
    if read.is_empty() { Err(unreadable(path, &pem::Error::NoItemsFound)) } else { Ok(read) }
}

fn unreadable(path: &Path, error: &pem::Error) -> TlsError {
    let reason = match error {
        pem::Error::NoItemsFound => "there is no such thing in this PEM file".to_owned(),
        pem::Error::Io(error) => error.to_string(),
        other => format!("not a PEM file: {other}"),
    };
    TlsError::File { path: path.to_owned(), reason }
}

/// Terminates TLS: the returned stream is plain. The permit is kept until the encrypted connection is closed.
pub(crate) async fn terminate(encrypted: TlsStream<TcpStream>, permit: Permit) -> io::Result<TcpStream> {
    let (plain, within) = pair().await?;
    tokio::spawn(async move {
        join(encrypted, within).await;
        drop(permit);
    });
    Ok(plain)
}

/// Forwards bytes between the peer and this server until both have closed, or the peer does not close in time after the
/// server.
async fn join(encrypted: TlsStream<TcpStream>, within: TcpStream) {
    let (from_peer, to_peer) = tokio::io::split(encrypted);
    let (from_us, to_us) = within.into_split();
    let (inwards, outwards) = (pass(from_peer, to_us), pass(from_us, to_peer));
    tokio::pin!(inwards, outwards);
    // In each case both sides are closed, and each knows its own reason.
    tokio::select! {
        // This server answers the end of a connection with its own end, so no limit is needed.
        _ = &mut inwards => drop(outwards.await),
        _ = &mut outwards => drop(tokio::time::timeout(LINGER, inwards).await),
    }
}

/// Forwards bytes in one direction, and then their end.
async fn pass(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let n = from.read(&mut piece).await?;
        let write = async {
            if n == 0 {
                return to.shutdown().await;
            }
            to.write_all(&piece[..n]).await?;
            to.flush().await
        };
        tokio::time::timeout(PATIENCE, write).await??;
        if n == 0 {
            return Ok(());
        }
    }
}

/// Answers a peer that speaks plain HTTP to the encrypted port.
async fn refuse_plain(mut stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    const WORDS: &str = "This port speaks HTTPS: use an address that begins with https://\n";
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{WORDS}",
        WORDS.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // The peer's bytes are read; otherwise the kernel would discard the response.
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    Err(io::Error::new(io::ErrorKind::InvalidData, "plain HTTP on the encrypted port"))
}

/// A loopback connection of this process with itself.
async fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let one = TcpStream::connect(listener.local_addr()?).await?;
    let own = one.local_addr()?;
    loop {
        let (other, peer) = listener.accept().await?;
        // Another program may have connected to the port in the meantime.
        if peer == own {
            one.set_nodelay(true)?;
            other.set_nodelay(true)?;
            return Ok((one, other));
        }
    }
}
