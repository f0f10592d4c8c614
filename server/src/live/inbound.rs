//! Parser of inbound websocket frames. Spectators send hardly anything, so an idle connection has no state here.
//!
//! This module splits the bytes into whole frames; tungstenite reads and checks those, and makes the answers. Between
//! frames there is no state, unless the peer is within a frame or a fragmented message.

use std::io::{self, Read, Write};

use tokio_tungstenite::tungstenite::error::{CapacityError, Error};
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocketConfig, WebSocketContext};

use crate::wire::CloseReason;

/// Cost of a message against the limit. A pong, a fragment, and a part of a frame that arrives separately cost 1 each:
/// all take time, but these three are legitimate.
pub(crate) const MESSAGE_COST: u32 = 10;

/// Result of parsing received bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Received {
    /// Frames to send back: pongs and a close.
    pub(crate) answer: Vec<u8>,
    /// Number of messages without pongs.
    pub(crate) messages: u32,
    /// Cost against the limit.
    pub(crate) cost: u32,
    /// Set if the websocket ends: closed by the peer (`answer` has the close frame), or for an error of the peer.
    pub(crate) close: Option<CloseReason>,
}

/// State of a peer that is within a frame or a message.
#[derive(Debug)]
pub(crate) struct Inbound {
    /// The beginning of a frame.
    partial: Vec<u8>,
    /// State of tungstenite within a fragmented message.
    context: Option<Box<WebSocketContext>>,
}

impl Inbound {
    /// Number of buffered bytes of an incomplete frame.
    pub(crate) fn held(&self) -> usize {
        self.partial.len()
    }

    /// Takes received bytes and the state after the previous ones; returns the result and the new state.
    ///
    /// `limit` is the longest frame and message in bytes. `allowance` is the cost that the bytes may have: beyond it
    /// the websocket ends, and the rest is not parsed.
    pub(crate) fn receive(
        before: Option<Box<Inbound>>,
        bytes: &[u8],
        limit: usize,
        allowance: u32,
    ) -> (Received, Option<Box<Inbound>>) {
        let (mut held, mut context) = match before {
            Some(inbound) => (inbound.partial, inbound.context),
            None => (Vec::new(), None),
        };
        let mut rest = bytes;
        if !held.is_empty() {
            held.extend_from_slice(bytes);
            rest = &held;
        }
        let mut received = Received::default();
        while received.close.is_none() {
            match first_frame(rest, limit) {
                Ok(None) => break,
                Ok(Some(cut)) => {
                    let (frame, after) = rest.split_at(cut.len);
                    rest = after;
                    let was_inside = context.is_some();
                    let mut reader = context.take().unwrap_or_else(|| Box::new(new_context(limit)));
                    let messages = received.messages;
                    read_frame(&mut reader, frame, &mut received);
                    received.cost += if received.messages > messages { MESSAGE_COST } else { 1 };
                    if received.close.is_none() && received.cost > allowance {
                        received.close = Some(CloseReason::TooMany);
                    }
                    // A control frame between fragments leaves the message as it was.
                    if cut.data_is_final.map_or(was_inside, |is_final| !is_final) {
                        context = Some(reader);
                    }
                }
                Err(reason) => received.close = Some(reason),
            }
        }
        if received.cost == 0 && received.close.is_none() {
            received.cost = 1;
            received.close = (allowance == 0).then_some(CloseReason::TooMany);
        }
        if received.close.is_some() || (rest.is_empty() && context.is_none()) {
            return (received, None);
        }
        let inbound = Inbound { partial: rest.to_vec(), context };
        (received, Some(Box::new(inbound)))
    }
}

/// A whole frame at the start of a slice.
struct WholeFrame {
    len: usize,
    /// For a data frame: whether it ends its message.
    data_is_final: Option<bool>,
}

