//! Server and command line: runs, bridges, records and shows matches between bots.
//!
//! - [`games`]: the registry of games; [`peer`]: a connection that a match is drawn over
//! - [`Server`]: a server on given listeners; [`config`]: its settings
//! - [`tournament`]: tournaments: definition, catalogue, runner and reports
//! - [`cli`]: the subcommands of the binary, one module each
//! - [`workers`]: matches in parallel; `player_text`: what the text that names a player tells
//!
//! Inside a server:
//!
//! - `bridge`: text lines in, one connection a match
//! - `hub`: every match: its summary, its scene, its feed of encoded frames
//! - `live`: websockets out, written from the feeds
//! - `recorder`, `recordings`: the writer of replay files, and the directory of the finished ones
//! - `wire`: frames and messages in the form that spectators receive; `match_id`, `timestamp`: ids and times of matches
//! - `http`: the HTTP port, its routes, and the web spectator's files
//! - `nats`: several machines: origins publish their matches, relays show them
//! - `file_names`: names beside others; `locked`: locks without poisoning; `shutdown`: the signal that stops listeners and connections
//! - `limits`: on connections, requests, turns at reading recordings, and memory
//! - `metrics`: counters and their Prometheus text

pub mod cli;
pub mod config;
pub mod fuzz;
pub mod games;
pub mod peer;
pub mod tournament;
pub mod workers;

mod bridge;
mod file_names;
mod html;
mod http;
mod hub;
mod limits;
mod listeners;
mod live;
mod locked;
mod match_id;
mod metrics;
mod nats;
mod player_text;
mod recorder;
mod recordings;
mod server;
mod shutdown;
mod timestamp;
mod wire;

pub use config::Config;
pub use http::owners::Owners;
pub use http::tls::{Tls, TlsError};
pub use listeners::{BindError, Listeners, raise_open_files};
pub use nats::{Link, NatsError, NatsRole, NatsSettings};
pub use recordings::DataDirectoryError;
pub use server::{Server, StartError};
pub use wire::CloseReason;
