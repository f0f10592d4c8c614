//! Listening sockets of a server.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use tokio::net::{TcpListener, TcpSocket};

/// Connections that the kernel may hold for us until they are accepted.
const BACKLOG: u32 = 4096;

/// The sockets that a server listens on.
#[derive(Debug, Default)]
pub struct Listeners {
    /// For text lines.
    pub lines: Vec<TcpListener>,
    /// For HTTP and websockets.
    pub http: Vec<TcpListener>,
}

/// An address can't be listened on.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// It is no address, or its name is not known.
    #[error("`{address}` is not an address to listen on (expected HOST:PORT): {source}")]
    Address {
        /// As it was given.
        address: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// Another program listens there.
    #[error("{0} is in use by another program: stop that, or choose another port")]
    InUse(SocketAddr),
    /// The system refuses it.
    #[error("can't listen on {address}: {source}")]
    Refused {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

impl Listeners {
    /// Listens on addresses such as `127.0.0.1:3126`, `[::1]:0` or `localhost:3126`. Must be called on a runtime.
    ///
    /// # Errors
    /// [`BindError`] for the first that can't be listened on.
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
    // So that a server can be started again while old connections of its port are still known to the kernel.
    if cfg!(unix) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Raises this process's limit of open files as far as the system allows; the limit then, if it is known.
///
/// Each connection and each recording takes one.
pub fn raise_open_files() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        if limit.current != limit.maximum {
            // Whatever is refused here is found out when files run out, and logged then.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
        }
        getrlimit(Resource::Nofile).current
    }
    #[cfg(not(unix))]
    None
}
