//! Limits on open connections: in total, and per address.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use crate::locked::Locked as _;
use grandstand_players::accept::accept_failed;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tracing::warn;

use super::client::client_address;
use crate::metrics::Counter;
use crate::shutdown::until_stop;

/// Counter of open connections with two limits. Loopback addresses count only towards the total, since all clients
/// behind a local proxy share one.
#[derive(Debug)]
pub(crate) struct ConnectionLimit {
    total: usize,
    per_address: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// The limit that a connection would have passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConnectionsFull {
    /// The total limit.
    #[error("{0} connections are open, as many as allowed")]
    Total(usize),
    /// The limit per address.
    #[error("{0} connections are open from this address, as many as allowed")]
    Address(usize),
}

/// Permit for one open connection; dropping it frees the place.
#[derive(Debug)]
pub(crate) struct Permit {
    gate: Arc<ConnectionLimit>,
    address: Option<IpAddr>,
}

impl ConnectionLimit {
    pub(crate) fn new(total: usize, per_address: usize) -> Arc<Self> {
        Arc::new(Self { total, per_address, open: Mutex::default() })
    }

    /// A permit for a connection from `peer`.
    pub(crate) fn enter(self: &Arc<Self>, peer: SocketAddr) -> Result<Permit, ConnectionsFull> {
        let address = client_address(peer.ip());
        let mut open = self.open.locked();
        if open.total >= self.total {
            return Err(ConnectionsFull::Total(self.total));
        }
        if let Some(ip) = address {
            let count = open.by_address.entry(ip).or_default();
            if *count >= self.per_address {
                return Err(ConnectionsFull::Address(self.per_address));
            }
            *count += 1;
        }
        open.total += 1;
        Ok(Permit { gate: self.clone(), address })
    }
}

/// A port that accepts connections within a limit.
#[derive(Debug)]
pub(crate) struct Port<'a> {
    /// Name of its connections in the log, such as `a text-line connection`.
    pub(crate) connection: &'static str,
    pub(crate) limit: &'a Arc<ConnectionLimit>,
    /// Counter of refused connections.
    pub(crate) refused: &'a Counter,
}

impl Port<'_> {
    /// The next connection within the limit; `None` once the server stops.
    pub(crate) async fn accept(
        &self,
        listener: &TcpListener,
        stopping: &mut watch::Receiver<bool>,
    ) -> Option<(TcpStream, SocketAddr, Permit)> {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = until_stop(stopping) => return None,
            };
            match accepted {
                Ok((stream, peer)) => match self.limit.enter(peer) {
                    Ok(permit) => return Some((stream, peer, permit)),
                    Err(full) => {
                        self.refused.add(1);
                        warn!(%peer, %full, "{} is refused", self.connection);
                    }
                },
                Err(error) => accept_failed(&error).await,
            }
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.gate.open.locked();
        open.total -= 1;
        if let Some(ip) = self.address
            && let Some(count) = open.by_address.get_mut(&ip)
        {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&ip);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_and_given_back() {
        let gate = ConnectionLimit::new(3, 1);
        let peer = |ip: &str| SocketAddr::new(ip.parse().unwrap(), 1);
        let first = gate.enter(peer("192.0.2.1")).unwrap();
        // The same address written as IPv6 is the same address.
        assert_eq!(gate.enter(peer("::ffff:192.0.2.1")).unwrap_err(), ConnectionsFull::Address(1));
        // Addresses in one IPv6 network count as one; a second network is different.
        let gate_v6 = ConnectionLimit::new(3, 1);
        let _v6 =
            [gate_v6.enter(peer("2001:db8::1")).unwrap(), gate_v6.enter(peer("2001:db8:0:1::1")).unwrap()];
        assert_eq!(gate_v6.enter(peer("2001:db8::ffff")).unwrap_err(), ConnectionsFull::Address(1));
        let _loopback = [gate.enter(peer("127.0.0.1")).unwrap(), gate.enter(peer("::1")).unwrap()];
        assert_eq!(gate.enter(peer("192.0.2.2")).unwrap_err(), ConnectionsFull::Total(3));
        drop(first);
        let again = gate.enter(peer("192.0.2.1"));
        assert!(again.is_ok());
        drop(again);
        assert!(gate.open.lock().unwrap().by_address.is_empty());
    }
}
