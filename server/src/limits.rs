//! How many connections are open, altogether and from one address, and how often an address may ask for something.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use grandstand_players::throttle::Throttle;

/// Addresses that are told apart by [`Rates`].
const ADDRESSES: usize = 1024;

/// So much a second for each address, and for all together that come by loopback: everybody behind a local proxy has the same
/// one, and what a proxy says about them anybody could say.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: u32,
    together: Throttle,
    by_address: HashMap<IpAddr, Throttle>,
}

impl Rates {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        Self { per_second, together: Throttle::new(per_second, now), by_address: HashMap::new() }
    }

    /// Whether one more is within the limit.
    pub(crate) fn admits(&mut self, address: Option<IpAddr>, now: Instant) -> bool {
        let Some(address) = address.and_then(client_address) else { return self.together.admits(now) };
        if self.by_address.len() >= ADDRESSES && !self.by_address.contains_key(&address) {
            self.by_address.retain(|_, throttle| !throttle.is_full(now));
            if self.by_address.len() >= ADDRESSES {
                // Whoever has so many addresses is not held by a limit on each.
                self.by_address.clear();
            }
        }
        let per_second = self.per_second;
        self.by_address.entry(address).or_insert_with(|| Throttle::new(per_second, now)).admits(now)
    }
}

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

/// Counts open connections against two limits. Loopback addresses count only towards the total, since
/// everything behind a local proxy has the same one.
#[derive(Debug)]
pub(crate) struct Gate {
    total: usize,
    per_address: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// Which limit a connection would have passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Full {
    /// Too many altogether.
    #[error("{0} connections are open, as many as allowed")]
    Total(usize),
    /// Too many from this address.
    #[error("{0} connections are open from this address, as many as allowed")]
    Address(usize),
}

/// One open connection; gives its place back when dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    gate: Arc<Gate>,
    address: Option<IpAddr>,
}

impl Gate {
    pub(crate) fn new(total: usize, per_address: usize) -> Arc<Self> {
        Arc::new(Self { total, per_address, open: Mutex::default() })
    }

    /// A place for a connection from `peer`.
    pub(crate) fn enter(self: &Arc<Self>, peer: SocketAddr) -> Result<Permit, Full> {
        let address = client_address(peer.ip());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.total {
            return Err(Full::Total(self.total));
        }
        if let Some(ip) = address {
            let count = open.by_address.entry(ip).or_default();
            if *count >= self.per_address {
                return Err(Full::Address(self.per_address));
            }
            *count += 1;
        }
        open.total += 1;
        Ok(Permit { gate: self.clone(), address })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.gate.open.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn addresses_have_rates_of_their_own() {
        let now = Instant::now();
        let mut rates = Rates::new(1, now);
        let ip = |text: &str| Some(text.parse().unwrap());
        for (first, second) in [
            (None, None),
            (ip("192.0.2.1"), ip("192.0.2.1")),
            (ip("192.0.2.2"), ip("192.0.2.2")),
            (ip("2001:db8::1"), ip("2001:db8::ffff:1")),
            (ip("2001:db8:0:1::1"), ip("2001:db8:0:1::1")),
        ] {
            assert!(rates.admits(first, now) && rates.admits(second, now));
            assert!(!rates.admits(first, now) && !rates.admits(second, now), "{first:?}");
        }
        for n in 0..5000 {
            assert!(rates.admits(Some(Ipv6Addr::from_bits(n << 64).into()), now));
            assert!(rates.by_address.len() <= ADDRESSES);
        }
    }

    #[test]
    fn places_are_counted_and_given_back() {
        let gate = Gate::new(3, 1);
        let peer = |ip: &str| SocketAddr::new(ip.parse().unwrap(), 1);
        let first = gate.enter(peer("192.0.2.1")).unwrap();
        // The same address written as IPv6 is the same address.
        assert_eq!(gate.enter(peer("::ffff:192.0.2.1")).unwrap_err(), Full::Address(1));
        // So is another one of the same network of IPv6, and one of a second network is not.
        let gate_v6 = Gate::new(3, 1);
        let _v6 =
            [gate_v6.enter(peer("2001:db8::1")).unwrap(), gate_v6.enter(peer("2001:db8:0:1::1")).unwrap()];
        assert_eq!(gate_v6.enter(peer("2001:db8::ffff")).unwrap_err(), Full::Address(1));
        let _loopback = [gate.enter(peer("127.0.0.1")).unwrap(), gate.enter(peer("::1")).unwrap()];
        assert_eq!(gate.enter(peer("192.0.2.2")).unwrap_err(), Full::Total(3));
        drop(first);
        let again = gate.enter(peer("192.0.2.1"));
        assert!(again.is_ok());
        drop(again);
        assert!(gate.open.lock().unwrap().by_address.is_empty());
    }
}
