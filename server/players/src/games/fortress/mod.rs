//! Steam Fortress with teams that are programs: section 3 of the handout over TCP.
//!
//! - [`spec`], [`options`]: a match before it is played; [`player`]: who plays;
//! - [`live`]: a match in real time: the port, the clock, the programs in their boxes; [`limits`]: what connections may;
//! - [`client`]: a shipped team over TCP.

pub mod client;
pub mod limits;
pub mod live;
pub mod options;
pub mod player;
pub mod spec;
