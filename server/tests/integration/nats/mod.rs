//! Origins and relays, joined by a real `nats-server` on loopback: what spectators of a relay see, and faults.

mod faults;
mod live;
mod secure;
mod set_up;
pub(crate) mod support;
