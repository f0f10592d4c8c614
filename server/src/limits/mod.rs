//! Limits on what others can make this server hold or do.
//!
//! - [`connections`]: open connections; [`rates`]: requests a second; [`client`]: whom they are counted for
//! - [`read_turns`]: turns at reading recordings
//! - [`memory`]: memory that is held for others

pub(crate) mod client;
pub(crate) mod connections;
pub(crate) mod memory;
pub(crate) mod rates;
pub(crate) mod read_turns;
