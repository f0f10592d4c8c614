//! A link between a relay and NATS that can be cut: what is sent over it is swallowed, and no connection is closed.
//!
//! Where this process may do that (root, with iproute2) the relay is in a network namespace of its own, whose device drops all
//! packets; elsewhere the bytes go through this process.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The link.
pub(crate) enum Link {
    Namespace(Namespace),
    Passage(Passage),
}

impl Link {
    /// A link to the server at an address of this machine.
    pub(crate) fn to(server: SocketAddr) -> Self {
        match Namespace::make(server.port()) {
            Some(namespace) => Self::Namespace(namespace),
            None => {
                println!("no network namespace can be made: the link goes through this process");
                Self::Passage(Passage::to(server))
            }
        }
    }

    /// The address of the server beyond the link.
    pub(crate) fn server(&self) -> SocketAddr {
        match self {
            Self::Namespace(namespace) => SocketAddr::new(namespace.address(5), namespace.port),
            Self::Passage(passage) => passage.address,
        }
    }

    /// The address at which the server has to listen, of which the link leads to one.
    pub(crate) fn listens(&self, server: SocketAddr) -> SocketAddr {
        match self {
            Self::Namespace(_) => SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), server.port()),
            Self::Passage(_) => server,
        }
    }

    /// The address of what is on the other side.
    pub(crate) fn other_side(&self, here: SocketAddr) -> SocketAddr {
        match self {
            Self::Namespace(namespace) => SocketAddr::new(namespace.address(2), here.port()),
            Self::Passage(_) => here,
        }
    }

    /// Starts a program on the other side.
    pub(crate) fn command(&self, program: &str) -> Command {
        match self {
            Self::Namespace(namespace) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", &namespace.name, program]);
                command
            }
            Self::Passage(_) => Command::new(program),
        }
    }

    pub(crate) fn cut(&self, cut: bool) {
        match self {
            Self::Namespace(namespace) => namespace.cut(cut),
            Self::Passage(passage) => passage.cut.store(cut, Ordering::Relaxed),
        }
    }
}

/// A network namespace with two devices: by one spectators reach what is in it, by the other it reaches NATS.
pub(crate) struct Namespace {
    name: String,
    /// The third number of its addresses.
    net: u8,
    port: u16,
}

/// Runs a command of words; whether it succeeded.
fn done(words: &str) -> bool {
    let mut words = words.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    let quiet = command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

impl Namespace {
    fn make(port: u16) -> Option<Self> {
        let process = std::process::id();
        let namespace = Self { name: format!("gs{process}"), net: (process % 250) as u8, port };
        let Self { name, net, .. } = &namespace;
        let steps = [
            format!("ip netns add {name}"),
            format!("ip -n {name} link set lo up"),
            format!("ip link add {name}f type veth peer name front netns {name}"),
            format!("ip link add {name}b type veth peer name back netns {name}"),
            format!("ip addr add 10.213.{net}.1/30 dev {name}f"),
            format!("ip addr add 10.213.{net}.5/30 dev {name}b"),
            format!("ip -n {name} addr add 10.213.{net}.2/30 dev front"),
            format!("ip -n {name} addr add 10.213.{net}.6/30 dev back"),
            format!("ip link set {name}f up"),
            format!("ip link set {name}b up"),
            format!("ip -n {name} link set front up"),
            format!("ip -n {name} link set back up"),
            // Whether the way to cut it is there.
            format!("tc qdisc replace dev {name}b root bfifo limit 1"),
            format!("tc qdisc del dev {name}b root"),
        ];
        steps.iter().all(|step| done(step)).then_some(namespace)
    }

    fn address(&self, last: u8) -> IpAddr {
        Ipv4Addr::new(10, 213, self.net, last).into()
    }

    /// A queue with room for no packet drops all of them, in both directions.
    fn cut(&self, cut: bool) {
        let how = if cut { "replace" } else { "del" };
        let kind = if cut { " bfifo limit 1" } else { "" };
        let name = &self.name;
        assert!(done(&format!("tc qdisc {how} dev {name}b root{kind}")));
        assert!(done(&format!("tc -n {name} qdisc {how} dev back root{kind}")));
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // The devices go with it; what failed half-way may not be there.
        let _ = done(&format!("ip link del {}f", self.name));
        let _ = done(&format!("ip link del {}b", self.name));
        let _ = done(&format!("ip netns del {}", self.name));
    }
}

/// A link through this process.
pub(crate) struct Passage {
    address: SocketAddr,
    cut: Arc<AtomicBool>,
}

impl Passage {
    fn to(server: SocketAddr) -> Self {
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
}
