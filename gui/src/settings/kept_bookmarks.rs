//! Bookmarks of the viewer, kept by recording.

use serde::{Deserialize, Serialize};

use crate::address::Target;
use crate::address::bookmarks::Bookmarks;

/// Of so many recordings.
const MOST: usize = 50;
/// What is longer than this is not kept, in bytes.
const LONGEST: usize = 8192;

/// The bookmarks of recordings and matches, those that changed last first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct KeptBookmarks {
    list: Vec<OfOne>,
}

/// The bookmarks of one recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OfOne {
    /// Its address.
    of: String,
    /// As in an address: `SEQ:LABEL,SEQ:LABEL`.
    marks: String,
}

impl KeptBookmarks {
    /// Those of a recording, if there are any that can be read.
    pub(crate) fn of(&self, target: &Target) -> Option<Bookmarks> {
        let of = address(target)?;
        self.list.iter().find(|one| one.of == of)?.marks.parse().ok()
    }

    /// A recording has these now.
    pub(crate) fn keep(&mut self, target: &Target, bookmarks: &Bookmarks) {
        let Some(of) = address(target) else { return };
        self.list.retain(|one| one.of != of);
        let marks = bookmarks.to_string();
        if !bookmarks.is_empty() && of.len() + marks.len() <= LONGEST {
            self.list.insert(0, OfOne { of, marks });
            self.list.truncate(MOST);
        }
    }

    /// Leaves out what no version of this program wrote.
    pub(super) fn tidy(&mut self) {
        self.list.retain(|one| one.of.len() + one.marks.len() <= LONGEST);
        self.list.truncate(MOST);
    }
}

/// What a recording is found by again, without the moment; `None` for a file that a page was given.
fn address(target: &Target) -> Option<String> {
    match target {
        Target::Match { base, id, .. } => Some(format!("{base}?match={id}")),
        Target::Recording { url, .. } => Some(url.clone()),
        other => super::remembered(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_stay_with_their_recording() {
        let target = |text: &str| text.parse::<Target>().expect("a target");
        let (first, second) = (target("http://a/?match=7&seq=3"), target("http://a/?match=8"));
        let mut kept = KeptBookmarks::default();
        kept.keep(&first, &"4:here,9:there".parse().expect("bookmarks"));
        kept.keep(&second, &"2:x".parse().expect("bookmarks"));
        let later = target("http://a/?match=7");
        assert_eq!(kept.of(&later).map(|marks| marks.to_string()).as_deref(), Some("4:here,9:there"));
        kept.keep(&later, &Bookmarks::default());
        assert!(kept.of(&first).is_none() && kept.of(&second).is_some());
    }
}
