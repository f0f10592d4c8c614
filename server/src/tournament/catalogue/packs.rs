//! Packs: files of concatenated compressed recordings, beside a catalogue.
//!
//! Each run writes new packs. A run that was killed may leave bytes at the end of its last pack that belong to no
//! result; they stay unread.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::{CatalogueError, sync_directory};
use crate::file_names::beside;

/// Size in bytes from which a new pack is started.
const PACK_BYTES: u64 = 256 << 20;

/// Location of an entry in the packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// The pack's number, from 1.
    pub pack: u32,
    /// Offset of the first byte.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
}

/// The packs of a catalogue, for appending.
#[derive(Debug)]
pub struct Packs {
    directory: PathBuf,
    open: Option<(u32, File, u64)>,
}

impl Packs {
    /// The packs of the catalogue at `path`. Writes nothing yet.
    pub fn new(path: &Path) -> Self {
        Self { directory: directory(path), open: None }
    }

    /// Appends `recordings`, and returns once they are safe on disk. After an error none of them is stored.
    ///
    /// # Errors
    /// The error of the write.
    pub fn append(&mut self, recordings: &[Vec<u8>]) -> Result<Vec<Packed>, CatalogueError> {
        let directory = self.directory.clone();
        self.try_append(recordings).map_err(|source| CatalogueError::Io { path: directory, source })
    }

    fn try_append(&mut self, recordings: &[Vec<u8>]) -> io::Result<Vec<Packed>> {
        if self.open.as_ref().is_some_and(|(_, _, length)| *length >= PACK_BYTES) {
            self.open = None;
        }
        if self.open.is_none() {
            self.open = Some(self.begin()?);
        }
        let Some((pack, file, length)) = &mut self.open else { return Ok(Vec::new()) };
        let before = *length;
        let all: Vec<u8> = recordings.concat();
        if let Err(error) = file.write_all(&all).and_then(|()| file.sync_data()) {
            // Partial data belongs to no result; if it can't be truncated either, a new pack is started.
            if file.set_len(before).and_then(|()| file.seek(SeekFrom::Start(before))).is_err() {
                self.open = None;
            }
            return Err(error);
        }
        *length += all.len() as u64;
        let mut offset = before;
        let packed = recordings.iter().map(|recording| {
            let packed = Packed { pack: *pack, offset, bytes: recording.len() as u64 };
            offset += packed.bytes;
            packed
        });
        Ok(packed.collect())
    }

    /// Creates a new pack, with the number after the last one.
    fn begin(&self) -> io::Result<(u32, File, u64)> {
        fs::create_dir_all(&self.directory)?;
        let numbers = fs::read_dir(&self.directory)?
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".pack")?.parse::<u32>().ok());
        let number = numbers.max().unwrap_or(0) + 1;
        let path = self.directory.join(name(number));
        let file = File::options().create_new(true).write(true).open(&path)?;
        sync_directory(&path);
        sync_directory(&self.directory);
        Ok((number, file, 0))
    }
}

/// Reads an entry from the packs of the catalogue at `path`.
pub(super) fn read(path: &Path, at: Packed) -> Result<Vec<u8>, CatalogueError> {
    let file = directory(path).join(name(at.pack));
    let read = || -> io::Result<Vec<u8>> {
        let mut pack = File::open(&file)?;
        pack.seek(SeekFrom::Start(at.offset))?;
        let mut bytes = Vec::new();
        pack.take(at.bytes).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != at.bytes {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the pack is cut off"));
        }
        Ok(bytes)
    };
    read().map_err(|source| CatalogueError::Io { path: file.clone(), source })
}

/// The directory of the packs.
pub(super) fn directory(path: &Path) -> PathBuf {
    beside(path, ".packs")
}

fn name(number: u32) -> String {
    format!("{number:04}.pack")
}
