//! Sources of matches: servers, files and addresses, and every way in which they can fail to come.
//!
//! This crate alone of the spectator has sockets, files and threads; the rest of it, and the spectator in the terminal, take
//! [`Update`]s from a channel and draw. Natively each source is a thread that ends when its handle is dropped; on the web it is
//! a handful of callbacks. Both wake the interface when there is something to take, so that it sleeps otherwise.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`address`] | what can be opened: servers, matches, files, tournaments, comparisons, and links to a moment with its bookmarks |
//! | [`tournament`] | a server's tournament as it tells it, again whenever something changed |
//! | [`errors`] | what went wrong, in words that a viewer can act on |
//! | `follow` | a live match over a websocket: what each message means, and where to take it up again |
//! | [`open_match`] | a match that is open: its log, the place in it, what is fetched of it |
//! | `native`, `web` | the same sources with threads and sockets, and in a browser |
//! | [`save`] | files that the viewer takes along |

pub mod address;
mod backoff;
pub mod errors;
mod follow;
#[cfg(not(target_arch = "wasm32"))]
mod native;
pub mod open_match;
pub mod save;
mod seat_answers;
pub mod tournament;
#[cfg(target_arch = "wasm32")]
mod web;

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use grandstand_protocol::{Command, MatchResult, Micros, Scene, Seat, Summary};
use grandstand_replays::Replay;

pub use open_match::OpenMatch;
pub use seat_answers::Refused;
use seat_answers::parse_answer;

#[cfg(not(target_arch = "wasm32"))]
pub use native::{
    Folder, files_in, get, open_file, open_live, open_recording, post, preview_live, recording_after,
    save_seat, saved_seat, target, targets, watch_list,
};
#[cfg(target_arch = "wasm32")]
pub use web::{
    get, no_file, open_live, open_page_file, open_recording, post, preview_live, save_seat, saved_seat,
    watch_list,
};

use crate::address::Target;
use crate::errors::Trouble;

/// Called when there is something to take: asks for a frame.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// What a source has to tell.
#[derive(Debug)]
pub enum Update {
    /// How the connection to a live match fares.
    Connection(Connection),
    /// Which match this is.
    Hello(Box<Summary>),
    /// The picture after a command, where the commands before it are not at hand.
    Scene {
        /// The number of that command.
        seq: u64,
        /// When it came, since the match began.
        t: Micros,
        /// The picture.
        scene: Box<Scene>,
    },
    /// Commands that arrived together; some of them may be known already.
    Commands {
        /// The number of the first.
        seq: u64,
        /// When they came, since the match began.
        t: Micros,
        /// In their order.
        commands: Vec<Command>,
    },
    /// Who may play now.
    Seats(Vec<Seat>),
    /// The match is over.
    End {
        /// When it ended, since it began.
        t: Micros,
        /// How, where its server says it.
        result: Option<MatchResult>,
    },
    /// A recording as far as it has been read, and how much of the file that is, from 0 to 1.
    Recording {
        /// What has been read.
        replay: Box<Replay>,
        /// How much of the file that is; 1 when it is all there is.
        loaded: f32,
    },
    /// Nothing more will come, and why.
    Failed(Trouble),
}

/// How the connection to a live match fares.
#[derive(Debug, Clone, PartialEq)]
pub enum Connection {
    /// It is being made.
    Connecting,
    /// What happens arrives.
    Connected,
    /// It broke; the next attempt comes after the pause.
    Waiting {
        /// Why it broke.
        trouble: Trouble,
        /// How long after the break.
        pause: Duration,
    },
}

/// A match or a recording that is being read. Dropping it ends the reading.
#[derive(Debug)]
pub struct Feed {
    /// What it tells, in order; closed when nothing more will come.
    pub updates: Receiver<Update>,
    pub(crate) control: Control,
}

/// The matches of a server, asked for again and again. Dropping it ends that.
#[derive(Debug)]
pub struct Listing {
    /// Each list that came, or why none did.
    pub updates: Receiver<Result<Vec<Summary>, Trouble>>,
    pub(crate) control: Control,
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::Control;
#[cfg(target_arch = "wasm32")]
pub(crate) use web::Control;

/// Opens a match, from its first command on, or a recording; `None` for what is several of them.
pub fn open(target: &Target, wake: Wake) -> Option<Feed> {
    match target {
        Target::Match { base, id, .. } => Some(open_live(base.clone(), id.clone(), wake)),
        Target::Recording { url, .. } => Some(open_recording(url.clone(), wake)),
        #[cfg(not(target_arch = "wasm32"))]
        Target::File(path) => Some(open_file(path.clone(), wake)),
        #[cfg(target_arch = "wasm32")]
        Target::File(path) => Some(no_file(path)),
        Target::Server(_) | Target::Tournament { .. } | Target::Wall(_) | Target::Compare(_) => None,
    }
}

/// Opens the same where the present is enough.
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
    /// Asks for the list at once.
    pub fn refresh(&self) {
        self.control.hurry();
    }
}
