//! Language server and debug adapter for programs in CL and RCL.
//!
//! [`Server`] is a language server without its process: it takes and returns messages. It reads no files itself; the
//! caller passes a [`Disk`]. Texts are parsed by the parser that loads programs
//! ([`Draft`](grandstand_languages::Draft)), and facts about games come from the table of games
//! ([`grandstand_matches::games`]). The diagnostics therefore agree with the program loader.
//!
//! - [`framing`]: messages on a stream.
//! - [`debug`]: debug adapter.
//! - [`Service`]: interface of both servers for the caller.
//! - [`Server`]: requests and notifications in order; open texts.
//! - `analysis`: analysis of one text; `checks`, `diagnostics`: its problems; `describe`, `hover`, `definition`,
//!   `completion`, `symbols`: answers to requests.
//! - `library`: shipped files that a program may include.
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
