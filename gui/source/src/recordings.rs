//! Summaries of recordings for lists: players, result, length, and the last scene.

use std::io::Read;
use std::path::PathBuf;

use grandstand_protocol::Scene;
use grandstand_replays::{Limits, Scan, ScanError, scan_to_scene};

/// Summary of a recording.
#[derive(Debug)]
pub struct Recorded {
    /// The header, length, result and damage.
    pub scan: Scan,
    /// The last scene of the undamaged part; `None` if too many others are kept.
    pub scene: Option<Box<Scene>>,
}

impl Recorded {
    /// Reads a recording within the limits of a list.
    ///
    /// # Errors
    /// If it can't be read, or is no recording.
    pub fn read(source: impl Read) -> Result<Recorded, ScanError> {
        let (scan, scene) = scan_to_scene(source, Limits::of_a_list())?;
        Ok(Recorded { scan, scene: Some(Box::new(scene)) })
    }
}

/// Content of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folder {
    /// The folder itself, without links.
    pub path: PathBuf,
    /// The folders in it, by their names.
    pub folders: Vec<PathBuf>,
    /// The recordings in it, the newest first.
    pub recordings: Vec<PathBuf>,
    /// Number of recordings beyond the limit of a list.
    pub left_out: usize,
}

/// An update about a folder that is being read.
#[derive(Debug)]
pub enum FolderUpdate {
    /// Its content, sent once.
    Contents(Folder),
    /// One of its recordings, by its index in the list, or the reason why it is none.
    Recording(usize, Result<Box<Recorded>, String>),
    /// The folder can't be read.
    Failed(crate::errors::SourceError),
}
