//! What plays a match and needs threads, processes or ports.
//!
//! - [`named_limits`]: limits that options set by their names;
//! - [`throttle`], [`accept`]: how fast a connection is read, and what a listener does when accepting fails;
//! - [`wakeup_latency`]: how late this machine wakes up a thread that waits.

pub mod accept;
pub mod named_limits;
pub mod throttle;
pub mod wakeup_latency;
