//! The digest of a game's commands, by which identical games are found and workers are compared.

use sha2::{Digest as _, Sha256};

/// Hash over the lines of commands.
#[derive(Debug, Clone, Default)]
pub(crate) struct CommandDigest(Sha256);

impl CommandDigest {
    /// Takes the next line, which has no line feed.
    pub(crate) fn line(&mut self, line: &[u8]) {
        self.0.update(line);
        self.0.update(b"\n");
    }

    /// The digest: the first 64 bits of the hash.
    pub(crate) fn finish(self) -> u64 {
        self.0.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
