//! Limits on those who connect to a match.

use std::time::Duration;

use grandstand_matches::games::fortress::referee::{ERRORS_MAX, REJOINS_MAX};

use crate::limits;

limits! {
    /// Limits on the port of a match. What happens past one is in the table of `server/FORTRESS-PROTOCOL.md`; it never costs
    /// more than the connection, and the unit that it belongs to.
    #[derive(Debug, Clone, PartialEq, Eq)]
    TeamLimits {
        /// Longest line in bytes without its end. Default 4,096.
        line_bytes "line-bytes": usize = 4_096;
        /// Messages a second (of the match, where it runs faster) that a connection may send for long; above it the connection
        /// is read more slowly. Default 200.
        messages_per_second "messages-per-second": u32 = 200;
        /// Bytes that may wait for a connection before it is read no further. Default 64 KiB.
        unread_bytes "unread-bytes": usize = 64 * 1024;
        /// How long a connection may take nothing while something waits for it. Default 5 s.
        stall "stall-secs": Duration = Duration::from_secs(5);
        /// How long a connection may stay without a message that says whose it is. Default 30 s.
        first_message "first-message-secs": Duration = Duration::from_secs(30);
        /// Messages of one connection that are none, or not its to send. Default 100.
        errors "errors": u32 = ERRORS_MAX;
        /// Connections that one unit may have after each other. Default 20.
        rejoins "rejoins": u32 = REJOINS_MAX;
        /// Open connections altogether. Default 256.
        connections "connections": usize = 256;
        /// How long a match waits for its teams, from the moment at which no seat is open any more. Default 60 s.
        join "join-secs": Duration = Duration::from_secs(60);
        /// How long a team may say nothing at all in a match, of the match's time where that runs faster; then it has lost. Default
        /// 60 s.
        silence "silence-secs": Duration = Duration::from_secs(60);
    }
}
