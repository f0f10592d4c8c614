//! Reasons for closing a websocket: status codes, words and metric labels.

/// Why a websocket was closed: for the peer, the log and the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum CloseReason {
    /// The match is over and everything asked for was sent.
    Finished,
    /// The server is stopping.
    Shutdown,
    /// The peer closed the websocket in order.
    ByPeer,
    /// The connection ended or broke without a close.
    Gone,
    /// Frames waited and the socket accepted nothing for the stall time.
    Stalled,
    /// Nothing came back, not even a pong, for the idle time.
    Silent,
    /// The peer broke the websocket protocol.
    Protocol,
    /// A text message was not UTF-8.
    NotUtf8,
    /// A frame or message was longer than the limit.
    TooBig,
    /// The peer sent more messages than the limit.
    TooMany,
    /// The history asked for could not be read.
    Unreadable,
    /// There was no memory for what was asked for.
    Full,
}

impl CloseReason {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::Finished,
        Self::Shutdown,
        Self::ByPeer,
        Self::Gone,
        Self::Stalled,
        Self::Silent,
        Self::Protocol,
        Self::NotUtf8,
        Self::TooBig,
        Self::TooMany,
        Self::Unreadable,
        Self::Full,
    ];

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
            Self::Full => 1013,
        }
    }

    /// The reason in words, for the close frame.
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
            Self::Full => "the server's memory is full: try again later",
        }
    }

    /// A short name for metrics.
    pub fn label(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Shutdown => "shutdown",
            Self::ByPeer => "by_peer",
            Self::Gone => "gone",
            Self::Stalled => "stalled",
            Self::Silent => "silent",
            Self::Protocol => "protocol",
            Self::NotUtf8 => "not_utf8",
            Self::TooBig => "too_big",
            Self::TooMany => "too_many",
            Self::Unreadable => "unreadable",
            Self::Full => "full",
        }
    }
}
