//! Folder of this machine: its recordings as entries, and its subfolders.

use std::path::{Path, PathBuf};
use std::sync::mpsc::TryRecvError;

use eframe::egui::{Button, Id, Label, RichText, Ui, vec2};

use super::entry::{Entry, EntryList, file_name};
use super::rows::{self, RowPainter, heading};
use crate::address::{Base, Target};
use crate::errors::SourceError;
use crate::layout::ScreenLayout;
use crate::panels::trouble_card;
use crate::source::recordings::{Folder, FolderUpdate};
use crate::source::{FolderFeed, Wake, watch_folder};

/// Updates taken in one frame at most.
const TAKEN: usize = 64;

/// A folder that is shown.
#[derive(Debug)]
pub(super) struct FolderList {
    feed: Option<FolderFeed>,
    asked: PathBuf,
    folder: Folder,
    pub list: EntryList,
    trouble: Option<SourceError>,
    /// Number of recordings read so far.
    read: usize,
}

impl FolderList {
    /// Starts to read a folder.
    pub(super) fn open(path: &Path, wake: Wake) -> FolderList {
        let asked = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        FolderList {
            feed: Some(watch_folder(asked.clone(), wake)),
            asked,
            folder: Folder::default(),
            list: EntryList::default(),
            trouble: None,
            read: 0,
        }
    }

    /// The path that was asked for, made absolute.
    pub(super) fn path(&self) -> &Path {
        &self.asked
    }

    /// Takes the updates that have arrived. Returns whether the entries changed, and whether more updates wait.
    pub(super) fn take(&mut self) -> (bool, bool) {
        let mut taken = 0;
        while let Some(feed) = &self.feed {
            if taken == TAKEN {
                return (true, true);
            }
            match feed.updates.try_recv() {
                Ok(FolderUpdate::Contents(folder)) => {
                    self.list.entries = folder.recordings.iter().map(|path| Entry::of_file(path)).collect();
                    self.folder = folder;
                }
                Ok(FolderUpdate::Recording(number, told)) => {
                    self.read = number + 1;
                    if let Some(entry) = self.list.entries.get_mut(number) {
                        entry.take(told);
                    }
                }
                Ok(FolderUpdate::Failed(trouble)) => self.trouble = Some(trouble),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.feed = None,
            }
            taken += 1;
        }
        (taken > 0, false)
    }

    /// Shows the recordings and the subfolders; returns the target that was pressed. `start`: no server is shown beside the
    /// folder, so there is a button that leads to the start screen, which looks for this one.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        painter: &mut RowPainter<'_>,
        start: Option<&Base>,
        wake: &Wake,
    ) -> Option<Target> {
        if let Some(trouble) = &self.trouble {
            if trouble_card::show(ui, trouble, Some("Back")) {
                *self = FolderList::open(Path::new("."), wake.clone());
            }
            return None;
        }
        let count = self.list.entries.len();
        let (mut wanted, mut go) = (None, None);
        heading(ui, "Recordings on this machine", self.list.shown.len(), count);
        ui.horizontal_wrapped(|ui| {
            let mut words = self.folder.path.display().to_string();
            if self.feed.is_some() && count > 0 {
                words += &format!("  ·  {} of {count} read", self.read);
            }
            if self.folder.left_out > 0 {
                words += &format!("  ·  {} older ones are left out", self.folder.left_out);
            }
            ui.add(Label::new(RichText::new(words).small().weak()));
            let finger = vec2(ScreenLayout::of(ui.ctx()).control(0.0), 0.0);
            if let Some(up) = self.folder.path.parent()
                && ui
                    .add(Button::new("Up").min_size(finger))
                    .on_hover_text(format!("Up to {}", up.display()))
                    .clicked()
            {
                go = Some(up.to_owned());
            }
            if let Some(server) = start
                && ui.button("Start screen").clicked()
            {
                wanted = Some(Target::Server(server.clone()));
            }
        });
        go = self.show_folders(ui).or(go);
        let shown = &self.list.shown;
        let height = rows::row_height(ScreenLayout::of(ui.ctx()));
        let id = |place: usize| Id::unique(("recording", shown[place]));
        let sought = painter.find(self.list.shown());
        rows::rows(ui, (shown.len(), sought), height, id, |ui, place| {
            if let Some(entry) = self.list.entries.get(shown[place]) {
                wanted = painter.show(ui, entry).or(wanted.take());
            }
        });
        // An empty path: the folder has not been read yet.
        let is_read = !self.folder.path.as_os_str().is_empty();
        match (shown.is_empty(), count) {
            (true, 0) if is_read => drop(ui.weak("There are no recordings in this folder.")),
            (true, 1..) => drop(ui.weak("No recording fits the filter.")),
            _ => {}
        }
        if let Some(path) = go {
            *self = FolderList::open(&path, wake.clone());
        }
        wanted
    }

    /// Shows the subfolders; returns the one that was pressed.
    fn show_folders(&self, ui: &mut Ui) -> Option<PathBuf> {
        let mut go = None;
        let height = ScreenLayout::of(ui.ctx()).control(rows::SMALL_ROW);
        let folders = &self.folder.folders;
        rows::rows(
            ui,
            (folders.len(), None),
            height,
            |place| Id::unique(&folders[place]),
            |ui, place| {
                let path = &self.folder.folders[place];
                if rows::folder(ui, &file_name(path)) {
                    go = Some(path.clone());
                }
            },
        );
        go
    }
}
