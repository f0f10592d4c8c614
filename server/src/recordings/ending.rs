//! Last line of a recording: how its feed ended, or why it is recorded no further.

use std::io::Write as _;

use grandstand_protocol::Micros;
use grandstand_protocol::message::MatchState;
use serde::{Deserialize, Serialize, Serializer};

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

/// Why a recording ends before its match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutReason {
    /// It is as long as a recording may be.
    Recording,
    /// Its peer's address has recorded as much as it may in an hour.
    Hourly,
    /// The recordings are as large as they may be together.
    Data,
    /// The disk is as full as recordings may make it.
    Free,
    /// The disk was too slow.
    Slow,
    /// The disk failed.
    Disk,
    /// The data directory went away.
    Directory,
}

impl CutReason {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Self; 7] =
        [Self::Recording, Self::Hourly, Self::Data, Self::Free, Self::Slow, Self::Disk, Self::Directory];

    /// The reason in a recording, in metrics and in the log: the limit's name where it is a limit's.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Recording => "recording-mib",
            Self::Hourly => "recording-hourly-mib",
            Self::Data => "data-mib",
            Self::Free => "data-free-mib",
            Self::Slow => "unwritten-bytes",
            Self::Disk => "disk",
            Self::Directory => "directory",
        }
    }
}

impl Serialize for CutReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.label())
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
