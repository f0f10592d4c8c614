//! Listening sockets of a server.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use tokio::net::{TcpListener, TcpSocket};

/// Length of the kernel's queue of connections that are not accepted yet.
const BACKLOG: u32 = 4096;

/// The sockets that a server listens on.
#[derive(Debug, Default)]
pub struct Listeners {
    /// Sockets for text lines.
    pub lines: Vec<TcpListener>,
    /// Sockets for HTTP and websockets.
    pub http: Vec<TcpListener>,
}

/// Reason for which an address can't be listened on.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The address is malformed, or its name is not known.
    #[error("`{address}` is not an address to listen on (expected HOST:PORT): {source}")]
    Address {
        /// The address as given.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another program listens on the address.
    #[error("{0} is in use by another program: stop that, or choose another port")]
    InUse(SocketAddr),
    /// The system refuses to listen on the address.
    #[error("can't listen on {address}: {source}")]
    Refused {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
}

impl Listeners {
    /// Listens on addresses such as `127.0.0.1:3126`, `[::1]:0` or `localhost:3126`. Must be called in a tokio runtime.
    ///
    /// # Errors
    /// [`BindError`] for the first address that fails.
    pub fn bind<A: AsRef<str>>(lines: &[A], http: &[A]) -> Result<Self, BindError> {
        let bind_all = |addresses: &[A]| addresses.iter().map(|a| bind(a.as_ref())).collect::<Result<_, _>>();
        Ok(Self { lines: bind_all(lines)?, http: bind_all(http)? })
    }
}

fn bind(address: &str) -> Result<TcpListener, BindError> {
    let wrong = |source| BindError::Address { address: address.to_owned(), source };
    let resolved = address.to_socket_addrs().map_err(wrong)?;
    let mut last = wrong(io::Error::from(io::ErrorKind::NotFound));
    for address in resolved {
        match listen(address) {
            Ok(listener) => return Ok(listener),
            Err(source) if source.kind() == io::ErrorKind::AddrInUse => {
                return Err(BindError::InUse(address));
            }
            Err(source) => last = BindError::Refused { address, source },
        }
    }
    Err(last)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Allows a restart while the kernel still knows old connections of the port.
    if cfg!(unix) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Raises this process's limit of open files to the hard limit; returns the resulting limit, if it is known.
///
/// Each connection and each recording takes one.
pub fn raise_open_files() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        if limit.current != limit.maximum {
            // An error here shows later, when files run out, and is logged then.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
        }
        getrlimit(Resource::Nofile).current
    }
    #[cfg(not(unix))]
    None
}
