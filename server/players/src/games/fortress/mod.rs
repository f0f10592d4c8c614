//! Steam Fortress with teams that are programs: section 3 of the handout over TCP.
//!
//! - [`spec`], [`options`]: the specification of a match; [`player`]: the players;
//! - [`live`]: a match in real time: the port, the clock, the programs in their sandboxes; [`limits`]: limits on
//!   connections;
//! - [`client`]: a shipped team over TCP.

pub mod client;
pub mod limits;
pub mod live;
pub mod options;
pub mod player;
pub mod spec;
