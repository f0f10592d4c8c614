//! Sources of matches: servers, files and addresses, with all of their failures.
//!
//! Within the spectator only this crate has sockets, files and threads; the rest of it, and the spectator in the terminal, take
//! [`Update`]s from a channel and draw. Natively each source is a thread that ends when its handle is dropped; on the web it is
//! a set of callbacks. Both wake the interface when there is an update, so that it can sleep otherwise.
//!
//! | module | contents |
//! | --- | --- |
//! | [`address`] | targets: servers, matches, files, tournaments, comparisons, and links to a moment with its bookmarks |
//! | [`tournament`] | a server's tournament, updated after every change |
//! | [`errors`] | failures, in words that a viewer can act on |
//! | `follow` | a live match over a websocket: interpretation of the messages, and resumption |
//! | [`open_match`] | an open match: its log, the viewer's position, and what is fetched of it |
//! | `requests` | documents and posts of a server, and what is polled |
//! | `native`, `web` | the same sources with threads and sockets, and in a browser |
//! | [`recordings`] | summary of a recording for lists: players, result, length, last scene |
//! | [`samples`] | recordings built into the program, or beside the page |
//! | [`save`] | files that the viewer saves |

pub mod address;
mod backoff;
pub mod errors;
mod follow;
#[cfg(not(target_arch = "wasm32"))]
mod native;
pub mod open_match;
pub mod recordings;
mod requests;
pub mod samples;
pub mod save;
mod seat_answers;
pub mod tournament;
#[cfg(target_arch = "wasm32")]
mod web;

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use grandstand_protocol::message::MatchId;
use grandstand_protocol::{Command, MatchResult, MatchSummary, Micros, Scene, Seat};
use grandstand_replays::Replay;

pub use open_match::OpenMatch;
pub use seat_answers::Refused;
use seat_answers::parse_answer;

#[cfg(not(target_arch = "wasm32"))]
pub use native::{
    FolderFeed, fetch_recording, files_in, open_file, open_recording, open_sample, recording_after,
    save_seat, saved_seat, target, targets, watch_folder,
};
pub use requests::{get, get_timed, post, watch_list, watch_progress, watch_tournament};
#[cfg(target_arch = "wasm32")]
pub use web::{no_file, open_page_file, open_recording, open_sample, save_seat, saved_seat, set_samples};

use crate::address::{Base, Target};
use crate::errors::SourceError;
use crate::follow::Follower;

/// Implements `Deref` and `DerefMut` of a type to the type of one of its fields.
#[macro_export]
macro_rules! deref_to_field {
    ($type:ty, $field:ident: $target:ty) => {
        impl std::ops::Deref for $type {
            type Target = $target;

            fn deref(&self) -> &$target {
                &self.$field
            }
        }

        impl std::ops::DerefMut for $type {
            fn deref_mut(&mut self) -> &mut $target {
                &mut self.$field
            }
        }
    };
}

/// The longest wait for the beginning of a response.
const PATIENCE: Duration = Duration::from_secs(10);

/// Header of a server's list with its port for game servers.
const FEED_PORT: &str = "grandstand-feed";

/// A callback for new updates, which requests a frame.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// An update from a source.
#[derive(Debug)]
pub enum Update {
    /// The state of the connection to a live match.
    Connection(Connection),
    /// The description of the match.
    Hello(Box<MatchSummary>),
    /// The scene after a command whose predecessors are not available.
    Scene {
        /// The number of that command.
        seq: u64,
        /// The time of that command since the match began.
        t: Micros,
        /// The scene.
        scene: Box<Scene>,
    },
    /// Commands that arrived together; some may be known already.
    Commands {
        /// The number of the first command.
        seq: u64,
        /// The time of the commands since the match began.
        t: Micros,
        /// The commands, in order.
        commands: Vec<Command>,
    },
    /// The current seats.
    Seats(Vec<Seat>),
    /// The end of the match.
    End {
        /// The time of the end since the match began.
        t: Micros,
        /// The result, if the server sent one.
        result: Option<MatchResult>,
    },
    /// The part of a recording that was read so far.
    Recording {
        /// The recording so far.
        replay: Box<Replay>,
        /// The fraction of the file that was read, from 0 to 1; 1 at the end.
        loaded: f32,
    },
    /// The final failure of the source.
    Failed(SourceError),
}

/// The state of the connection to a live match.
#[derive(Debug, Clone, PartialEq)]
pub enum Connection {
    /// The connection is being established.
    Connecting,
    /// The connection is established.
    Connected,
    /// The connection broke; the next attempt follows after a pause.
    Waiting {
        /// The reason of the break.
        trouble: SourceError,
        /// The length of the pause after the break.
        pause: Duration,
    },
}

/// A match or a recording that is being read. Dropping it ends the reading.
#[derive(Debug)]
pub struct Feed {
    /// The updates, in order; closed when no more will come.
    pub updates: Receiver<Update>,
    pub(crate) control: Control,
}

/// The matches of a server, polled repeatedly. Dropping it ends the polling.
#[derive(Debug)]
pub struct Listing {
    /// Each received list, or the failure.
    pub updates: Receiver<Result<Vec<MatchSummary>, SourceError>>,
    /// The port for game servers that came with the last list; 0 if none did.
    pub(crate) feed: Arc<AtomicU16>,
    pub(crate) control: Control,
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{Control, follow};
#[cfg(target_arch = "wasm32")]
pub(crate) use web::{Control, follow};

/// Opens a match of a server from its first command on.
pub fn open_live(base: Base, id: MatchId, wake: Wake) -> Feed {
    follow(Follower::new(base, id), wake)
}

/// Opens a match of a server of which only the present is needed.
pub fn preview_live(base: Base, id: MatchId, wake: Wake) -> Feed {
    follow(Follower::preview(base, id), wake)
}

/// Opens a match from its first command on, or a recording; `None` for a target of several matches.
pub fn open(target: &Target, wake: Wake) -> Option<Feed> {
    match target {
        Target::Match { base, id, .. } => Some(open_live(base.clone(), id.clone(), wake)),
        Target::Recording { url, .. } => Some(open_recording(url.clone(), wake)),
        #[cfg(not(target_arch = "wasm32"))]
        Target::File(path) | Target::Folder(path) => Some(open_file(path.clone(), wake)),
        #[cfg(target_arch = "wasm32")]
        Target::File(path) | Target::Folder(path) => Some(no_file(path)),
        Target::Sample(sample) => Some(open_sample(*sample, wake)),
        Target::Server(_) | Target::Tournament { .. } | Target::Wall(_) | Target::Compare(_) => None,
    }
}

/// Opens a target of which only the present is needed.
pub fn preview(target: &Target, wake: Wake) -> Option<Feed> {
    match target {
        Target::Match { base, id, .. } => Some(preview_live(base.clone(), id.clone(), wake)),
        other => open(other, wake),
    }
}

impl Feed {
    /// Ends the pause before the next attempt to connect.
    pub fn reconnect_now(&self) {
        self.control.hurry();
    }
}

impl Listing {
    /// The server's port for game servers, if it has said it.
    pub fn feed_port(&self) -> Option<u16> {
        Some(self.feed.load(Ordering::Relaxed)).filter(|port| *port != 0)
    }

    /// Requests the list at once.
    pub fn refresh(&self) {
        self.control.hurry();
    }
}
