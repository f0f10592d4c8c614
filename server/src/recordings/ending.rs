//! Last line of a recording: the state at the end of its feed, or the reason for an early end.

use std::io::Write as _;

use grandstand_protocol::Micros;
use grandstand_protocol::message::MatchState;
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

/// End of a feed and its last command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordingEnd {
    /// `finished` or `interrupted`.
    pub(crate) state: MatchState,
    /// The number of the last command in the recording.
    pub(crate) seq: u64,
    /// Reason for which the match had more commands. For people who read the file: it is not parsed, so that reasons of
    /// later versions do no harm.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) cut: Option<CutReason>,
}

words! {
    /// Reason for which a recording ended before its match, in recordings, metrics and the log; a limit has its
    /// setting's name.
    CutReason {
        /// The recording reached its maximum size.
        Recording = "recording-mib",
        /// The peer's address has used up its hourly quota.
        Hourly = "recording-hourly-mib",
        /// All recordings together reached their maximum size.
        Data = "data-mib",
        /// The disk reached its minimum of free space.
        Free = "data-free-mib",
        /// The disk was too slow.
        Slow = "unwritten-bytes",
        /// The disk failed.
        Disk = "disk",
        /// The data directory disappeared.
        Directory = "directory",
    }
}

impl RecordingEnd {
    /// Appends the line, with its line feed.
    pub(crate) fn write_line(self, interval: Micros, out: &mut Vec<u8>) {
        // Writing to memory can't fail, and an ending has only types that JSON supports.
        let _ = write!(out, "[{interval},\"e\",");
        let _ = serde_json::to_writer(&mut *out, &self);
        out.extend_from_slice(b"]\n");
    }

    /// Parses the line; `None` for any other line.
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
        let ending = RecordingEnd { state: MatchState::Finished, seq: 12, cut: None };
        let mut line = Vec::new();
        ending.write_line(Micros(1_500_000), &mut line);
        assert_eq!(line, b"[1.5,\"e\",{\"state\":\"finished\",\"seq\":12}]\n");
        assert_eq!(RecordingEnd::parse(&line), Some(ending));
        for other in [
            "",
            "[0,\"c\",\"turns 3\"]",
            "[0,\"e\",{}]",
            "[0,\"e\",{\"state\":\"live\",\"seq\":1}]",
            "[0,\"x\",\"e\"]",
        ] {
            assert_eq!(RecordingEnd::parse(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_cut_recording_says_why() {
        let mut line = Vec::new();
        let cut = RecordingEnd { state: MatchState::Interrupted, seq: 3, cut: Some(CutReason::Data) };
        cut.write_line(Micros(0), &mut line);
        assert_eq!(line, b"[0,\"e\",{\"state\":\"interrupted\",\"seq\":3,\"cut\":\"data-mib\"}]\n");
        let later = b"[0,\"e\",{\"state\":\"interrupted\",\"seq\":3,\"cut\":{\"why\":\"new\"}}]";
        for line in [&line[..], later] {
            assert_eq!(RecordingEnd::parse(line), Some(RecordingEnd { cut: None, ..cut }));
        }
        assert_eq!(CutReason::ALL.map(|cut| cut as usize), [0, 1, 2, 3, 4, 5, 6]);
    }
}
