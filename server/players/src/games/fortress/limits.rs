//! Limits on the connections of a match.

use std::time::Duration;

use grandstand_matches::games::fortress::referee::{ERRORS_MAX, REJOINS_MAX};

use crate::limits;

limits! {
    /// Limits on the port of a match. The table of `server/FORTRESS-PROTOCOL.md` has what happens when one is exceeded;
    /// it costs at most the connection, and the unit that it belongs to.
    #[derive(Debug, Clone, PartialEq, Eq)]
    TeamLimits {
        /// Longest line in bytes without its end. Default 4,096.
        line_bytes "line-bytes": usize = 4_096;
        /// Messages a second that a connection may send for long, counted in the match's time where that runs faster;
        /// above it the connection is read more slowly. Default 200.
        messages_per_second "messages-per-second": u32 = 200;
        /// Bytes that may wait to be written to a connection before it is read no further. Default 64 KiB.
        unread_bytes "unread-bytes": usize = 64 * 1024;
        /// Time during which a connection may take nothing while output waits for it. Default 5 s.
        stall "stall-secs": Duration = Duration::from_secs(5);
        /// Time in which a connection must send a message that identifies it. Default 30 s.
        first_message "first-message-secs": Duration = Duration::from_secs(30);
        /// Invalid or unauthorized messages of one connection. Default 100.
        errors "errors": u32 = ERRORS_MAX;
        /// Successive connections of one unit. Default 20.
        rejoins "rejoins": u32 = REJOINS_MAX;
        /// Open connections altogether. Default 256.
        connections "connections": usize = 256;
        /// Time for which a match waits for its teams, from the moment at which no seat is open any more. Default 60 s.
        join "join-secs": Duration = Duration::from_secs(60);
        /// Time for which a team may send nothing at all in a match, in the match's time where that runs faster; then
        /// it has lost. Default 60 s.
        silence "silence-secs": Duration = Duration::from_secs(60);
    }
}