/// Finds the first whole frame; `None` if more bytes are needed. Never reads the payload.
fn first_frame(bytes: &[u8], limit: usize) -> Result<Option<WholeFrame>, CloseReason> {
    let mut cursor = io::Cursor::new(bytes);
    let (header, payload) = match FrameHeader::parse(&mut cursor) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(None),
        Err(_) => return Err(CloseReason::Protocol),
    };
    if payload > limit as u64 {
        return Err(CloseReason::TooBig);
    }
    let len = cursor.position() as usize + payload as usize;
    if bytes.len() < len {
        return Ok(None);
    }
    let data_is_final = match header.opcode {
        OpCode::Data(Data::Text | Data::Binary | Data::Continue) => Some(header.is_final),
        _ => None,
    };
    Ok(Some(WholeFrame { len, data_is_final }))
}

fn new_context(limit: usize) -> WebSocketContext {
    let config = WebSocketConfig::default()
        .read_buffer_size(256)
        .write_buffer_size(0)
        .max_write_buffer_size(1024)
        .max_message_size(Some(limit))
        .max_frame_size(Some(limit));
    WebSocketContext::new(Role::Server, Some(config))
}

/// Has tungstenite read one whole frame, and collects its answers.
fn read_frame(reader: &mut WebSocketContext, frame: &[u8], received: &mut Received) {
    let mut pipe = Pipe { input: frame, output: &mut received.answer };
    loop {
        let reason = match reader.read(&mut pipe) {
            Ok(Message::Pong(_)) => continue,
            Ok(Message::Close(_)) => {
                received.messages += 1;
                received.close = Some(CloseReason::ByPeer);
                // The answer may still be buffered inside; an error here only means that the websocket is closed.
                let _ = reader.flush(&mut pipe);
                return;
            }
            Ok(_) => {
                received.messages += 1;
                continue;
            }
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => CloseReason::TooBig,
            Err(Error::Utf8(_)) => CloseReason::NotUtf8,
            Err(_) => CloseReason::Protocol,
        };
        received.close = Some(reason);
        return;
    }
}

/// In-memory socket for tungstenite: received bytes, and a buffer for its answers.
struct Pipe<'a> {
    input: &'a [u8],
    output: &'a mut Vec<u8>,
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.input.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.input.read(buffer)
    }
}

