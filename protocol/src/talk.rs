//! Talk: the most recent lines that the teams of a match said.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::text::Text;
use crate::time::Micros;

/// The most lines of talk that a scene keeps.
pub const TALK_MAX_LINES: usize = 200;

/// One line of talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TalkLine<T> {
    /// The sequence number of the line's command.
    pub seq: u64,
    /// The time of the line.
    pub t: Micros,
    /// The team that spoke.
    pub team: T,
    /// The text; a scene keeps the first [`TEXT_MAX_CHARS`](crate::text::TEXT_MAX_CHARS) characters.
    pub text: Text,
}

/// The last [`TALK_MAX_LINES`] lines of talk, oldest first. A clone shares them until one of the two changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Talk<T>(Arc<VecDeque<TalkLine<T>>>);

impl<T: Clone> Talk<T> {
    /// The lines, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &TalkLine<T>> + ExactSizeIterator {
        self.0.iter()
    }

    /// The number of lines, at most [`TALK_MAX_LINES`].
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Approximate size of the lines in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.iter().map(|line| line.text.len() + 64).sum()
    }

    pub(crate) fn push(&mut self, line: TalkLine<T>) {
        let lines = Arc::make_mut(&mut self.0);
        if lines.len() >= TALK_MAX_LINES {
            lines.pop_front();
        }
        lines.push_back(TalkLine { text: line.text.capped(), ..line });
    }
}

impl<T> Default for Talk<T> {
    fn default() -> Talk<T> {
        Talk(Arc::new(VecDeque::new()))
    }
}

impl<'de, T: Clone + Deserialize<'de>> Deserialize<'de> for Talk<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Talk<T>, D::Error> {
        let mut talk = Talk::default();
        for line in Vec::deserialize(deserializer)? {
            talk.push(line);
        }
        Ok(talk)
    }
}
