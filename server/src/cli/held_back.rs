//! Standard error while the terminal shows a picture: what is said meanwhile would be written over it, so it is told
//! afterwards.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So much of it is kept; the rest of a flood is lost.
const BYTES_MAX: usize = 64 << 10;

/// What has been said since it is held back.
static HELD: Mutex<Option<Vec<u8>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<u8>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard error, for everything that is said on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandardError;

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *held() {
            Some(kept) => {
                let room = BYTES_MAX.saturating_sub(kept.len()).min(bytes.len());
                kept.extend_from_slice(&bytes[..room]);
                Ok(bytes.len())
            }
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// As long as this lives, standard error is held back; then it is told what was said.
#[cfg(feature = "terminal")]
#[derive(Debug)]
pub(crate) struct HeldBack(());

/// Holds standard error back.
#[cfg(feature = "terminal")]
pub(crate) fn hold_back() -> HeldBack {
    held().get_or_insert_with(Vec::new);
    HeldBack(())
}

#[cfg(feature = "terminal")]
impl Drop for HeldBack {
    fn drop(&mut self) {
        let kept = held().take().unwrap_or_default();
        // Nobody may be there any more to read it.
        let _ = io::stderr().write_all(&kept);
    }
}

#[cfg(all(test, feature = "terminal"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_meanwhile_is_kept_up_to_a_limit() {
        let guard = hold_back();
        let flood = vec![b' '; BYTES_MAX];
        for _ in 0..3 {
            StandardError.write_all(&flood).expect("kept or dropped");
        }
        assert_eq!(held().as_ref().map(Vec::len), Some(BYTES_MAX));
        held().replace(Vec::new());
        drop(guard);
        assert!(held().is_none());
    }
}
