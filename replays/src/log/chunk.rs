//! A stretch of a log: up to [`LENGTH`] commands one after another, kept small.

use grandstand_protocol::{Micros, Scene};

use super::mark::MarkKind;

/// How many commands one chunk holds at most. A seek applies no more than this many commands to a stored scene, unless
/// scenes are so large that they are stored less often.
pub(super) const LENGTH: usize = 1024;

/// The lines of up to [`LENGTH`] commands, as text in one piece, with their times.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    /// The number of the command before the first, and its time.
    pub(super) base_seq: u64,
    pub(super) base_t: Micros,
    /// The scene after command `base_seq`, where it is stored.
    pub(super) keyframe: Option<Scene>,
    /// For each command its time after `base_t`, and where its line ends in `text`.
    times: Vec<u32>,
    ends: Vec<u32>,
    text: Vec<u8>,
    /// Which commands are more than drawing, in order; the position in the chunk first.
    marks: Vec<(u16, MarkKind)>,
}

impl Chunk {
    pub(super) fn new(base_seq: u64, base_t: Micros, keyframe: Option<Scene>) -> Chunk {
        Chunk {
            base_seq,
            base_t,
            keyframe,
            times: Vec::new(),
            ends: Vec::new(),
            text: Vec::new(),
            marks: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    pub(super) fn last_seq(&self) -> u64 {
        self.base_seq + self.len() as u64
    }

    pub(super) fn last_t(&self) -> Micros {
        self.times.last().map_or(self.base_t, |&after| Micros(self.base_t.0 + u64::from(after)))
    }

    pub(super) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Appends a command unless the chunk is full: then it must go into the next one.
    pub(super) fn push(&mut self, t: Micros, line: &[u8], mark: Option<MarkKind>) -> bool {
        let (Ok(after), Ok(end)) =
            (u32::try_from(t.since(self.base_t).0), u32::try_from(self.text.len() + line.len()))
        else {
            return false;
        };
        if self.len() >= LENGTH {
            return false;
        }
        if let Some(kind) = mark {
            self.marks.push((self.len() as u16, kind));
        }
        self.times.push(after);
        self.ends.push(end);
        self.text.extend_from_slice(line);
        true
    }

    /// Gives back the memory that no further command will need.
    pub(super) fn seal(&mut self) {
        self.times.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.text.shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    /// The time of a command of this chunk, or of the one before it.
    pub(super) fn time_of(&self, seq: u64) -> Micros {
        match self.index(seq).and_then(|index| self.times.get(index)) {
            Some(&after) => Micros(self.base_t.0 + u64::from(after)),
            None => self.base_t,
        }
    }

    /// The number of the last command not later than `t`; `base_seq` when there is none.
    pub(super) fn seq_at(&self, t: Micros) -> u64 {
        let after = t.since(self.base_t).0;
        self.base_seq + self.times.partition_point(|&time| u64::from(time) <= after) as u64
    }

    pub(super) fn line(&self, seq: u64) -> Option<&[u8]> {
        let index = self.index(seq)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(&self.text[start as usize..*self.ends.get(index)? as usize])
    }

    /// The marks after command `after` and up to command `to`.
    pub(super) fn marks(&self, after: u64, to: u64) -> &[(u16, MarkKind)] {
        let position = |seq: u64| {
            let index = seq.saturating_sub(self.base_seq);
            self.marks.partition_point(|&(at, _)| u64::from(at) < index)
        };
        let (from, to) = (position(after), position(to));
        &self.marks[from.min(to)..to]
    }

    fn index(&self, seq: u64) -> Option<usize> {
        usize::try_from(seq.checked_sub(self.base_seq + 1)?).ok()
    }
}
