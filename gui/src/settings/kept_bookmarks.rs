//! The viewer's bookmarks, stored by recording.

use serde::{Deserialize, Serialize};

use crate::address::Target;
use crate::address::bookmarks::Bookmarks;

/// Number of recordings kept.
const MOST: usize = 50;
/// Size of an entry that is kept at most, in bytes.
const LONGEST: usize = 8192;

/// Bookmarks of recordings and matches, the latest change first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct KeptBookmarks {
    list: Vec<OfOne>,
}

/// Bookmarks of one recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OfOne {
    /// Address of the recording.
    of: String,
    /// The bookmarks as in an address: `SEQ:LABEL,SEQ:LABEL`.
    marks: String,
}

impl KeptBookmarks {
    /// Bookmarks of a recording, if there are readable ones.
    pub(crate) fn of(&self, target: &Target) -> Option<Bookmarks> {
        let of = address(target)?;
        self.list.iter().find(|one| one.of == of)?.marks.parse().ok()
    }

    /// Stores the bookmarks of a recording; empty ones are removed.
    pub(crate) fn keep(&mut self, target: &Target, bookmarks: &Bookmarks) {
        let Some(of) = address(target) else { return };
        self.list.retain(|one| one.of != of);
        let marks = bookmarks.to_string();
        if !bookmarks.is_empty() && of.len() + marks.len() <= LONGEST {
            self.list.insert(0, OfOne { of, marks });
            self.list.truncate(MOST);
        }
    }

    /// Drops entries beyond the limits.
    pub(super) fn tidy(&mut self) {
        self.list.retain(|one| one.of.len() + one.marks.len() <= LONGEST);
        self.list.truncate(MOST);
    }
}

/// Address of a recording without the moment; `None` for a file that a page was given.
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
