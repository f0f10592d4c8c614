//! Websocket frames (RFC 6455, section 5.2): whole and unmasked.
//!
//! A frame is encoded once, here, and all spectators of a match are sent the same bytes.

use bytes::Bytes;

const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;

/// Builder of one text frame, in place: the payload is written first, the header before it at the end.
#[derive(Debug)]
pub(crate) struct TextFrame {
    buffer: Vec<u8>,
}

/// Size of the longest header of a server's frame.
const HEADROOM: usize = 10;

impl TextFrame {
    pub(crate) fn with_capacity(payload: usize) -> Self {
        let mut buffer = Vec::with_capacity(HEADROOM + payload);
        buffer.resize(HEADROOM, 0);
        Self { buffer }
    }

    /// Buffer to append the payload to. Its existing bytes must not be changed.
    pub(crate) fn payload(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Number of payload bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.buffer.len() - HEADROOM
    }

    pub(crate) fn finish(mut self) -> Bytes {
        let len = self.len();
        let start = match len {
            0..=125 => {
                self.buffer[HEADROOM - 1] = len as u8;
                HEADROOM - 2
            }
            126..=0xFFFF => {
                self.buffer[HEADROOM - 3] = 126;
                self.buffer[HEADROOM - 2..HEADROOM].copy_from_slice(&(len as u16).to_be_bytes());
                HEADROOM - 4
            }
            _ => {
                self.buffer[1] = 127;
                self.buffer[2..HEADROOM].copy_from_slice(&(len as u64).to_be_bytes());
                0
            }
        };
        self.buffer[start] = TEXT;
        let mut bytes = Bytes::from(self.buffer);
        bytes::Buf::advance(&mut bytes, start);
        bytes
    }
}

/// A text frame with this payload.
pub(crate) fn text(payload: &[u8]) -> Bytes {
    let mut frame = TextFrame::with_capacity(payload.len());
    frame.payload().extend_from_slice(payload);
    frame.finish()
}

/// The payload of a whole text frame from [`TextFrame::finish`].
pub(crate) fn payload(frame: &Bytes) -> Bytes {
    let header = match frame.get(1) {
        Some(127) => 10,
        Some(126) => 4,
        _ => 2,
    };
    frame.slice(header.min(frame.len())..)
}

/// The payload of a text frame that comes from elsewhere; `None` if it is not one whole, unmasked frame.
pub(crate) fn checked_payload(frame: &Bytes) -> Option<Bytes> {
    let payload = payload(frame);
    (!frame.is_empty() && text(&payload) == *frame).then_some(payload)
}

/// A close frame with its status code and reason (truncated to the 123 bytes that fit).
pub(crate) fn close(code: u16, reason: &str) -> Bytes {
    let end = reason.floor_char_boundary(123);
    let mut frame = Vec::with_capacity(4 + end);
    frame.extend_from_slice(&[CLOSE, 2 + end as u8]);
    frame.extend_from_slice(&code.to_be_bytes());
    frame.extend_from_slice(&reason.as_bytes()[..end]);
    Bytes::from(frame)
}

/// A ping without a payload.
pub(crate) fn ping() -> Bytes {
    Bytes::from_static(&[PING, 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use tokio_tungstenite::tungstenite::protocol::frame::FrameSocket;

    #[test]
    fn frames_of_every_header_size_are_read_back() {
        for len in [0usize, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
            let mut frame = TextFrame::with_capacity(16);
            frame.payload().extend((0..len).map(|i| b'a' + (i % 26) as u8));
            assert_eq!(frame.len(), len);
            let bytes = frame.finish();
            let read = FrameSocket::new(Cursor::new(bytes.to_vec())).read(None).unwrap().unwrap();
            assert_eq!(read.payload().len(), len);
            assert_eq!(payload(&bytes), read.payload());
            assert!(read.header().is_final && read.header().mask.is_none());
        }
    }

    #[test]
    fn a_close_reason_is_cut_at_a_character() {
        let frame = close(1008, &"é".repeat(100));
        assert_eq!(frame.len(), 4 + 122);
        assert_eq!(&frame[2..4], &1008u16.to_be_bytes());
        assert!(std::str::from_utf8(&frame[4..]).is_ok());
    }
}
