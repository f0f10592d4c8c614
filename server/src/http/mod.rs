//! The HTTP port.
//!
//! - [`listener`]: reads the first request head of a connection itself: a websocket runs on the bare socket, without
//!   the state of an HTTP library; everything else goes to hyper
//! - [`upgrade`]: the check of websocket requests, and the handshake
//! - [`tls`]: TLS termination, if a certificate is given
//! - [`allowed_hosts`], [`origin`]: the checks of `Host` and `Origin`; [`owners`]: whose programs a token opens
//! - [`routes`]: the routes; [`seats`]: those for players; [`paths`], [`query`]: addresses; [`state`]: shared state
//! - [`response`], [`refusal`]: responses; [`body`], [`streamed`]: responses made piece by piece; [`match_list`],
//!   [`command_range`]: streamed lists of matches and ranges of commands
//! - [`web`]: the web spectator's files, and the page that needs no spectator
//! - [`tournament`]: a tournament as pages and JSON
//! - [`slow_reader`]: the minimum rate at which a response must be read

pub(crate) mod allowed_hosts;
pub(crate) mod body;
pub(crate) mod command_range;
pub(crate) mod listener;
mod match_list;
pub(crate) mod origin;
pub(crate) mod owners;
pub(crate) mod paths;
pub(crate) mod query;
pub(crate) mod refusal;
pub(crate) mod response;
mod routes;
pub(crate) mod seats;
mod slow_reader;
pub(crate) mod state;
mod streamed;
pub(crate) mod tls;
mod tournament;
pub(crate) mod upgrade;
pub(crate) mod web;
