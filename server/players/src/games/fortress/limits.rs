//! Limits on those who connect to a match.

use std::time::Duration;

use grandstand_matches::games::fortress::referee::{ERRORS_MAX, REJOINS_MAX};

use crate::named_limits::{Limit, NamedLimits};

/// Limits on the port of a match. What happens past one is in the table of `server/FORTRESS-PROTOCOL.md`; it never costs
/// more than the connection, and the unit that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamLimits {
    /// Longest line in bytes without its end. Default 4,096.
    pub line_bytes: usize,
    /// Messages a second (of the match, where it runs faster) that a connection may send for long; above it the connection
    /// is read more slowly. Default 200.
    pub messages_per_second: u32,
    /// Bytes that may wait for a connection before it is read no further. Default 64 KiB.
    pub unread_bytes: usize,
    /// How long a connection may take nothing while something waits for it. Default 5 s.
    pub stall: Duration,
    /// How long a connection may stay without a message that says whose it is. Default 30 s.
    pub first_message: Duration,
    /// Messages of one connection that are none, or not its to send. Default 100.
    pub errors: u32,
    /// Connections that one unit may have after each other. Default 20.
    pub rejoins: u32,
    /// Open connections altogether. Default 256.
    pub connections: usize,
    /// How long a match waits for its teams, from the moment at which no seat is open any more. Default 60 s.
    pub join: Duration,
    /// How long a team may say nothing at all in a match, of the match's time where that runs faster; then it has lost. Default
    /// 60 s.
    pub silence: Duration,
}

impl Default for TeamLimits {
    fn default() -> Self {
        Self {
            line_bytes: 4_096,
            messages_per_second: 200,
            unread_bytes: 64 * 1024,
            stall: Duration::from_secs(5),
            first_message: Duration::from_secs(30),
            errors: ERRORS_MAX,
            rejoins: REJOINS_MAX,
            connections: 256,
            join: Duration::from_secs(60),
            silence: Duration::from_secs(60),
        }
    }
}

impl NamedLimits for TeamLimits {
    const LIMITS: &'static [Limit<Self>] = &[
        Limit { name: "line-bytes", at: |l| &mut l.line_bytes },
        Limit { name: "messages-per-second", at: |l| &mut l.messages_per_second },
        Limit { name: "unread-bytes", at: |l| &mut l.unread_bytes },
        Limit { name: "stall-secs", at: |l| &mut l.stall },
        Limit { name: "first-message-secs", at: |l| &mut l.first_message },
        Limit { name: "errors", at: |l| &mut l.errors },
        Limit { name: "rejoins", at: |l| &mut l.rejoins },
        Limit { name: "connections", at: |l| &mut l.connections },
        Limit { name: "join-secs", at: |l| &mut l.join },
        Limit { name: "silence-secs", at: |l| &mut l.silence },
    ];
}
