//! The HTTP port.
//!
//! - [`front`]: reads a connection's first request head itself: a websocket is begun on the bare socket, with nothing of
//!   an HTTP library left behind it; everything else goes to hyper
//! - [`tls`]: takes the encryption off, where a certificate is given; [`host`]: by which names the server may be asked
//! - [`api`]: the routes; [`seats`]: those by which people play
//! - [`body`]: streamed bodies; [`list`] and [`range`]: lists of matches and ranges of commands as such
//! - [`pace`]: how slowly an answer may be read

pub(crate) mod api;
pub(crate) mod body;
pub(crate) mod front;
pub(crate) mod host;
mod list;
mod pace;
mod range;
pub(crate) mod seats;
pub(crate) mod tls;
