//! Frames copied out of a feed.

use std::time::Instant;

/// Frames copied out of the feed for one round of writing.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Offset of the first byte.
    pub(crate) start: u64,
    /// The frames, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// End offset of each frame, with the number of commands in the batch up to there.
    pub(crate) ends: Vec<(u64, u64)>,
    /// Arrival time of the oldest frame.
    pub(crate) oldest: Option<Instant>,
    /// Number of the last command in the batch, 0 if there is none.
    pub(crate) last: u64,
}

impl Batch {
    /// Offset after the last byte.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Number of commands between two offsets, each at a frame boundary.
    pub(crate) fn commands_between(&self, from: u64, to: u64) -> u64 {
        let up_to = |offset: u64| match self.ends.last() {
            Some((end, commands)) if *end == offset => *commands,
            _ => match self.ends.partition_point(|(end, _)| *end <= offset) {
                0 => 0,
                index => self.ends[index - 1].1,
            },
        };
        up_to(to) - up_to(from)
    }

    /// The rest of the frame that contains `offset`, and the frame's end offset; `None` at a frame boundary.
    pub(crate) fn rest_of_frame(&self, offset: u64) -> Option<(&[u8], u64)> {
        let index = self.ends.partition_point(|(end, _)| *end <= offset);
        let start = if index == 0 { self.start } else { self.ends[index - 1].0 };
        let (end, _) = *self.ends.get(index)?;
        (offset > start)
            .then(|| (&self.bytes[(offset - self.start) as usize..(end - self.start) as usize], end))
    }
}
