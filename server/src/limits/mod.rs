//! Limits on the resources that clients can use.
//!
//! - [`connections`]: open connections; [`rates`]: requests a second; [`client`]: identity of a client
//! - [`read_turns`]: turns at reading recordings
//! - [`memory`]: memory held on behalf of clients

pub(crate) mod client;
pub(crate) mod connections;
pub(crate) mod memory;
pub(crate) mod rates;
pub(crate) mod read_turns;
