//! Steam Fortress between programs: section 3 of the handout over TCP, and matches of teams in this process.
//!
//! - [`fixture`]: a match before it is played; [`player`]: who plays;
//! - [`message`]: the messages, one JSON object a line; [`lines`]: bytes cut into lines;
//! - [`referee`]: who may say what and what comes of it, without a socket and without a clock;
//!   [`inputs`]: what happened to it, in a file, and played again;
//! - [`live`]: a match in real time: the port, the clock, the programs in their boxes; [`limits`]: what connections may;
//! - [`team`]: a team written in Rust, and those that are shipped: [`teams`];
//!   [`local`]: a match of two of them on a clock that takes no time; [`client`]: one of them over TCP;
//! - [`outcome`]: how a match ended; [`fuzz`]: the bodies of the fuzz targets.
//!
//! `server/FORTRESS-PROTOCOL.md` is for who writes a team.

pub mod client;
pub mod fixture;
pub mod fuzz;
pub mod inputs;
pub mod limits;
pub mod lines;
pub mod live;
pub mod local;
pub mod message;
pub mod outcome;
pub mod player;
pub mod referee;
pub mod team;
pub mod teams;
