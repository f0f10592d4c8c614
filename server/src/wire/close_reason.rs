//! Reasons for closing a websocket: status codes, texts and metric labels.

use grandstand_protocol::words;

words! {
    /// Reason for which a websocket was closed: for the peer, the log and the metrics.
    CloseReason {
        /// The match is over and everything requested was sent.
        Finished = "finished",
        /// The server is stopping.
        Shutdown = "shutdown",
        /// The peer closed the websocket in order.
        ByPeer = "by_peer",
        /// The connection ended or broke without a close.
        Gone = "gone",
        /// Frames waited and the socket accepted nothing for the stall time.
        Stalled = "stalled",
        /// Nothing came back, not even a pong, for the idle time.
        Silent = "silent",
        /// The peer broke the websocket protocol.
        Protocol = "protocol",
        /// A text message was not UTF-8.
        NotUtf8 = "not_utf8",
        /// A frame or message was longer than the limit.
        TooBig = "too_big",
        /// The peer sent more messages than the limit.
        TooMany = "too_many",
        /// The requested history could not be read.
        Unreadable = "unreadable",
        /// There was no memory for the request.
        Full = "full",
        /// A match of another server is no longer followed here.
        Lost = "lost",
    }
}

impl CloseReason {
    /// The websocket status code (RFC 6455, section 7.4.1).
    pub fn code(self) -> u16 {
        match self {
            Self::Finished | Self::ByPeer | Self::Gone => 1000,
            Self::Shutdown => 1001,
            Self::Protocol => 1002,
            Self::NotUtf8 => 1007,
            Self::Stalled | Self::Silent | Self::TooMany => 1008,
            Self::TooBig => 1009,
            Self::Unreadable => 1011,
            Self::Lost => 1012,
            Self::Full => 1013,
        }
    }

    /// The reason as text for the close frame.
    pub fn text(self) -> &'static str {
        match self {
            Self::Finished => "the match is over",
            Self::Shutdown => "the server is stopping",
            Self::ByPeer => "",
            Self::Gone => "the connection broke",
            Self::Stalled => "nothing was read for too long",
            Self::Silent => "no answer to a ping",
            Self::Protocol => "not the websocket protocol",
            Self::NotUtf8 => "a text message was not UTF-8",
            Self::TooBig => "a message was too long",
            Self::TooMany => "too many messages",
            Self::Unreadable => "the recording can't be read",
            Self::Lost => "the match is no longer followed here: connect again",
            Self::Full => "the server's memory is full: try again later",
        }
    }
}
