//! The last line of a recording: how its feed ended.

use std::io::Write as _;

use grandstand_protocol::Micros;
use grandstand_protocol::message::MatchState;
use serde::{Deserialize, Serialize};

/// How a feed ended, and with which command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ending {
    /// `finished` or `interrupted`.
    pub(crate) state: MatchState,
    /// The number of the last command.
    pub(crate) seq: u64,
}

impl Ending {
    /// Appends the line, with its line feed.
    pub(crate) fn write_line(self, interval: Micros, out: &mut Vec<u8>) {
        // Memory does not fail, and there is nothing in an ending that JSON has not.
        let _ = write!(out, "[{interval},\"e\",");
        let _ = serde_json::to_writer(&mut *out, &self);
        out.extend_from_slice(b"]\n");
    }

    /// Reads the line; `None` if it is another.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let (_, code, ending): (f64, String, Self) = serde_json::from_slice(line).ok()?;
        (code == "e" && ending.state != MatchState::Live).then_some(ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_back_and_nothing_else_is() {
        let ending = Ending { state: MatchState::Finished, seq: 12 };
        let mut line = Vec::new();
        ending.write_line(Micros(1_500_000), &mut line);
        assert_eq!(line, b"[1.5,\"e\",{\"state\":\"finished\",\"seq\":12}]\n");
        assert_eq!(Ending::parse(&line), Some(ending));
        for other in [
            "",
            "[0,\"c\",\"turns 3\"]",
            "[0,\"e\",{}]",
            "[0,\"e\",{\"state\":\"live\",\"seq\":1}]",
            "[0,\"x\",\"e\"]",
        ] {
            assert_eq!(Ending::parse(other.as_bytes()), None, "{other}");
        }
    }
}
