//! Last line of a recording: how its feed ended, or why it is recorded no further.

use std::io::Write as _;

use grandstand_protocol::Micros;
use grandstand_protocol::message::MatchState;
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

/// How a feed ended, and with which command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordingEnd {
    /// `finished` or `interrupted`.
    pub(crate) state: MatchState,
    /// The number of the last command in the recording.
    pub(crate) seq: u64,
    /// Why the match had more of them. It is for those who read the file: reasons of later versions do no harm.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) cut: Option<CutReason>,
}

words! {
    /// Why a recording ends before its match: in a recording, in metrics and in the log by the name of the limit, where it
    /// is a limit.
    CutReason {
        /// It is as long as a recording may be.
        Recording = "recording-mib",
        /// Its peer's address has recorded as much as it may in an hour.
        Hourly = "recording-hourly-mib",
        /// The recordings are as large as they may be together.
        Data = "data-mib",
        /// The disk is as full as recordings may make it.
        Free = "data-free-mib",
        /// The disk was too slow.
        Slow = "unwritten-bytes",
        /// The disk failed.
        Disk = "disk",
        /// The data directory went away.
        Directory = "directory",
    }
}

impl RecordingEnd {
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
