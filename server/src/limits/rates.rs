//! Rate limits per address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Instant;

use grandstand_players::throttle::Throttle;

use super::client::client_address;

/// Maximum number of addresses that [`AddressRates`] tracks.
const ADDRESSES: usize = 1024;

/// Rate limit for each address, and one for all loopback connections together: all clients behind a local proxy share
/// that address, and a forwarding header can be forged.
#[derive(Debug)]
pub(crate) struct AddressRates {
    per_second: u32,
    together: Throttle,
    by_address: HashMap<IpAddr, Throttle>,
}

impl AddressRates {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        Self { per_second, together: Throttle::new(per_second, now), by_address: HashMap::new() }
    }

    /// Whether one more request is within the limit.
    pub(crate) fn admits(&mut self, address: Option<IpAddr>, now: Instant) -> bool {
        let Some(address) = address.and_then(client_address) else { return self.together.admits(now) };
        if self.by_address.len() >= ADDRESSES && !self.by_address.contains_key(&address) {
            self.by_address.retain(|_, throttle| !throttle.is_full(now));
            if self.by_address.len() >= ADDRESSES {
                // A limit per address would not stop a client with so many addresses.
                self.by_address.clear();
            }
        }
        let per_second = self.per_second;
        self.by_address.entry(address).or_insert_with(|| Throttle::new(per_second, now)).admits(now)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::*;

    #[test]
    fn addresses_have_rates_of_their_own() {
        let now = Instant::now();
        let mut rates = AddressRates::new(1, now);
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
}
