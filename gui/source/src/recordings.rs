//! Recordings as a list tells of them: who played, how it ended, how long it was, and the last picture.

use std::io::Read;
use std::path::PathBuf;

use grandstand_protocol::Scene;
use grandstand_replays::{Limits, Scan, ScanError, scan_to_scene};

/// What is known of a recording without opening it.
#[derive(Debug)]
pub struct Recorded {
    /// Its header, length, result and damage.
    pub scan: Scan,
    /// The last picture of what is good of it; `None` where too many others are kept.
    pub scene: Option<Box<Scene>>,
}

impl Recorded {
    /// Reads a recording within the limits of a list.
    ///
    /// # Errors
    /// When it can't be read, or is no recording.
    pub fn read(source: impl Read) -> Result<Recorded, ScanError> {
        let (scan, scene) = scan_to_scene(source, Limits::of_a_list())?;
        Ok(Recorded { scan, scene: Some(Box::new(scene)) })
    }
}

/// What a folder has to choose from: the folders in it, and its recordings, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folder {
    /// The folder itself, without links.
    pub path: PathBuf,
    /// By their names.
    pub folders: Vec<PathBuf>,
    /// The newest first.
    pub recordings: Vec<PathBuf>,
    /// How many more there are than a list has.
    pub left_out: usize,
}

/// What is told of a folder, bit by bit.
#[derive(Debug)]
pub enum FolderUpdate {
    /// What is in it, once.
    Contents(Folder),
    /// One of its recordings, by its number in the list; why not, where it is none.
    Recording(usize, Result<Box<Recorded>, String>),
    /// It can't be read.
    Failed(crate::errors::Trouble),
}
