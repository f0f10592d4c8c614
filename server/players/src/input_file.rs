//! File of a match's inputs from outside, written while the match goes on.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Destination of a match's inputs.
#[derive(Debug, Clone)]
pub enum InputTarget {
    /// A file.
    File(PathBuf),
    /// Memory, for callers that play many matches and store their inputs elsewhere.
    Memory(InputBuffer),
}

impl From<PathBuf> for InputTarget {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl From<OsString> for InputTarget {
    fn from(path: OsString) -> Self {
        Self::File(path.into())
    }
}

/// The path, or `memory`.
impl fmt::Display for InputTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Memory(_) => f.write_str("memory"),
        }
    }
}

/// Buffer with the inputs of the last match that was written to it. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct InputBuffer(Arc<Mutex<Vec<u8>>>);

impl InputBuffer {
    /// Takes the content.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for InputBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writer of inputs: a header line, and a line for each input.
pub struct InputFile {
    file: Box<dyn Write + Send>,
    failed: Option<io::Error>,
}

impl fmt::Debug for InputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputFile").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl InputFile {
    /// Creates the file and writes the header.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(target: &InputTarget, header: &str) -> io::Result<Self> {
        let mut file: Box<dyn Write + Send> = match target {
            InputTarget::File(path) => Box::new(BufWriter::new(File::create(path)?)),
            InputTarget::Memory(buffer) => {
                drop(buffer.take());
                Box::new(buffer.clone())
            }
        };
        writeln!(file, "{header}")?;
        Ok(Self { file, failed: None })
    }

    /// Adds an input. [`finish`](Self::finish) reports a failure.
    pub fn write(&mut self, line: &str) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.file, "{line}")
        {
            self.failed = Some(error);
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If any write failed.
    pub fn finish(mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.file.flush(),
        }
    }
}
