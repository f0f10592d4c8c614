//! Bundle of a program: its main file and all included files as one text, as replays contain it.

use std::fmt::Write as _;
use std::io::{self, Read};

use grandstand_languages::{self as languages, LoadError, MemoryFiles, Program};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The program and all files that it includes as one text. For each file, the main one first, it has a line
/// `#file BYTES PATH`, that many bytes, and a line feed.
pub fn bundle(program: &Program) -> String {
    let mut text = String::new();
    for file in program.sources().files() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#file {} {}", file.text.len(), file.name);
        text.push_str(&file.text);
        text.push('\n');
    }
    text
}

/// The SHA-256 of a content, in hexadecimal.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(content))
}

/// The SHA-256 of all that a reader has, in hexadecimal, and its size in bytes.
///
/// # Errors
/// The reader's.
pub fn sha256_of(mut reader: impl Read) -> io::Result<(String, u64)> {
    let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match reader.read(&mut piece) {
            Ok(0) => return Ok((hex(&hash.finalize()), bytes)),
            Ok(read) => {
                hash.update(&piece[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(hash: &[u8]) -> String {
    hash.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Reason for which a text is not a [`bundle`].
#[derive(Debug, Error)]
pub enum BundleError {
    /// The header line of a file is missing or wrong.
    #[error("byte {at}: expected `#file BYTES PATH` and that many bytes")]
    Form {
        /// Position in bytes from the beginning.
        at: usize,
    },
    /// The files in the bundle are no valid program.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Restores the program from its [`bundle`].
///
/// # Errors
/// If the text is no bundle, or its files are no valid program.
pub fn unbundle(text: &str) -> Result<Program, BundleError> {
    let (mut files, mut main) = (MemoryFiles::new(), None);
    let mut rest = text;
    while !rest.is_empty() {
        let error = || BundleError::Form { at: text.len() - rest.len() };
        let (heading, body) = rest.split_once('\n').ok_or_else(error)?;
        let heading = heading.strip_prefix("#file ").and_then(|heading| heading.split_once(' '));
        let (length, name) = heading.ok_or_else(error)?;
        let content = length.parse().ok().and_then(|length: usize| body.get(..length)).ok_or_else(error)?;
        files = files.with(name, content);
        main.get_or_insert(name);
        rest = body[content.len()..].strip_prefix('\n').ok_or_else(error)?;
    }
    let main = main.ok_or(BundleError::Form { at: 0 })?;
    Ok(languages::load(main, &files)?)
}
