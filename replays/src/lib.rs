//! Replays: the file of a recorded match, and a match's commands in memory, live or recorded.
//!
//! There is no I/O here except on arguments, no clock and no thread, so everything runs in a browser. The file format is
//! described in `REPLAY.md` beside this crate's `Cargo.toml`.
//!
//! | module | contents |
//! | --- | --- |
//! | [`header`], [`writer`] | the first line; writing a file line by line |
//! | [`reader`], [`scan()`] | text in, entries out; a summary of a file without its commands |
//! | [`zst`] | compressed files |
//! | [`replay`] | an open recording, even while its file is still being read: [`Loader`] |
//! | [`log`] | the commands of a match with stored scenes, live or recorded: [`Log`], [`Cursor`] |
//! | [`playback`] | the viewer's position, and how it moves with time: [`Playback`] |
//! | [`diff`] | the differences of two logs, and the correspondence of their moments |
//! | [`marked`] | a copy of a match with additional markers: [`Marked`] |
//! | [`rawlog`] | text logs of a connection, to a replay and back |
//! | [`calendar`] | dates of days |
//! | [`error`] | faults of a file, and the limits |
//! | [`fuzz`] | the bodies of the fuzz targets |
//!
//! ```
//! use std::time::Duration;
//! use grandstand_protocol::{Command, Game, MatchHeader, Micros};
//! use grandstand_replays::{Cursor, Header, Limits, Playback, Replay, Writer};
//!
//! // Record.
//! let mut writer = Writer::new(Vec::new(), &Header::new(Game::Abalone, MatchHeader::default()))?;
//! for (t, line) in [(0, "set B~2 w4"), (300_000, "turns 1"), (600_000, "set B~2 e")] {
//!     writer.command(Micros(t), &Command::parse(Game::Abalone, line.as_bytes()))?;
//! }
//! let file = writer.into_inner();
//!
//! // Replay.
//! let replay = Replay::open(&file, Limits::default())?;
//! let log = replay.log();
//! let (mut playback, mut cursor) = (Playback::new(log), Cursor::new(log));
//! playback.play(log);
//! playback.advance(log, Duration::from_millis(400));
//! cursor.move_to(log, playback.seq());
//! assert_eq!(playback.seq(), 2);
//! assert_eq!(serde_json::to_value(cursor.scene())?["hexes"]["B-2"]["team"], "white");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod calendar;
pub mod diff;
pub mod error;
mod feed;
pub mod fuzz;
pub mod header;
mod line;
pub mod log;
pub mod marked;
pub mod playback;
pub mod rawlog;
pub mod reader;
pub mod replay;
pub mod scan;
pub mod writer;
pub mod zst;

pub use error::{Damage, DamageReason, Limits, OpenError, ZstError};
pub use header::{Header, VERSION};
pub use line::{asked_interval, with_longer_interval};
pub use log::{Cursor, End, Growth, Inserted, Log, Mark};
pub use marked::{Marked, Missing};
pub use playback::{Playback, Speed, State};
pub use reader::{Content, Entry, ReadError, Reader};
pub use replay::{Loader, Replay};
pub use scan::{Scan, ScanError, scan, scan_to_scene};
pub use writer::{Encoder, Writer};
