//! The token that workers show to a director.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use hyper::header::HeaderMap;
use sha2::{Digest as _, Sha256};

use crate::http::owners::bearer;

/// Fewest and most characters of a token.
const LENGTH: std::ops::RangeInclusive<usize> = 16..=512;
/// Greatest size of the file in bytes.
const FILE_BYTES: u64 = 4096;

/// A secret that a director shares with its workers.
#[derive(Clone)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Reads the token in a file: one word of 16 to 512 characters.
    ///
    /// # Errors
    /// If the file can't be read, or its content is no token; without the token.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        use std::io::Read as _;

        let mut text = String::new();
        let opened = std::fs::File::open(path)
            .with_context(|| format!("can't read the token in {}", path.display()))?;
        let read = opened.take(FILE_BYTES).read_to_string(&mut text);
        read.with_context(|| format!("can't read the token in {}", path.display()))?;
        let token = text.trim();
        if !LENGTH.contains(&token.len()) || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            bail!(
                "{}: expected a token of {} to {} letters, digits and signs of ASCII, without blanks",
                path.display(),
                LENGTH.start(),
                LENGTH.end()
            );
        }
        Ok(Self(token.to_owned()))
    }

    /// Reads the token in a file, after making one where there is no file. Only its owner can read a file made so.
    ///
    /// # Errors
    /// As [`read`](Self::read), and if the file can't be written.
    pub fn read_or_make(path: &Path) -> anyhow::Result<Self> {
        let mut options = std::fs::File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(path) {
            Ok(mut file) => {
                let mut bytes = [0; 24];
                getrandom::fill(&mut bytes).context("a token")?;
                let token = data_encoding::HEXLOWER.encode(&bytes);
                writeln!(file, "{token}").with_context(|| format!("can't write {}", path.display()))?;
                Ok(Self(token))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::read(path),
            Err(error) => Err(error).with_context(|| format!("can't write {}", path.display())),
        }
    }

    /// Value of the header with which a worker shows it.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Whether a request shows this token. The time that this takes does not depend on the token.
    pub(super) fn is_shown(&self, headers: &HeaderMap) -> bool {
        let hash = |text: &[u8]| Sha256::digest(text);
        bearer(headers).is_some_and(|shown| hash(shown.as_bytes()) == hash(self.0.as_bytes()))
    }
}
