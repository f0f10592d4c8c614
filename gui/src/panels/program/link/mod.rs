//! Link to the machine that plays a recording again. Messages go both ways; no frame waits for them.

#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
mod native;
#[cfg(target_arch = "wasm32")]
mod page;

use std::sync::Arc;

use grandstand_replays::{Header, Log};

#[cfg(not(any(feature = "analysis", target_arch = "wasm32")))]
pub(super) use absent::Link;
#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
pub(super) use native::Link;
#[cfg(target_arch = "wasm32")]
pub(super) use page::Link;
#[cfg(target_arch = "wasm32")]
pub(crate) use page::set_worker;

/// Whether this build contains the machine, or has a worker beside it that does.
pub(super) const IS_THERE: bool = cfg!(any(feature = "analysis", target_arch = "wasm32"));

/// A recording for the machine.
#[derive(Debug)]
pub(super) enum Recording {
    /// A recording that the spectator has read.
    Read {
        header: Box<Header>,
        log: Box<Log>,
        /// What bots asked for, line by line.
        asked: Arc<[String]>,
        /// Whether the file was read to its end without damage.
        whole: bool,
    },
    /// A recording to be fetched from a server, with the token of a program's owner.
    Fetched { url: String, token: Option<String> },
}

/// Message of the machine.
#[derive(Debug)]
#[cfg_attr(
    not(any(feature = "analysis", target_arch = "wasm32")),
    expect(dead_code, reason = "a build without the machine receives no message")
)]
pub(super) enum LinkMessage {
    /// An answer, as JSON.
    Answer(String),
    /// The machine could not be started, or has ended: the reason in words.
    Broken(String),
}

/// Stand-in for builds without the machine: it can't be opened.
#[cfg(not(any(feature = "analysis", target_arch = "wasm32")))]
mod absent {
    use super::{LinkMessage, Recording};
    use crate::source::Wake;

    #[derive(Debug)]
    pub(crate) enum Link {}

    impl Link {
        pub(crate) fn open(recording: Recording, wake: Wake) -> Result<Link, String> {
            match recording {
                Recording::Read { header, log, asked, whole } => drop((header, log, asked, whole, wake)),
                Recording::Fetched { url, token } => drop((url, token, wake)),
            }
            Err("This program was built without the machine that plays matches again.".to_owned())
        }

        pub(crate) fn ask(&self, _: String) {
            match *self {}
        }

        pub(crate) fn next(&mut self) -> Option<LinkMessage> {
            match *self {}
        }
    }
}
