//! Saving of a match with the viewer's bookmarks as a replay.

use std::path::Path;
use std::time::Duration;

use crate::budget::Budget;
use grandstand_protocol::{Marker, MatchHeader};
use grandstand_replays::{Header, Marked};
use grandstand_story::markers::kind;

use super::Session;
use crate::address::Target;
use crate::source::save;

/// Time for it in one frame.
const BUDGET: Duration = Duration::from_millis(6);
/// Commands written between two looks at the clock.
const STRETCH: u64 = 500;

impl Session {
    /// Begins to save the match with its bookmarks; [`Session::save_on`] continues.
    pub(crate) fn save_marked(&mut self) {
        let teams = || MatchHeader {
            title: self.view.about.title.as_str().into(),
            teams: self.view.about.teams.clone(),
            rules: self.view.about.rules.clone(),
            by: self.view.about.by.clone(),
            ..MatchHeader::default()
        };
        let header = self.header().cloned().unwrap_or_else(|| Header::new(self.whole_log().game(), teams()));
        let mark =
            |label: &str| Marker { label: label.into(), kind: Some(kind::BOOKMARK.into()), team: None };
        let marks = self.bookmarks.list().iter().map(|m| (m.seq, mark(&m.what))).collect();
        self.saving = Some(Marked::new(&header, marks).without(self.bookmarks.taken_over().to_vec()));
    }

    /// Whether the match is being saved.
    pub(crate) fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    /// Continues saving within a frame's time; returns a message when it is done.
    pub(crate) fn save_on(&mut self) -> Option<String> {
        let time = Budget::new(BUDGET);
        let copy = self.saving.as_mut()?;
        loop {
            match copy.copy(self.view.whole_log(), STRETCH) {
                Ok(false) if time.is_left() => {}
                Ok(false) => return None,
                Ok(true) => break,
                Err(missing) => {
                    self.saving = None;
                    return Some(format!("Not saved: not all of the match is here ({missing})"));
                }
            }
        }
        let file = self.saving.take()?.into_file();
        let (folder, name) = self.file_name();
        Some(match save::save(folder, &name, &file) {
            Ok(place) => format!("Saved: {place}"),
            Err(reason) => format!("Not saved: {reason}"),
        })
    }

    /// Folder and name of the copy: beside the shown recording, if that is a file.
    fn file_name(&self) -> (Option<&Path>, String) {
        let (folder, name) = match &self.view.target {
            Target::File(path) => {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                // In a page a file has a name and no folder.
                let folder = path.parent().filter(|_| cfg!(not(target_arch = "wasm32")));
                (folder, name.unwrap_or_default())
            }
            Target::Match { id, .. } => (None, id.to_string()),
            Target::Recording { url, .. } => {
                let path = url.split(['?', '#']).next().unwrap_or(url);
                (None, path.rsplit('/').next().unwrap_or_default().to_owned())
            }
            Target::Sample(sample) => (None, sample.game.name().to_owned()),
            Target::Server(_)
            | Target::Folder(_)
            | Target::Tournament { .. }
            | Target::Wall(_)
            | Target::Compare(_) => (None, String::new()),
        };
        let stem = name.trim_end_matches(".zst").trim_end_matches(".replay").trim_end_matches(".marked");
        let stem = if stem.is_empty() { "match" } else { stem };
        (folder, format!("{stem}.marked.replay"))
    }
}
