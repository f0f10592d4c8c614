//! Prefix of a log: the knowledge of a viewer who has seen the match up to some command.

use std::sync::Arc;

use super::{Growth, Log, Segment};

impl Log {
    /// A copy of the match up to command `seq`, or the last known one before it, as if it were still going on. It contains
    /// nothing after that command: no commands, no marks, and no end.
    ///
    /// The copy shares everything with this log but its last chunk, so it costs little for a match of any length.
    ///
    /// ```
    /// use grandstand_protocol::{Command, Game, Micros};
    /// use grandstand_replays::Log;
    ///
    /// let mut log = Log::live(Game::Abalone);
    /// for (seq, line) in ["turns 1", "set B~2 w4", "wscore 1"].iter().enumerate() {
    ///     let _ = log.insert(seq as u64 + 1, Micros(9), &Command::parse(Game::Abalone, line.as_bytes()));
    /// }
    /// let seen = log.until(2);
    /// assert_eq!((seen.last_seq(), seen.line(3)), (2, None));
    /// assert_eq!(seen.scene_at(3), log.scene_at(2));
    /// ```
    #[must_use]
    pub fn until(&self, seq: u64) -> Log {
        let seq = self.known(seq);
        let last = self.segment_at(seq);
        let mut segments = self.segments[..last].to_vec();
        let all = &self.segments[last].chunks;
        let count = all.partition_point(|chunk| chunk.base_seq < seq).max(1);
        let mut chunks = all[..count].to_vec();
        let end = &mut chunks[count - 1];
        if end.last_seq() > seq {
            *end = Arc::new(end.until(seq));
        }
        let stored = chunks.iter().rposition(|chunk| chunk.keyframe.is_some()).unwrap_or(0);
        let since_keyframe = chunks[stored..count - 1].iter().map(|chunk| chunk.text_bytes()).sum();
        segments.push(Segment { chunks, head: self.drawn_at(seq), since_keyframe });
        let thoughts = self.thoughts.iter().filter(|(told, ..)| *told <= seq).cloned().collect();
        let Log { game, fetched, late, .. } = *self;
        Log { game, growth: Growth::Live, end: None, segments, thoughts, fetched, late }
    }
}
