//! Every setting of the server, with its default.
//!
//! The table of the same settings for operators is in `server/HTTP.md`.

use std::path::PathBuf;
use std::time::Duration;

use crate::http::tls::Tls;

/// The settings of a server. `Config::default()` is what `grandstand serve` runs with, save `data`.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Directory of the replays; without one nothing is recorded and a match lives as long as the process.
    pub data: Option<PathBuf>,
    /// Limits on those who send text lines.
    pub lines: LineLimits,
    /// Limits on those who watch, and how frames reach them.
    pub spectators: SpectatorLimits,
    /// Limits on those who play over HTTP.
    pub seats: SeatLimits,
    /// Limits on what a match keeps in memory and on disk.
    pub history: HistoryLimits,
    /// Origins, such as `https://example.org`, that may open websockets besides the server's own host.
    pub allow_origins: Vec<String>,
    /// The certificate with which the HTTP port speaks `https` and `wss`; without one it speaks `http` and `ws`.
    pub tls: Option<Tls>,
    /// Whether `/replay` includes the sources of the programs that played.
    pub publish_programs: bool,
}

/// Limits on the text-line port. Past one, the log says so and that connection alone is closed.
#[derive(Debug, Clone)]
pub struct LineLimits {
    /// Longest line in bytes without its end. Default 65,536.
    pub line_bytes: usize,
    /// Lines a second that one connection may send for long; above it the connection is read more slowly,
    /// never closed. Default 4,000,000.
    pub lines_per_second: u32,
    /// Open connections altogether. Default 1,024.
    pub connections: usize,
    /// Open connections from one address that is not loopback. Default 64.
    pub connections_per_address: usize,
    /// How long a peer may stay without having begun a match. Default 60 s.
    pub first_line: Duration,
    /// How long a match may stay without a line; then it is interrupted. Default 1 h.
    pub idle: Duration,
}

impl Default for LineLimits {
    fn default() -> Self {
        Self {
            line_bytes: 64 * 1024,
            lines_per_second: 4_000_000,
            connections: 1_024,
            connections_per_address: 64,
            first_line: Duration::from_secs(60),
            idle: Duration::from_secs(3600),
        }
    }
}

/// Limits on the HTTP port and its websockets.
#[derive(Debug, Clone)]
pub struct SpectatorLimits {
    /// Open connections altogether. Default 16,384.
    pub connections: usize,
    /// Open connections from one address that is not loopback. Default 256.
    pub connections_per_address: usize,
    /// Longest request head in bytes. Default 16,384.
    pub head_bytes: usize,
    /// How long a request's head may take to arrive, and its body. Default 10 s.
    pub head: Duration,
    /// Longest websocket frame, message or request's body that a spectator may send, in bytes. Default 4,096.
    pub inbound_bytes: usize,
    /// Messages that a spectator may send in ten seconds, pongs aside. Default 100.
    pub inbound_messages: u32,
    /// Silence after which a spectator is sent a ping. Default 20 s.
    pub ping: Duration,
    /// Silence after which a spectator is closed. Default 60 s.
    pub idle: Duration,
    /// How long a socket may accept nothing while frames wait for it. Default 10 s.
    pub stall: Duration,
    /// Bytes that a spectator may lag behind before it is moved on to a fresh scene. Default 1 MiB.
    pub lag_bytes: u64,
    /// Size asked of the kernel for each spectator's send buffer; Linux doubles it. Default 128 KiB.
    pub send_buffer_bytes: usize,
    /// Shortest time between the starts of two rounds of writing while they follow each other without a
    /// pause. An idle feed is written at once. Default 5 ms.
    pub round: Duration,
    /// Spectators of one match that one task writes to, before a further task (up to the number of worker
    /// threads) takes the next ones. Default 2,048.
    pub per_broadcaster: usize,
    /// Spectators that may read a compressed recording over a websocket at the same time. Default 64.
    pub archive_readers: usize,
}

impl Default for SpectatorLimits {
    fn default() -> Self {
        Self {
            connections: 16_384,
            connections_per_address: 256,
            head_bytes: 16 * 1024,
            head: Duration::from_secs(10),
            inbound_bytes: 4 * 1024,
            inbound_messages: 100,
            ping: Duration::from_secs(20),
            idle: Duration::from_secs(60),
            stall: Duration::from_secs(10),
            lag_bytes: 1024 * 1024,
            send_buffer_bytes: 128 * 1024,
            round: Duration::from_millis(5),
            per_broadcaster: 2_048,
            archive_readers: 64,
        }
    }
}

/// Limits on those who play over HTTP.
#[derive(Debug, Clone)]
pub struct SeatLimits {
    /// Requests a second that each holder of a seat may make for long, and all others in a match together. Default 10.
    pub per_second: u32,
    /// How long a game server may take for an answer. Default 5 s.
    pub answer: Duration,
}

