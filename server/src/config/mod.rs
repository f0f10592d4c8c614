//! Settings of the server, with their defaults.
//!
//! The table of the same settings for operators is in `server/HTTP.md`.

#[cfg(test)]
mod limit_tables;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::http::owners::Owners;
use crate::http::tls::Tls;
use crate::nats::Link;
use crate::tournament::shown::ShownTournament;
use grandstand_players::limits;
use grandstand_players::named_limits::{Limit, NamedLimits};

/// Settings of a server. `Config::default()` is what `grandstand serve` runs with, except `data`.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Directory of the replays; `None` records nothing, and matches live as long as the process.
    pub data: Option<PathBuf>,
    /// Limits on the text-line port.
    pub lines: LineLimits,
    /// Limits on the HTTP port and its websockets.
    pub spectators: SpectatorLimits,
    /// Limits on reading recordings and on slow readers.
    pub readers: ReaderLimits,
    /// Limits on playing over HTTP.
    pub seats: SeatLimits,
    /// Limits on what a match keeps in memory and on disk.
    pub history: HistoryLimits,
    /// Limits on what goes through NATS.
    pub nats_limits: NatsLimits,
    /// The connection to NATS, as an origin or a relay; `None` for a server by itself.
    pub nats: Option<Link>,
    /// Origins, such as `https://example.org`, that may open websockets besides the server's own host.
    pub allow_origins: Vec<String>,
    /// Names, such as `wall.example.org`, allowed in `Host` on the HTTP port, besides numeric addresses, `localhost`,
    /// the machine's own name (with `.local` too) and the hosts of `allow_origins`.
    pub allow_hosts: Vec<String>,
    /// TLS certificate of the HTTP port, for `https` and `wss`; `None` serves `http` and `ws`.
    pub tls: Option<Tls>,
    /// Whether `/replay` includes the sources of the programs that played.
    pub publish_programs: bool,
    /// Owners of programs, by tokens: they get the sources.
    pub owners: Owners,
    /// The tournament to show, if any.
    pub tournament: Option<Arc<ShownTournament>>,
}

limits! {
    /// Limits on the text-line port. Past one, only that connection is closed, and the log says so.
    #[derive(Debug, Clone)]
    LineLimits {
        /// Longest line in bytes without its end. Default 65,536.
        line_bytes "line-bytes": usize = 64 * 1024;
        /// Lines a second that one connection may send in the long run; above it the connection is read more slowly,
        /// never closed. Default 4,000,000.
        lines_per_second "lines-per-second": u32 = 4_000_000;
        /// Open connections altogether. Default 1,024.
        connections "line-connections": usize = 1_024;
        /// Open connections from one address that is not loopback. Default 64.
        connections_per_address "line-connections-per-address": usize = 64;
        /// Time that a peer may take to begin a match. Default 60 s.
        first_line "first-line-secs": Duration = Duration::from_secs(60);
        /// Time that a match may go without a line before it is interrupted. Default 1 h.
        idle "line-idle-secs": Duration = Duration::from_secs(3600);
        /// Unknown lines of one connection that are logged one by one; the rest are counted. Default 10.
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
        /// Time limit for a request's head, and for its body. Default 10 s.
        head "head-secs": Duration = Duration::from_secs(10);
        /// Longest websocket frame, message or request body from a spectator, in bytes. Default 4,096.
        inbound_bytes "inbound-bytes": usize = 4 * 1024;
        /// Messages that a spectator may send in ten seconds, pongs aside. Default 100.
        inbound_messages "inbound-messages": u32 = 100;
        /// Silence after which the server sends a ping. Default 20 s.
        ping "ping-secs": Duration = Duration::from_secs(20);
        /// Silence after which a websocket is closed. Default 60 s.
        idle "idle-secs": Duration = Duration::from_secs(60);
        /// Time that a socket may accept nothing while frames wait for it. Default 10 s.
        stall "stall-secs": Duration = Duration::from_secs(10);
        /// Bytes that a spectator may lag behind before it is resynchronised with a fresh scene. Default 1 MiB.
        lag_bytes "lag-bytes": u64 = 1024 * 1024;
        /// Size asked of the kernel for each spectator's send buffer; Linux doubles it. Default 128 KiB.
        send_buffer_bytes: usize = 128 * 1024;
        /// Shortest time between the starts of two consecutive rounds of writing without a pause. An idle feed is
        /// written at once. Default 5 ms.
        round: Duration = Duration::from_millis(5);
        /// Spectators of one match per writing task, before a further task (up to the number of worker threads) takes
        /// the next ones. Default 2,048.
        per_broadcaster: usize = 2_048;
    }
}

