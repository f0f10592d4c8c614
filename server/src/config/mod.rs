//! Settings of the server, with their defaults.
//!
//! The table of the same settings for operators is in `server/HTTP.md`.

#[cfg(test)]
mod limit_tables;

use std::path::PathBuf;
use std::time::Duration;

use crate::http::tls::Tls;
use grandstand_players::named_limits::{Limit, NamedLimits};

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
    /// Names, such as `wall.example.org`, under which the HTTP port may be asked besides addresses in numbers, `localhost`,
    /// the machine's own name (with `.local` too) and the hosts of `allow_origins`.
    pub allow_hosts: Vec<String>,
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
    /// Lines of one connection that are not understood and told to the log one by one; the rest are counted. Default 10.
    pub unknown_logged: u32,
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
            unknown_logged: 10,
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
    /// Readings from recordings at the same time, for answers and websockets alike; clients take turns. Default 8.
    pub archive_readers: usize,
    /// Bytes a second that who reads an answer has to take. Default 4,096.
    pub read_bytes_per_second: u32,
    /// Over how long that is measured, about. Default 30 s.
    pub read: Duration,
    /// Bytes that summaries and places of recordings, encoded pictures and answers may take together. Default 256 MiB.
    pub memory_bytes: usize,
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
            archive_readers: 8,
            read_bytes_per_second: 4 * 1024,
            read: Duration::from_secs(30),
            memory_bytes: 256 * 1024 * 1024,
        }
    }
}

/// Limits on those who play over HTTP.
#[derive(Debug, Clone)]
pub struct SeatLimits {
    /// Requests a second to the game server of a match that each holder of a seat may make for long, and that others may make from
    /// one address (all together that come by loopback); as many again that the server refuses by itself. Default 10.
    pub per_second: u32,
    /// How long a game server may take for an answer; a seat that was asked for is free again then. Default 5 s.
    pub answer: Duration,
}

impl Default for SeatLimits {
    fn default() -> Self {
        Self { per_second: 10, answer: Duration::from_secs(5) }
    }
}

const MIB: u64 = 1024 * 1024;

/// Limits on what is kept of matches, in memory and on the disk.
#[derive(Debug, Clone)]
pub struct HistoryLimits {
    /// Bytes of encoded frames kept in memory; what is older is read from the replay file. Default 4 MiB.
    pub memory_bytes: usize,
    /// Bytes that may wait for a slow disk before a recording is given up. Default 64 MiB.
    pub unwritten_bytes: usize,
    /// Finished matches without a recording that stay in memory, newest first. Default 16.
    pub unrecorded_matches: usize,
    /// Bytes that may wait for a slow disk altogether before those recordings are given up that have much waiting.
    /// Default 256 MiB.
    pub unwritten_total: usize,
    /// Bytes of one recording's text; past them it ends, and the match goes on. Default 256 MiB.
    pub recording: u64,
    /// Bytes that matches from one address may record in an hour, in the long run. Default 4 GiB.
    pub recording_hourly: u64,
    /// Bytes of all recordings in the directory. Default 64 GiB.
    pub data: u64,
    /// Bytes that recordings leave free on their disk. Default 256 MiB.
    pub data_free: u64,
    /// Bytes of text read through of one recording to list it, where its end does not say how the match ended.
    /// Default 16 MiB.
    pub summary: u64,
    /// Whether a recording is compressed to `.replay.zst` once its match is over. Default yes.
    pub compress: bool,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 4 * 1024 * 1024,
            unwritten_bytes: 64 * 1024 * 1024,
            unrecorded_matches: 16,
            unwritten_total: 256 * MIB as usize,
            recording: 256 * MIB,
            recording_hourly: 4096 * MIB,
            data: 65_536 * MIB,
            data_free: 256 * MIB,
            summary: 16 * MIB,
            compress: true,
        }
    }
}

impl NamedLimits for Config {
    const LIMITS: &'static [Limit<Self>] = &[
        Limit { name: "line-bytes", at: |c| &mut c.lines.line_bytes },
        Limit { name: "lines-per-second", at: |c| &mut c.lines.lines_per_second },
        Limit { name: "line-connections", at: |c| &mut c.lines.connections },
        Limit { name: "line-connections-per-address", at: |c| &mut c.lines.connections_per_address },
        Limit { name: "first-line-secs", at: |c| &mut c.lines.first_line },
        Limit { name: "line-idle-secs", at: |c| &mut c.lines.idle },
        Limit { name: "unknown-lines-logged", at: |c| &mut c.lines.unknown_logged },
        Limit { name: "http-connections", at: |c| &mut c.spectators.connections },
        Limit { name: "http-connections-per-address", at: |c| &mut c.spectators.connections_per_address },
        Limit { name: "head-bytes", at: |c| &mut c.spectators.head_bytes },
        Limit { name: "head-secs", at: |c| &mut c.spectators.head },
        Limit { name: "inbound-bytes", at: |c| &mut c.spectators.inbound_bytes },
        Limit { name: "inbound-messages", at: |c| &mut c.spectators.inbound_messages },
        Limit { name: "ping-secs", at: |c| &mut c.spectators.ping },
        Limit { name: "idle-secs", at: |c| &mut c.spectators.idle },
        Limit { name: "stall-secs", at: |c| &mut c.spectators.stall },
        Limit { name: "lag-bytes", at: |c| &mut c.spectators.lag_bytes },
        Limit { name: "seat-requests-per-second", at: |c| &mut c.seats.per_second },
        Limit { name: "seat-answer-secs", at: |c| &mut c.seats.answer },
        Limit { name: "history-bytes", at: |c| &mut c.history.memory_bytes },
        Limit { name: "unwritten-bytes", at: |c| &mut c.history.unwritten_bytes },
        Limit { name: "unwritten-total-mib", at: |c| &mut c.history.unwritten_total },
        Limit { name: "recording-mib", at: |c| &mut c.history.recording },
        Limit { name: "recording-hourly-mib", at: |c| &mut c.history.recording_hourly },
        Limit { name: "data-mib", at: |c| &mut c.history.data },
        Limit { name: "data-free-mib", at: |c| &mut c.history.data_free },
        Limit { name: "summary-mib", at: |c| &mut c.history.summary },
        Limit { name: "archive-readers", at: |c| &mut c.spectators.archive_readers },
        Limit { name: "read-bytes-per-second", at: |c| &mut c.spectators.read_bytes_per_second },
        Limit { name: "read-secs", at: |c| &mut c.spectators.read },
        Limit { name: "memory-bytes", at: |c| &mut c.spectators.memory_bytes },
    ];
}
