//! Folder of this machine: its recordings as entries, and its subfolders.

use std::path::{Path, PathBuf};
use std::sync::mpsc::TryRecvError;

use super::entry::Entry;
use crate::errors::Trouble;
use crate::source::recordings::{Folder, FolderUpdate};
use crate::source::{FolderFeed, Wake, watch_folder};

/// Updates taken in one frame at most.
const TAKEN: usize = 64;

/// A folder that is shown.
#[derive(Debug)]
pub(super) struct FolderList {
    feed: Option<FolderFeed>,
    asked: PathBuf,
    pub folder: Folder,
    pub entries: Vec<Entry>,
    pub trouble: Option<Trouble>,
    /// Number of recordings read so far.
    pub read: usize,
}

impl FolderList {
    /// Starts to read a folder.
    pub(super) fn open(path: &Path, wake: Wake) -> FolderList {
        let asked = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        FolderList {
            feed: Some(watch_folder(asked.clone(), wake)),
            asked,
            folder: Folder::default(),
            entries: Vec::new(),
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
                    self.entries = folder.recordings.iter().map(|path| Entry::of_file(path)).collect();
                    self.folder = folder;
                }
                Ok(FolderUpdate::Recording(number, told)) => {
                    self.read = number + 1;
                    if let Some(entry) = self.entries.get_mut(number) {
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

    /// Whether the folder is still being read.
    pub(super) fn is_reading(&self) -> bool {
        self.feed.is_some()
    }
}
