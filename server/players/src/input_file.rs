//! File of what happened to a match from outside, written as the match goes on.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A file of inputs that is being written: a line that begins it, and one for each input.
#[derive(Debug)]
pub struct InputFile {
    file: BufWriter<File>,
    failed: Option<io::Error>,
}

impl InputFile {
    /// Begins the file.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(path: &Path, header: &str) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        writeln!(file, "{header}")?;
        Ok(Self { file, failed: None })
    }

    /// Adds an input. A failure is told in the end.
    pub fn write(&mut self, line: &str) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.file, "{line}")
        {
            self.failed = Some(error);
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If it is not complete.
    pub fn finish(mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.file.flush(),
        }
    }
}
