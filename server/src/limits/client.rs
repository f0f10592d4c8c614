//! Clients as limits tell them apart.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// An address as limits tell clients apart: one of IPv4 as it is, one of IPv6 without the half that its user chooses; `None`
/// for loopback, since everybody behind a local proxy has the same one.
pub(crate) fn client_address(address: IpAddr) -> Option<IpAddr> {
    let address = address.to_canonical();
    let network = match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
    };
    (!address.is_loopback()).then_some(network)
}

/// Who asks: an address, or, since everything behind a local proxy has the same one, a connection from loopback.
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
    /// The address, if it is not loopback.
    pub(crate) fn address(self) -> Option<IpAddr> {
        client_address(self.0.ip())
    }
}