impl Default for SeatLimits {
    fn default() -> Self {
        Self { per_second: 10, answer: Duration::from_secs(5) }
    }
}

/// Limits on the history of one match.
#[derive(Debug, Clone)]
pub struct HistoryLimits {
    /// Bytes of encoded frames kept in memory; what is older is read from the replay file. Default 4 MiB.
    pub memory_bytes: usize,
    /// Bytes that may wait for a slow disk before the recording of a match is given up. Default 64 MiB.
    pub unwritten_bytes: usize,
    /// Finished matches without a recording that stay in memory, newest first. Default 16.
    pub unrecorded_matches: usize,
    /// Whether a recording is compressed to `.replay.zst` once its match is over. Default yes.
    pub compress: bool,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 4 * 1024 * 1024,
            unwritten_bytes: 64 * 1024 * 1024,
            unrecorded_matches: 16,
            compress: true,
        }
    }
}

/// A limit that was asked for by name can't be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// There is no `=` in it.
    #[error("`{0}` is not NAME=VALUE")]
    Form(String),
    /// No limit has that name.
    #[error("there is no limit `{0}`; the limits are {names}", names = LIMIT_NAMES.join(", "))]
    Name(String),
    /// The value is not a number above zero.
    #[error("`{value}` is not a value of {name}: expected a whole number above zero")]
    Value {
        /// The limit.
        name: String,
        /// The value.
        value: String,
    },
}

/// The names that [`Config::set_limit`] knows.
const LIMIT_NAMES: [&str; 21] = [
    "line-bytes",
    "lines-per-second",
    "line-connections",
    "line-connections-per-address",
    "first-line-secs",
    "line-idle-secs",
    "http-connections",
    "http-connections-per-address",
    "head-bytes",
    "head-secs",
    "inbound-bytes",
    "inbound-messages",
    "ping-secs",
    "idle-secs",
    "stall-secs",
    "lag-bytes",
    "seat-requests-per-second",
    "seat-answer-secs",
    "history-bytes",
    "unwritten-bytes",
    "archive-readers",
];

impl Config {
    /// Sets a limit from `NAME=VALUE`, as on the command line. Times are in seconds.
    ///
    /// # Errors
    /// [`LimitError`] says what is wrong with it.
    pub fn set_limit(&mut self, setting: &str) -> Result<(), LimitError> {
        let (name, text) = setting.split_once('=').ok_or_else(|| LimitError::Form(setting.to_owned()))?;
        let wrong = || LimitError::Value { name: name.to_owned(), value: text.to_owned() };
        let number = || text.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(wrong);
        let size = || number().map(|n| n as usize);
        let secs = || number().map(|n| Duration::from_secs(n.into()));
        let (lines, spectators, history) = (&mut self.lines, &mut self.spectators, &mut self.history);
        match name {
            "line-bytes" => lines.line_bytes = size()?,
            "lines-per-second" => lines.lines_per_second = number()?,
            "line-connections" => lines.connections = size()?,
            "line-connections-per-address" => lines.connections_per_address = size()?,
            "first-line-secs" => lines.first_line = secs()?,
            "line-idle-secs" => lines.idle = secs()?,
            "http-connections" => spectators.connections = size()?,
            "http-connections-per-address" => spectators.connections_per_address = size()?,
            "head-bytes" => spectators.head_bytes = size()?,
            "head-secs" => spectators.head = secs()?,
            "inbound-bytes" => spectators.inbound_bytes = size()?,
            "inbound-messages" => spectators.inbound_messages = number()?,
            "ping-secs" => spectators.ping = secs()?,
            "idle-secs" => spectators.idle = secs()?,
            "stall-secs" => spectators.stall = secs()?,
            "lag-bytes" => spectators.lag_bytes = u64::from(number()?),
            "seat-requests-per-second" => self.seats.per_second = number()?,
            "seat-answer-secs" => self.seats.answer = secs()?,
            "history-bytes" => history.memory_bytes = size()?,
            "unwritten-bytes" => history.unwritten_bytes = size()?,
            "archive-readers" => spectators.archive_readers = size()?,
            _ => return Err(LimitError::Name(name.to_owned())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_limit_can_be_set() {
        for name in LIMIT_NAMES {
            let mut config = Config::default();
            let before = format!("{config:?}");
            assert_eq!(config.set_limit(&format!("{name}=7777")), Ok(()));
            assert_ne!(format!("{config:?}"), before, "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |setting: &str| Config::default().set_limit(setting).unwrap_err().to_string();
        assert!(error("lines").contains("not NAME=VALUE"));
        assert!(error("colour=3").contains("there is no limit `colour`; the limits are line-bytes, "));
        for value in ["0", "-1", "x", "", "99999999999"] {
            assert!(error(&format!("stall-secs={value}")).contains("not a value of stall-secs"));
        }
    }
}
