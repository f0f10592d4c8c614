//! The HTTP port.
//!
//! - [`listener`]: reads a connection's first request head itself: a websocket is begun on the bare socket, with nothing of
//!   an HTTP library left behind it; everything else goes to hyper
//! - [`upgrade`]: whether a request becomes a websocket, and the handshake
//! - [`tls`]: takes the encryption off, where a certificate is given
//! - [`allowed_hosts`], [`origin`]: by which names the server may be asked, and from which pages
//! - [`routes`]: the routes; [`seats`]: those by which people play; [`paths`], [`query`]: addresses; [`state`]: what routes share
//! - [`response`], [`refusal`]: answers; [`body`], [`streamed`]: those that are made piece by piece; [`match_list`] and [`command_range`]: lists of matches and ranges of
//!   commands as such
//! - [`web`]: the web spectator's files, and the page that needs no spectator
//! - [`tournament`]: a tournament as pages and JSON
//! - [`slow_reader`]: how slowly an answer may be read

pub(crate) mod allowed_hosts;
pub(crate) mod body;
mod command_range;
pub(crate) mod listener;
mod match_list;
pub(crate) mod origin;
pub(crate) mod paths;
pub(crate) mod query;
mod refusal;
mod response;
mod routes;
pub(crate) mod seats;
mod slow_reader;
pub(crate) mod state;
mod streamed;
pub(crate) mod tls;
mod tournament;
pub(crate) mod upgrade;
pub(crate) mod web;