limits! {
    /// Limits on reading recordings and on slow readers, by request and by websocket.
    #[derive(Debug, Clone)]
    ReaderLimits {
        /// Concurrent reads from recordings, for responses and websockets alike; clients take turns. Default 8.
        from_archive "archive-readers": usize = 8;
        /// Minimum rate in bytes a second at which a client must read a response. Default 4,096.
        bytes_per_second "read-bytes-per-second": u32 = 4 * 1024;
        /// Approximate window over which that rate is measured. Default 30 s.
        window "read-secs": Duration = Duration::from_secs(30);
        /// Memory budget in bytes for summaries and checkpoints of recordings, encoded scenes and responses. Default
        /// 256 MiB.
        memory_bytes "memory-bytes": usize = 256 * 1024 * 1024;
    }
}

limits! {
    /// Limits on playing over HTTP.
    #[derive(Debug, Clone)]
    SeatLimits {
        /// Long-run rate of requests a second to the game server of a match, for each holder of a seat, and for other
        /// clients by address (all loopback clients together); the same rate again applies to requests that the server
        /// itself refuses. Default 10.
        per_second "seat-requests-per-second": u32 = 10;
        /// Time limit for a game server's answer; after it the requested seat is free again. Default 5 s.
        answer "seat-answer-secs": Duration = Duration::from_secs(5);
    }
}

const MIB: u64 = 1024 * 1024;

limits! {
    /// Limits on the history of matches, in memory and on disk.
    #[derive(Debug, Clone)]
    HistoryLimits {
        /// Bytes of encoded frames kept in memory; older ones are read from the replay file. Default 4 MiB.
        memory_bytes "history-bytes": usize = 4 * 1024 * 1024;
        /// Bytes of one recording that may wait for a slow disk before it is given up. Default 64 MiB.
        unwritten_bytes "unwritten-bytes": usize = 64 * 1024 * 1024;
        /// Finished matches without a complete recording that stay in memory, newest first. Default 16.
        unrecorded_matches: usize = 16;
        /// Bytes of all recordings that may wait for a slow disk; past them the recordings with much waiting are given
        /// up. Default 256 MiB.
        unwritten_total "unwritten-total-mib": usize = 256 * MIB as usize;
        /// Bytes of one recording's text; past them the recording ends, and the match goes on. Default 256 MiB.
        recording "recording-mib": u64 = 256 * MIB;
        /// Long-run bytes an hour that matches from one address may record. Default 4 GiB.
        recording_hourly "recording-hourly-mib": u64 = 4096 * MIB;
        /// Bytes of all recordings in the directory. Default 64 GiB.
        data "data-mib": u64 = 65_536 * MIB;
        /// Free bytes that recordings leave on their disk. Default 256 MiB.
        data_free "data-free-mib": u64 = 256 * MIB;
        /// Bytes of text of one recording that are read to list it if its end does not have the result. Default 16 MiB.
        summary "summary-mib": u64 = 16 * MIB;
        /// Whether a recording is compressed to `.replay.zst` once its match is over. Default yes.
        compress: bool = true;
    }
}

limits! {
    /// Limits on what goes through NATS.
    #[derive(Debug, Clone)]
    NatsLimits {
        /// Bytes of the frames of all live matches in their stream. Default 256 MiB.
        feed_bytes "nats-feed-mib": u64 = 256 * MIB;
        /// Time that frames stay in their stream. Default 10 min.
        feed_age "nats-feed-secs": Duration = Duration::from_secs(600);
        /// Commands of a match after which its scene is published again. Default 4,096.
        scene_commands "nats-scene-commands": u64 = 4_096;
        /// Time after which the scene of a match is published again if it has changed. Default 10 s.
        scene_secs "nats-scene-secs": Duration = Duration::from_secs(10);
        /// Frames of a match that may wait to be acknowledged. Default 256.
        in_flight "nats-in-flight": usize = 256;
        /// Newest finished matches that relays list. Default 100.
        recordings "nats-recordings": usize = 100;
        /// Bytes of the recordings in the object store. Default 256 MiB.
        recording_bytes "nats-recordings-mib": u64 = 256 * MIB;
        /// Bytes of the programs that play in tournaments, and as many of the recordings of their games, in the object stores of
        /// a director. Default 256 MiB.
        work_bytes "nats-work-mib": u64 = 256 * MIB;
        /// Copies of each message in a cluster, up to the number of its servers. Default 1.
        replicas "nats-replicas": usize = 1;
        /// Time that a relay goes on following a match that nobody watches. Default 5 s.
        linger "nats-linger-secs": Duration = Duration::from_secs(5);
    }
}

impl NamedLimits for Config {
    fn limits(&mut self) -> Vec<Limit<'_>> {
        let Self { lines, spectators, seats, history, readers, nats_limits, .. } = self;
        let groups = [
            lines.limits(),
            spectators.limits(),
            seats.limits(),
            history.limits(),
            readers.limits(),
            nats_limits.limits(),
        ];
        groups.into_iter().flatten().collect()
    }
}
