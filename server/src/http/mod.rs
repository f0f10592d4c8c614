//! The HTTP port.
//!
//! - [`front`]: reads a connection's first request head itself: a websocket is begun on the bare socket, with nothing of
//!   an HTTP library left behind it; everything else goes to hyper
//! - [`upgrade`]: whether a request becomes a websocket, and the handshake
//! - [`tls`]: takes the encryption off, where a certificate is given
//! - [`host`], [`origin`]: by which names the server may be asked, and from which pages
//! - [`api`]: the routes; [`seats`]: those by which people play; [`paths`], [`query`]: addresses; [`state`]: what routes share
//! - [`response`], [`refusal`]: answers; [`body`]: streamed ones; [`list`] and [`range`]: lists of matches and ranges of
//!   commands as such
//! - [`pace`]: how slowly an answer may be read

pub(crate) mod api;
pub(crate) mod body;
pub(crate) mod front;
pub(crate) mod host;
mod list;
pub(crate) mod origin;
mod pace;
pub(crate) mod paths;
pub(crate) mod query;
mod range;
mod refusal;
mod response;
pub(crate) mod seats;
pub(crate) mod state;
pub(crate) mod tls;
pub(crate) mod upgrade;
