//! Framing of messages on a stream: a header with `Content-Length`, an empty line, and the body of that length.
//!
//! The language server protocol and the debug adapter protocol share it. The input is limited. A header that is too
//! long ends the stream, because the start of the next message is unknown. A body that is too long is skipped.

/// Length of a header with its empty line at most, in bytes.
pub const MAX_HEADER: usize = 4096;
/// Length of a body at most, in bytes: a program of the maximum length with every character escaped.
pub const MAX_BODY: usize = 8 << 20;

/// Next item of a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// Body of a message.
    Body(Vec<u8>),
    /// Skipped message, with the length of its body in bytes.
    TooLong(usize),
}

/// Error that ends a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FramingError {
    /// The header has no end.
    #[error("a header of more than {MAX_HEADER} bytes")]
    LongHeader,
    /// The header has no `Content-Length` in decimal digits.
    #[error("a header without a readable Content-Length")]
    NoLength,
}

/// Splits bytes into messages.
#[derive(Debug, Default)]
pub struct Deframer {
    bytes: Vec<u8>,
    /// Length of the next body; `None` before a header.
    body: Option<usize>,
    /// Number of bytes still to skip.
    passing: usize,
}

impl Deframer {
    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let passed = self.passing.min(bytes.len());
        self.passing -= passed;
        self.bytes.extend_from_slice(&bytes[passed..]);
    }

    /// Returns the next message; `None` if it is incomplete.
    ///
    /// # Errors
    /// The bytes are no header. The stream has no further messages.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FramingError> {
        let length = match self.body {
            Some(length) => length,
            None => {
                let Some(end) = header_end(&self.bytes) else {
                    let is_long = self.bytes.len() >= MAX_HEADER;
                    return if is_long { Err(FramingError::LongHeader) } else { Ok(None) };
                };
                if end > MAX_HEADER {
                    return Err(FramingError::LongHeader);
                }
                let length = content_length(&self.bytes[..end]).ok_or(FramingError::NoLength)?;
                self.bytes.drain(..end);
                length
            }
        };
        if length > MAX_BODY {
            let here = length.min(self.bytes.len());
            self.bytes.drain(..here);
            self.passing = length - here;
            self.body = None;
            return Ok(Some(Frame::TooLong(length)));
        }
        if self.bytes.len() < length {
            self.body = Some(length);
            return Ok(None);
        }
        self.body = None;
        Ok(Some(Frame::Body(self.bytes.drain(..length).collect())))
    }
}

/// Returns a body with its header.
pub fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Start of the body: after the first empty line. Lines end with `\r\n`, or with `\n` in typed input.
fn header_end(bytes: &[u8]) -> Option<usize> {
    let mut line = 0;
    for (at, byte) in bytes.iter().enumerate().take(MAX_HEADER) {
        if *byte == b'\n' {
            if matches!(&bytes[line..at], b"" | b"\r") && line > 0 {
                return Some(at + 1);
            }
            line = at + 1;
        }
    }
    None
}

fn content_length(header: &[u8]) -> Option<usize> {
    let header = std::str::from_utf8(header).ok()?;
    let mut fields = header.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(name, _)| name.trim().eq_ignore_ascii_case("Content-Length"))?;
    let value = value.trim();
    // `parse` accepts a plus sign.
    if value.bytes().all(|byte| byte.is_ascii_digit()) { value.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(deframer: &mut Deframer) -> Result<Vec<Frame>, FramingError> {
        let mut frames = Vec::new();
        while let Some(frame) = deframer.next_frame()? {
            frames.push(frame);
        }
        Ok(frames)
    }

    fn frames(bytes: &[u8]) -> Result<Vec<Frame>, FramingError> {
        let mut deframer = Deframer::default();
        deframer.push(bytes);
        all(&mut deframer)
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        for text in [
            "Content-Length: 2\r\n\r\nhi",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\nhi",
            "CONTENT-LENGTH : 2 \n\nhi",
        ] {
            assert_eq!(frames(text.as_bytes()), Ok(vec![Frame::Body(b"hi".to_vec())]), "{text:?}");
        }
        for text in [
            "Content-Length: -2\r\n\r\nhi",
            "Content-Length: +2\r\n\r\nhi",
            "Length: 2\r\n\r\nhi",
            "Content-Length: 99999999999999999999\r\n\r\n",
        ] {
            assert_eq!(frames(text.as_bytes()), Err(FramingError::NoLength), "{text:?}");
        }
        assert_eq!(frames("x: y\r\n".repeat(1000).as_bytes()), Err(FramingError::LongHeader));
        assert_eq!(frames(&[b'x'; MAX_HEADER]), Err(FramingError::LongHeader));
    }

    #[test]
    fn a_body_that_is_too_long_is_passed_over_however_it_comes() {
        let length = MAX_BODY + 1;
        let mut deframer = Deframer::default();
        deframer.push(format!("Content-Length: {length}\r\n\r\n").as_bytes());
        assert_eq!(deframer.next_frame(), Ok(Some(Frame::TooLong(length))));
        for _ in 0..length / 1000 {
            deframer.push(&[b'{'; 1000]);
            assert!(deframer.bytes.is_empty(), "what is passed over is not kept");
        }
        deframer.push(&vec![b'{'; length % 1000]);
        deframer.push(&frame("after"));
        assert_eq!(all(&mut deframer), Ok(vec![Frame::Body(b"after".to_vec())]));
    }

    proptest::proptest! {
        #[test]
        fn bodies_come_out_as_they_went_in_however_they_are_cut(
            bodies in proptest::collection::vec(".{0,40}", 0..8),
            cuts in proptest::collection::vec(1_usize..30, 1..50),
        ) {
            let stream: Vec<u8> = bodies.iter().flat_map(|body| frame(body)).collect();
            let (mut deframer, mut found, mut rest) = (Deframer::default(), Vec::new(), stream.as_slice());
            for cut in cuts.iter().cycle() {
                let (now, later) = rest.split_at((*cut).min(rest.len()));
                deframer.push(now);
                found.extend(all(&mut deframer).expect("they are framed"));
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            let expected: Vec<Frame> = bodies.iter().map(|body| Frame::Body(body.clone().into_bytes())).collect();
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