impl Write for Pipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tokio_tungstenite::tungstenite::protocol::WebSocket;
    use tokio_tungstenite::tungstenite::protocol::frame::{CloseFrame, Frame, coding::CloseCode};

    /// The bytes that a client sends for these messages.
    fn client(messages: &[Message]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut socket =
            WebSocket::from_raw_socket(Pipe { input: &[], output: &mut out }, Role::Client, None);
        for message in messages {
            socket.send(message.clone()).unwrap();
        }
        drop(socket);
        out
    }

    fn fragment(payload: &str, data: Data, is_final: bool) -> Message {
        Message::Frame(Frame::message(payload.as_bytes().to_vec(), OpCode::Data(data), is_final))
    }

    fn receive_all(chunks: &[&[u8]]) -> (Received, bool) {
        let mut total = Received::default();
        let mut state = None;
        for chunk in chunks {
            let (received, next) = Inbound::receive(state.take(), chunk, 4096, u32::MAX);
            total.answer.extend(received.answer);
            total.messages += received.messages;
            state = next;
            if received.close.is_some() {
                total.close = received.close;
                break;
            }
        }
        (total, state.is_some())
    }

    #[test]
    fn a_ping_is_answered_and_nothing_is_kept() {
        let bytes = client(&[Message::Ping(b"abc".to_vec().into()), Message::Pong(Vec::new().into())]);
        let (received, kept) = receive_all(&[&bytes]);
        assert_eq!((received.answer, received.messages, received.close), (b"\x8a\x03abc".to_vec(), 1, None));
        assert!(!kept);
    }

    #[test]
    fn past_the_allowance_nothing_is_looked_at() {
        let receive =
            |messages: &[Message], allowance| Inbound::receive(None, &client(messages), 4096, allowance).0;
        let pings = vec![Message::Ping(Vec::new().into()); 50];
        let received = receive(&pings, 10 * MESSAGE_COST);
        assert_eq!((received.messages, received.close), (11, Some(CloseReason::TooMany)));
        assert_eq!(received.answer.len(), 11 * 2);
        for cheap in [Message::Pong(Vec::new().into()), fragment("", Data::Continue, false)] {
            let mut messages = vec![fragment("", Data::Text, false)];
            messages.resize(50, cheap);
            assert_eq!(receive(&messages, 50).close, None);
            assert_eq!(receive(&messages, 49).close, Some(CloseReason::TooMany));
        }
        // A frame that arrives byte by byte costs one per byte.
        let (mut state, mut cost) = (None, 0);
        for byte in client(&[Message::text("some talk")]) {
            let (received, next) = Inbound::receive(state.take(), &[byte], 4096, 1000);
            (state, cost) = (next, cost + received.cost);
        }
        assert_eq!(cost, 14 + MESSAGE_COST);
    }

    #[test]
    fn a_close_is_answered_with_its_code() {
        let frame = CloseFrame { code: CloseCode::Away, reason: "bye".into() };
        let (received, kept) = receive_all(&[&client(&[Message::Close(Some(frame))])]);
        assert_eq!(received.close, Some(CloseReason::ByPeer));
        assert_eq!(received.answer, b"\x88\x05\x03\xe9bye");
        assert!(!kept);
    }

    #[test]
    fn fragments_with_a_ping_between_are_one_message() {
        let bytes = client(&[
            fragment("hel", Data::Text, false),
            Message::Ping(Vec::new().into()),
            fragment("lo", Data::Continue, true),
        ]);
        let (received, kept) = receive_all(&[&bytes]);
        assert_eq!((received.messages, received.close, kept), (2, None, false));
        assert_eq!(received.answer, b"\x8a\x00");
    }

    #[test]
    fn what_breaks_the_protocol_is_named() {
        let masked = |bytes: &[u8]| {
            let mut frame = bytes.to_vec();
            frame.splice(2..2, [0, 0, 0, 0]);
            frame
        };
        let cases: [(Vec<u8>, CloseReason); 7] = [
            (b"\x81\x02hi".to_vec(), CloseReason::Protocol),
            (masked(b"\x81\x82\xff\xfe"), CloseReason::NotUtf8),
            (masked(b"\xf1\x80"), CloseReason::Protocol),
            (masked(b"\x83\x80"), CloseReason::Protocol),
            (masked(b"\x80\x80"), CloseReason::Protocol),
            (b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0".to_vec(), CloseReason::TooBig),
            (client(&[Message::Binary(vec![0; 4097].into())]), CloseReason::TooBig),
        ];
        for (bytes, reason) in cases {
            assert_eq!(receive_all(&[&bytes]).0.close, Some(reason), "{bytes:02x?}");
        }
        let many: Vec<Message> = (0..3)
            .map(|i| fragment(&"x".repeat(2000), if i == 0 { Data::Text } else { Data::Continue }, false))
            .collect();
        assert_eq!(receive_all(&[&client(&many)]).0.close, Some(CloseReason::TooBig));
    }

    proptest! {
        /// Any cutting of the bytes gives the same result.
        #[test]
        fn cuts_do_not_matter(kinds in prop::collection::vec(0u8..5, 1..8), cuts in prop::collection::vec(0usize..200, 0..6)) {
            let messages: Vec<Message> = kinds.iter().map(|kind| match kind {
                0 => Message::Text("some talk".into()),
                1 => Message::Ping(b"p".to_vec().into()),
                2 => Message::Pong(b"q".to_vec().into()),
                3 => Message::Binary(vec![7; 200].into()),
                _ => Message::Text("".into()),
            }).collect();
            let bytes = client(&messages);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c % (bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(receive_all(&chunks), receive_all(&[&bytes]));
        }

        /// Arbitrary bytes cause no panic, and the buffered part stays below a frame.
        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            let (_, state) = Inbound::receive(None, &bytes, 256, u32::MAX);
            prop_assert!(state.is_none_or(|s| s.held() < 256 + 14));
        }
    }
}
