//! What editors ask of programs in CL and RCL.
//!
//! [`Server`] is a language server without its process: messages in, messages out. It reads no file itself; whoever runs it hands over a
//! [`Disk`]. All that it knows of a text comes from the parser that programs are loaded by
//! ([`Draft`](grandstand_languages::Draft)), and all that it knows of a game from the table of games
//! ([`grandstand_matches::games`]): what is wrong here is wrong when it plays.
//!
//! - [`framing`]: messages on a stream.
//! - [`debug`]: a match that an editor goes through, forwards and backwards.
//! - [`Service`]: what whoever runs a server needs to know of it.
//! - [`Server`]: requests and notifications, one after the other; texts that are open.
//! - `analysis`: what is known of one text; `checks`, `diagnostics`: what is wrong in it; `describe`, `hover`, `definition`, `completion`,
//!   `symbols`: what is asked of it.
//! - `library`: the shipped files that a program may include.
//! - [`fuzz`]: any bytes as a stream of messages.

mod actions;
mod analysis;
mod checks;
mod completion;
pub mod debug;
mod definition;
mod describe;
mod diagnostics;
mod files;
pub mod framing;
pub mod fuzz;
mod hover;
mod keywords;
mod library;
mod position;
mod rpc;
mod server;
mod service;
mod symbols;
mod uri;

pub use self::files::Disk;
pub use self::server::{MAX_DOCUMENTS, MAX_OPEN_BYTES, Server};
pub use self::service::Service;
