//! A link between a relay and NATS that can be cut: what is sent over it is swallowed, and no connection is closed.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The link.
pub(crate) struct Link {
    pub(crate) address: SocketAddr,
    cut: Arc<AtomicBool>,
}

impl Link {
    /// A link to the server at an address.
    pub(crate) fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, cut) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        let broken = cut.clone();
        thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(server) else { continue };
                for (mut from, mut to) in [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)]
                {
                    let broken = broken.clone();
                    thread::spawn(move || {
                        let mut bytes = vec![0; 64 << 10];
                        // Once something was swallowed the rest means nothing: it is a connection that the ends give up.
                        let mut swallowed = false;
                        while let Ok(read @ 1..) = from.read(&mut bytes) {
                            swallowed |= broken.load(Ordering::Relaxed);
                            if !swallowed && to.write_all(&bytes[..read]).is_err() {
                                break;
                            }
                        }
                        if !swallowed {
                            // The other side may be gone already.
                            let _ = to.shutdown(std::net::Shutdown::Both);
                        }
                        while swallowed && broken.load(Ordering::Relaxed) {
                            thread::sleep(Duration::from_millis(50));
                        }
                        let _ = to.shutdown(std::net::Shutdown::Both);
                    });
                }
            }
        });
        Self { address, cut }
    }

    pub(crate) fn cut(&self, cut: bool) {
        self.cut.store(cut, Ordering::Relaxed);
    }
}
