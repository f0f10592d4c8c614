//! Chunk of a log: up to [`LENGTH`] consecutive commands in compact form.

use grandstand_protocol::{Micros, Scene};

use grandstand_protocol::MarkKind;

/// The most commands in a chunk. A seek applies at most this many commands to a stored scene, unless
/// scenes are so large that they are stored less often.
pub(super) const LENGTH: usize = 1024;

/// The lines of up to [`LENGTH`] commands as one piece of text, with their times.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    /// The number of the command before the first one; `start_t` is its time.
    pub(super) base_seq: u64,
    pub(super) start_t: Micros,
    /// The origin of the stored times: `start_t`, unless the first command came so long after it that a `u32` would overflow.
    base_t: Micros,
    /// The scene after command `base_seq`, if it is stored.
    pub(super) keyframe: Option<Scene>,
    /// Approximate size in bytes of the stored scene.
    weight: usize,
    /// The time of each command after `base_t`; `ends` is the end of its line in `text`.
    times: Vec<u32>,
    ends: Vec<u32>,
    text: Vec<u8>,
    /// The marks, as index in the chunk and kind, in order.
    marks: Vec<(u16, MarkKind)>,
}

impl Chunk {
    pub(super) fn new(base_seq: u64, start_t: Micros, keyframe: Option<Scene>) -> Chunk {
        Chunk {
            base_seq,
            start_t,
            base_t: start_t,
            weight: keyframe.as_ref().map_or(0, Scene::own_bytes),
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
        self.times.last().map_or(self.start_t, |&after| Micros(self.base_t.0 + u64::from(after)))
    }

    pub(super) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Approximate size in bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        const EACH: usize = 2 * size_of::<u32>();
        let marks = self.marks.capacity() * size_of::<(u16, MarkKind)>();
        size_of::<Chunk>() + self.weight + self.text.capacity() + EACH * self.times.capacity() + marks
    }

    /// Appends a command. Returns `false` if the chunk is full: the command belongs into the next one.
    pub(super) fn push(&mut self, t: Micros, line: &[u8], mark: Option<MarkKind>) -> bool {
        if self.times.is_empty() && t.since(self.start_t).0 > u64::from(u32::MAX) {
            self.base_t = t;
        }
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

    /// A copy up to command `seq`, which must be in this chunk or directly before it.
    pub(super) fn until(&self, seq: u64) -> Chunk {
        let count = self.len().min(usize::try_from(seq.saturating_sub(self.base_seq)).unwrap_or(usize::MAX));
        let text = count.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        let marks = self.marks.partition_point(|&(at, _)| usize::from(at) < count);
        Chunk {
            base_seq: self.base_seq,
            start_t: self.start_t,
            base_t: if count == 0 { self.start_t } else { self.base_t },
            keyframe: self.keyframe.clone(),
            weight: self.weight,
            times: self.times[..count].to_vec(),
            ends: self.ends[..count].to_vec(),
            text: self.text[..text].to_vec(),
            marks: self.marks[..marks].to_vec(),
        }
    }

    /// Frees the spare capacity when no further command will be added.
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
            None => self.start_t,
        }
    }

    /// The number of the last command not later than `t`; `base_seq` if there is none.
    pub(super) fn seq_at(&self, t: Micros) -> u64 {
        if t < self.base_t {
            return self.base_seq;
        }
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
