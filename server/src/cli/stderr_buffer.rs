//! Buffer of standard error while a picture is on the terminal: messages would be written over the picture, so they are
//! printed afterwards.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

use crate::locked::Locked as _;

/// Maximum number of buffered bytes; the rest is dropped.
const BYTES_MAX: usize = 64 << 10;

/// Messages buffered since the start of the hold; `None` without a hold.
static HELD: Mutex<Option<Vec<u8>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<u8>>> {
    HELD.locked()
}

/// Writer to standard error, through the buffer.
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

/// Guard of a hold: on drop, the buffered messages are printed.
#[cfg(feature = "terminal")]
#[derive(Debug)]
pub(crate) struct HeldBack(());

/// Starts to buffer standard error.
#[cfg(feature = "terminal")]
pub(crate) fn hold_back() -> HeldBack {
    held().get_or_insert_with(Vec::new);
    HeldBack(())
}

#[cfg(feature = "terminal")]
impl Drop for HeldBack {
    fn drop(&mut self) {
        let kept = held().take().unwrap_or_default();
        // Standard error may be closed by now.
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
