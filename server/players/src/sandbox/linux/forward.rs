//! Forwarder from a port in the program's own network namespace to the server: the program's only way out.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc;
use std::thread;

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use tokio::net::{TcpListener as AsyncListener, TcpSocket, TcpStream};

/// Maximum number of concurrent connections; a team needs six.
const CONNECTIONS: usize = 64;
/// Bytes that the kernel may buffer in each direction of a connection to the server.
const BUFFER_BYTES: u32 = 64 * 1024;

/// Starts a thread that stays in the server's network namespace. Once it receives a listener, it forwards the
/// connections that this accepts to `server`.
///
/// # Errors
/// If the thread can't be started.
pub(super) fn start(server: SocketAddr) -> io::Result<mpsc::Sender<TcpListener>> {
    let (send, receive) = mpsc::channel::<TcpListener>();
    thread::Builder::new().name("forward".to_owned()).spawn(move || {
        let Ok(listener) = receive.recv() else { return };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(carry(listener, server));
        }
    })?;
    Ok(send)
}

async fn carry(listener: TcpListener, server: SocketAddr) {
    let Ok(listener) = AsyncListener::from_std(listener) else { return };
    let mut open = tokio::task::JoinSet::new();
    loop {
        while open.len() >= CONNECTIONS {
            open.join_next().await;
        }
        while open.try_join_next().is_some() {}
        let Ok((mut inside, _)) = listener.accept().await else {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        open.spawn(async move {
            // If the server can't be reached, the connection is closed, which the program sees.
            let Ok(mut outside) = connect(server).await else { return };
            let _ = (inside.set_nodelay(true), outside.set_nodelay(true));
            let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
        });
    }
}

/// Keeps the socket buffers of this thread's network namespace small, since a peer that does not read holds
/// kernel memory with them. A failure is harmless: the kernel's own limits remain.
pub(super) fn narrow() {
    for (name, sizes) in [("tcp_rmem", "4096 65536 131072"), ("tcp_wmem", "4096 16384 131072")] {
        let _ = std::fs::write(format!("/proc/sys/net/ipv4/{name}"), sizes);
    }
}

/// Connects to the server with buffers of [`BUFFER_BYTES`].
async fn connect(server: SocketAddr) -> io::Result<TcpStream> {
    let socket = if server.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_send_buffer_size(BUFFER_BYTES)?;
    socket.set_recv_buffer_size(BUFFER_BYTES)?;
    socket.connect(server).await
}

/// Listens on `port` of the loopback of this thread's network namespace, which is new and has no other
/// interface.
pub(super) fn listen(port: u16) -> io::Result<TcpListener> {
    raise_loopback()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Sets the loopback interface up: `RTM_NEWLINK` for interface 1 with `IFF_UP`, see rtnetlink(7).
fn raise_loopback() -> io::Result<()> {
    const RTM_NEWLINK: u16 = 16;
    const NLMSG_ERROR: u16 = 2;
    const REQUEST_AND_ACKNOWLEDGE: u16 = 5;
    const LOOPBACK: i32 = 1;
    const IFF_UP: u32 = 1;

    let mut message = Vec::with_capacity(32);
    message.extend(32_u32.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend(REQUEST_AND_ACKNOWLEDGE.to_ne_bytes());
    message.extend([0; 8]); // sequence number, sender
    message.extend([0; 4]); // any family, any type
    message.extend(LOOPBACK.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes()); // which flags change

    let socket = rustix::net::socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        None, // that is NETLINK_ROUTE
    )?;
    rustix::net::send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 128];
    let (n, _) = rustix::net::recv(&socket, &mut answer, RecvFlags::empty())?;
    let kind = answer.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes);
    let code = answer.get(16..20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    match (kind, code) {
        (Some(NLMSG_ERROR), Some(0)) if n >= 20 => Ok(()),
        (Some(NLMSG_ERROR), Some(code)) if n >= 20 => Err(io::Error::from_raw_os_error(-code)),
        _ => Err(io::Error::other("the kernel's answer is not understood")),
    }
}
