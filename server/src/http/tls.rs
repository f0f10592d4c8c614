//! TLS in front of the HTTP port.
//!
//! Websockets are written to bare sockets, many at a time; nothing of that changes for an encrypted one. A task of its own
//! takes the encryption off and passes the bytes through a connection within this machine. The peer's place among the
//! connections is that task's, since it ends last.

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

/// How long the beginning of an encrypted connection may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a peer may keep its side of a connection open once ours is closed.
const LINGER: Duration = Duration::from_secs(5);
/// How long a peer may take for one piece of what it is sent.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes passed on at a time.
const PIECE: usize = 8 * 1024;
/// The first byte of every TLS connection.
const HANDSHAKE_RECORD: u8 = 22;

/// A certificate and its key: with these the HTTP port speaks `https` and `wss`.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

/// A certificate or its key can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read as PEM.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The files can be read, but don't fit together or are of a kind that is not known.
    #[error("the certificate and its key can't be used together: {0}")]
    Pair(#[from] rustls::Error),
}

impl Tls {
    /// Reads a certificate with those that vouch for it, the server's own first, and its key; both are PEM files.
    ///
    /// # Errors
    /// [`TlsError`] naming the file, or saying that the two don't fit together.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let failed = |path: &Path, error: &pem::Error| TlsError::File {
            path: path.to_owned(),
            reason: match error {
                pem::Error::NoItemsFound => "there is no such thing in this PEM file".to_owned(),
                pem::Error::Io(error) => error.to_string(),
                other => format!("not a PEM file: {other}"),
            },
        };
        let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect)
            .map_err(|error| failed(certificate, &error))?;
        if chain.is_empty() {
            return Err(failed(certificate, &pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_file(key).map_err(|error| failed(key, &error))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)) })
    }

    /// Takes the encryption off: what the result reads and writes is plain. The permit is kept until the encrypted
    /// connection is closed.
    pub(crate) async fn unwrap(&self, stream: TcpStream, permit: Permit) -> io::Result<TcpStream> {
        let handshake = async {
            let mut first = [0];
            if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE_RECORD {
                return refuse_plain(stream).await;
            }
            // Frames are whole when they come, so waiting for more bytes could only delay them.
            stream.set_nodelay(true)?;
            self.acceptor.accept(stream).await
        };
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let encrypted = tokio::time::timeout(HANDSHAKE, handshake).await.map_err(late)??;
        let (plain, within) = pair().await?;
        tokio::spawn(async move {
            join(encrypted, within).await;
            drop(permit);
        });
        Ok(plain)
    }
}

/// Passes bytes on between a peer and us until both have closed, or we have and the peer does not follow in time.
async fn join(encrypted: TlsStream<TcpStream>, within: TcpStream) {
    let (from_peer, to_peer) = tokio::io::split(encrypted);
    let (from_us, to_us) = within.into_split();
    let (inwards, outwards) = (pass(from_peer, to_us), pass(from_us, to_peer));
    tokio::pin!(inwards, outwards);
    // Whichever way they end, both sides are closed, and each knows its own reason.
    tokio::select! {
        // Our own server answers the end of a connection with its own end, so this needs no limit.
        _ = &mut inwards => drop(outwards.await),
        _ = &mut outwards => drop(tokio::time::timeout(LINGER, inwards).await),
    }
}

/// Passes bytes on in one direction, and then their end.
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

/// Somebody speaks plain HTTP to the encrypted port: says so in that language.
async fn refuse_plain(mut stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    const WORDS: &str = "This port speaks HTTPS: use an address that begins with https://\n";
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{WORDS}",
        WORDS.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // What it sent is read, or the kernel would take our answer back from it.
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    Err(io::Error::new(io::ErrorKind::InvalidData, "plain HTTP on the encrypted port"))
}

/// A connection of this process with itself.
async fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let one = TcpStream::connect(listener.local_addr()?).await?;
    let own = one.local_addr()?;
    loop {
        let (other, peer) = listener.accept().await?;
        // Another program may have found the port in the meantime.
        if peer == own {
            one.set_nodelay(true)?;
            other.set_nodelay(true)?;
            return Ok((one, other));
        }
    }
}
