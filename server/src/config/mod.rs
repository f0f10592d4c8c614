//! Settings of the server, with their defaults.
//!
//! The table of the same settings for operators is in `server/HTTP.md`.

#[cfg(test)]
mod limit_tables;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::http::tls::Tls;
use crate::tournament::shown::ShownTournament;
use grandstand_players::limits;
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
    /// Limits on those who read recordings and answers.
    pub readers: ReaderLimits,
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
    /// The tournament that is shown, where there is one.
    pub tournament: Option<Arc<ShownTournament>>,
}

limits! {
    /// Limits on the text-line port. Past one, the log says so and that connection alone is closed.
    #[derive(Debug, Clone)]
    LineLimits {
        /// Longest line in bytes without its end. Default 65,536.
        line_bytes "line-bytes": usize = 64 * 1024;
        /// Lines a second that one connection may send for long; above it the connection is read more slowly,
        /// never closed. Default 4,000,000.
        lines_per_second "lines-per-second": u32 = 4_000_000;
        /// Open connections altogether. Default 1,024.
        connections "line-connections": usize = 1_024;
        /// Open connections from one address that is not loopback. Default 64.
        connections_per_address "line-connections-per-address": usize = 64;
        /// How long a peer may stay without having begun a match. Default 60 s.
        first_line "first-line-secs": Duration = Duration::from_secs(60);
        /// How long a match may stay without a line; then it is interrupted. Default 1 h.
        idle "line-idle-secs": Duration = Duration::from_secs(3600);
        /// Lines of one connection that are not understood and told to the log one by one; the rest are counted. Default 10.
        unknown_logged "unknown-lines-logged": u32 = 10;
    }
}

limits! {
    /// Limits on the HTTP port and its websockets.
    #[derive(Debug, Clone)]
    SpectatorLimits {
        /// Open connections altogether. Default 16,384.
        connections "http-connections": usize = 16_384;
        /// Open connections from one address that is not loopback. Default 256.
        connections_per_address "http-connections-per-address": usize = 256;
        /// Longest request head in bytes. Default 16,384.
        head_bytes "head-bytes": usize = 16 * 1024;
        /// How long a request's head may take to arrive, and its body. Default 10 s.
        head "head-secs": Duration = Duration::from_secs(10);
        /// Longest websocket frame, message or request's body that a spectator may send, in bytes. Default 4,096.
        inbound_bytes "inbound-bytes": usize = 4 * 1024;
        /// Messages that a spectator may send in ten seconds, pongs aside. Default 100.
        inbound_messages "inbound-messages": u32 = 100;
        /// Silence after which a spectator is sent a ping. Default 20 s.
        ping "ping-secs": Duration = Duration::from_secs(20);
        /// Silence after which a spectator is closed. Default 60 s.
        idle "idle-secs": Duration = Duration::from_secs(60);
        /// How long a socket may accept nothing while frames wait for it. Default 10 s.
        stall "stall-secs": Duration = Duration::from_secs(10);
        /// Bytes that a spectator may lag behind before it is moved on to a fresh scene. Default 1 MiB.
        lag_bytes "lag-bytes": u64 = 1024 * 1024;
        /// Size asked of the kernel for each spectator's send buffer; Linux doubles it. Default 128 KiB.
        send_buffer_bytes: usize = 128 * 1024;
        /// Shortest time between the starts of two rounds of writing while they follow each other without a
        /// pause. An idle feed is written at once. Default 5 ms.
        round: Duration = Duration::from_millis(5);
        /// Spectators of one match that one task writes to, before a further task (up to the number of worker
        /// threads) takes the next ones. Default 2,048.
        per_broadcaster: usize = 2_048;
    }
}

limits! {
    /// Limits on who reads recordings and answers, by request and by websocket.
    #[derive(Debug, Clone)]
    ReaderLimits {
        /// Readings from recordings at the same time, for answers and websockets alike; clients take turns. Default 8.
        from_archive "archive-readers": usize = 8;
        /// Bytes a second that who reads an answer has to take. Default 4,096.
        bytes_per_second "read-bytes-per-second": u32 = 4 * 1024;
        /// Over how long that is measured, about. Default 30 s.
        window "read-secs": Duration = Duration::from_secs(30);
        /// Bytes that summaries and places of recordings, encoded pictures and answers may take together. Default 256 MiB.
        memory_bytes "memory-bytes": usize = 256 * 1024 * 1024;
    }
}

limits! {
    /// Limits on those who play over HTTP.
    #[derive(Debug, Clone)]
    SeatLimits {
        /// Requests a second to the game server of a match that each holder of a seat may make for long, and that others may make from
        /// one address (all together that come by loopback); as many again that the server refuses by itself. Default 10.
        per_second "seat-requests-per-second": u32 = 10;
        /// How long a game server may take for an answer; a seat that was asked for is free again then. Default 5 s.
        answer "seat-answer-secs": Duration = Duration::from_secs(5);
    }
}

const MIB: u64 = 1024 * 1024;

limits! {
    /// Limits on what is kept of matches, in memory and on the disk.
    #[derive(Debug, Clone)]
    HistoryLimits {
        /// Bytes of encoded frames kept in memory; what is older is read from the replay file. Default 4 MiB.
        memory_bytes "history-bytes": usize = 4 * 1024 * 1024;
        /// Bytes that may wait for a slow disk before a recording is given up. Default 64 MiB.
        unwritten_bytes "unwritten-bytes": usize = 64 * 1024 * 1024;
        /// Finished matches without a recording that stay in memory, newest first. Default 16.
        unrecorded_matches: usize = 16;
        /// Bytes that may wait for a slow disk altogether before those recordings are given up that have much waiting.
        /// Default 256 MiB.
        unwritten_total "unwritten-total-mib": usize = 256 * MIB as usize;
        /// Bytes of one recording's text; past them it ends, and the match goes on. Default 256 MiB.
        recording "recording-mib": u64 = 256 * MIB;
        /// Bytes that matches from one address may record in an hour, in the long run. Default 4 GiB.
        recording_hourly "recording-hourly-mib": u64 = 4096 * MIB;
        /// Bytes of all recordings in the directory. Default 64 GiB.
        data "data-mib": u64 = 65_536 * MIB;
        /// Bytes that recordings leave free on their disk. Default 256 MiB.
        data_free "data-free-mib": u64 = 256 * MIB;
        /// Bytes of text read through of one recording to list it, where its end does not say how the match ended.
        /// Default 16 MiB.
        summary "summary-mib": u64 = 16 * MIB;
        /// Whether a recording is compressed to `.replay.zst` once its match is over. Default yes.
        compress: bool = true;
    }
}

impl NamedLimits for Config {
    fn limits(&mut self) -> Vec<Limit<'_>> {
        let Self { lines, spectators, seats, history, readers, .. } = self;
        let groups =
            [lines.limits(), spectators.limits(), seats.limits(), history.limits(), readers.limits()];
        groups.into_iter().flatten().collect()
    }
}
