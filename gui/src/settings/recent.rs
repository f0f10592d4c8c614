//! Recently opened recordings and servers.

use serde::{Deserialize, Serialize};

use crate::address::Target;
use crate::address::links;

/// Number of entries kept.
const MOST: usize = 12;
/// Size of an entry that is kept at most, in bytes.
const LONGEST: usize = 4096;

/// A recording or a server that was open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recent {
    /// The target as an address; a file's path after `file://`.
    pub target: String,
    /// Its title when it was open; may be empty.
    #[serde(default)]
    pub title: String,
}

/// Recently opened targets, the latest first, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Recents {
    list: Vec<Recent>,
}

impl Recents {
    /// All entries, the latest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Recent> {
        self.list.iter()
    }

    /// Adds a target that was opened now.
    pub(crate) fn note(&mut self, target: &str, title: &str) {
        let title = title.trim();
        let same = self.list.first().is_some_and(|first| first.target == target && first.title == title);
        if same || target.len() + title.len() > LONGEST {
            return;
        }
        self.forget(target);
        self.list.insert(0, Recent { target: target.to_owned(), title: title.to_owned() });
        self.list.truncate(MOST);
    }

    /// Removes a target.
    pub(crate) fn forget(&mut self, target: &str) {
        self.list.retain(|recent| recent.target != target);
    }

    /// Drops entries that are too long or no targets.
    pub(super) fn tidy(&mut self) {
        self.list.retain(|recent| {
            recent.target.len() + recent.title.len() <= LONGEST && recent.target.parse::<Target>().is_ok()
        });
        self.list.truncate(MOST);
    }
}

impl Recent {
    /// The target; `None` if the text is not one.
    pub(crate) fn target(&self) -> Option<Target> {
        self.target.parse().ok()
    }
}

/// Text under which a target is remembered; `None` if it can't be opened again: a file that a page was given, a path
/// that is not Unicode. Matches are left out too; their server's list has them.
pub(crate) fn remembered(target: &Target) -> Option<String> {
    match target {
        Target::Server(base) => Some(base.to_string()),
        Target::Sample(_) => Some(target.to_string()),
        Target::Recording { url, .. } => Some(target_text(url)),
        #[cfg(not(target_arch = "wasm32"))]
        Target::File(path) | Target::Folder(path) => {
            let path = std::path::absolute(path).ok()?;
            // A slash at the end marks a folder.
            let slash = if matches!(target, Target::Folder(_)) { "/" } else { "" };
            Some(format!("file://{}{slash}", path.to_str()?.trim_end_matches('/')))
        }
        _ => None,
    }
}

/// Address of a recording, in a form that can't be taken for a server's.
fn target_text(url: &str) -> String {
    match url.parse() {
        Ok(Target::Recording { url: same, seq: None, .. }) if same == url => same,
        _ => links::page_of(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::bookmarks::Bookmarks;

    fn targets(recents: &Recents) -> Vec<&str> {
        recents.iter().map(|recent| recent.target.as_str()).collect()
    }

    #[test]
    fn the_last_one_is_first_and_each_is_there_once() {
        let mut recents = Recents::default();
        for target in ["http://a/", "http://b/", "http://a/"] {
            recents.note(target, "");
        }
        assert_eq!(targets(&recents), ["http://a/", "http://b/"]);
        recents.note("http://b/", "Beta ");
        assert_eq!(recents.iter().next(), Some(&Recent { target: "http://b/".into(), title: "Beta".into() }));
        recents.forget("http://b/");
        assert_eq!(targets(&recents), ["http://a/"]);
        for number in 0..100 {
            recents.note(&format!("http://h{number}/"), "");
        }
        assert_eq!(recents.iter().count(), MOST);
        recents.note(&format!("http://{}/", "h".repeat(LONGEST)), "");
        assert_eq!(targets(&recents)[0], "http://h99/");
    }

    #[test]
    fn a_recording_is_found_again_whatever_its_address_looks_like() {
        for url in ["http://h:1/a.replay", "https://h/games?id=3&kind=x#y", "http://h", "http://h/my game"] {
            let target = Target::Recording { url: url.to_owned(), seq: Some(3), marks: Bookmarks::default() };
            let text = remembered(&target).expect("text");
            let again = Recent { target: text, title: String::new() }.target();
            assert_eq!(
                again,
                Some(Target::Recording { url: url.to_owned(), seq: None, marks: Bookmarks::default() })
            );
        }
    }

    #[test]
    fn a_file_is_found_again_from_any_folder() {
        let target = Target::File("some file.replay".into());
        let text = remembered(&target).expect("text");
        let again = Recent { target: text, title: String::new() }.target();
        assert_eq!(again, Some(Target::File(std::path::absolute("some file.replay").expect("a path"))));
        let url = "http://h:1/?match=m1".parse::<Target>().expect("a target");
        assert_eq!(remembered(&url), None);
    }
}
