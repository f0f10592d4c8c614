//! Identity of a client for limits.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The address that identifies a client: an IPv4 address as it is, an IPv6 address without the half that its user
/// chooses; `None` for loopback, since all clients behind a local proxy share it.
pub(crate) fn client_address(address: IpAddr) -> Option<IpAddr> {
    let address = address.to_canonical();
    let network = match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
    };
    (!address.is_loopback()).then_some(network)
}

/// Identity of a client: an address or, since all clients behind a local proxy share one, a connection from loopback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client(SocketAddr);

impl From<SocketAddr> for Client {
    fn from(peer: SocketAddr) -> Self {
        match client_address(peer.ip()) {
            Some(address) => Self(SocketAddr::new(address, 0)),
            None => Self(SocketAddr::new(peer.ip().to_canonical(), peer.port())),
        }
    }
}

impl Client {
    /// The address, unless it is loopback.
    pub(crate) fn address(self) -> Option<IpAddr> {
        client_address(self.0.ip())
    }
}
